import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { findOnnx, type OwnOnnx, refuseOnnx } from "../own-weights/find-onnx.ts";
import type { OwnAddress } from "../own-weights/parse-address.ts";

/** An embedding model of the BERT family as ONNX. */
export interface OwnEmbedder extends OwnOnnx {
  readonly pooling: "first" | "mean";
}

/** What cannot work stops the start with one sentence. */
export function openOnnxEmbeddings(setting: string, address: OwnAddress, modelsDir: string): OwnEmbedder {
  const found = findOnnx(setting, address, modelsDir);
  const { pooling } = address.options;
  if (pooling !== undefined && pooling !== "mean" && pooling !== "first") {
    throw refuseOnnx(setting, address, "pooling must be mean or first.");
  }
  return { ...found, pooling: pooling ?? poolingOf(found.folder) };
}

const poolingFile = z.looseObject({ pooling_mode_cls_token: z.boolean().optional() });

/** Sentence-transformers write it down; without a word about it most models average. */
function poolingOf(folder: string): "first" | "mean" {
  const path = join(folder, "1_Pooling", "config.json");
  if (!existsSync(path)) return "mean";
  const read = poolingFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  return read.success && read.data.pooling_mode_cls_token ? "first" : "mean";
}
