import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { SettingError } from "../../../platform/settings/settings.ts";
import { findWeights } from "../own-weights/find-weights.ts";
import type { OwnAddress } from "../own-weights/parse-address.ts";

/** An embedding model of the BERT family as ONNX, with the tokenizer of Hugging Face beside it. */
export interface OwnOnnx {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly bytes: number;
  readonly pooling: "first" | "mean";
}

/** Where exports put the graph, the smallest first. */
const graphs = ["model_quantized.onnx", "onnx/model_quantized.onnx", "model.onnx", "onnx/model.onnx"];
const needed = ["tokenizer.json", "tokenizer_config.json"];

/** What cannot work stops the start with one sentence. */
export function openOnnxEmbeddings(setting: string, address: OwnAddress, modelsDir: string): OwnOnnx {
  const { path, isFolder, name } = findWeights(setting, address, modelsDir);
  const refuse = (reason: string) => new SettingError(`${setting} is "onnx:${address.where}", but ${reason}`);
  const folder = isFolder ? path : dirname(path);
  const file = isFolder ? graphs.find((graph) => existsSync(join(path, graph))) : basename(path);
  if (!file) throw refuse(`there is none of ${graphs.join(", ")} in ${path}.`);
  const missing = needed.find((one) => !existsSync(join(folder, one)));
  if (missing) throw refuse(`${missing} is not beside it in ${folder}; it comes with the model.`);
  const { pooling } = address.options;
  if (pooling !== undefined && pooling !== "mean" && pooling !== "first") {
    throw refuse(`pooling must be mean or first.`);
  }
  return { name, folder, file, bytes: statSync(join(folder, file)).size, pooling: pooling ?? poolingOf(folder) };
}

const poolingFile = z.looseObject({ pooling_mode_cls_token: z.boolean().optional() });

/** Sentence-transformers write it down; without a word about it most models average. */
function poolingOf(folder: string): "first" | "mean" {
  const path = join(folder, "1_Pooling", "config.json");
  if (!existsSync(path)) return "mean";
  const read = poolingFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  return read.success && read.data.pooling_mode_cls_token ? "first" : "mean";
}
