import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SettingError } from "../../../platform/settings/settings.ts";
import { findWeights } from "./find-weights.ts";
import type { OwnAddress } from "./parse-address.ts";
import { lacksTokenizer } from "./text-tokenizer.ts";

/** A model of the BERT family as ONNX, with its tokenizer beside it. */
export interface OwnOnnx {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly bytes: number;
}

/** Where exports put the graph, the smallest first. */
const graphs = ["model_quantized.onnx", "onnx/model_quantized.onnx", "model.onnx", "onnx/model.onnx"];

/** The graph of a text model in a folder. */
export function findGraph(folder: string): string | undefined {
  return graphs.find((graph) => existsSync(join(folder, graph)));
}

/** The error that stops the start because of an `onnx:` setting. */
export function refuseOnnx(setting: string, address: OwnAddress, reason: string): SettingError {
  return new SettingError(`${setting} is "onnx:${address.where}", but ${reason}`);
}

/** What cannot be found stops the start with one sentence. */
export function findOnnx(setting: string, address: OwnAddress, modelsDir: string): OwnOnnx {
  const { path, isFolder, name } = findWeights(setting, address, modelsDir);
  const folder = isFolder ? path : dirname(path);
  const file = isFolder ? findGraph(path) : basename(path);
  if (!file) throw refuseOnnx(setting, address, `there is none of ${graphs.join(", ")} in ${path}.`);
  const missing = lacksTokenizer(folder);
  if (missing) throw refuseOnnx(setting, address, `${missing} is not beside it in ${folder}; it comes with the model.`);
  return { name, folder, file, bytes: statSync(join(folder, file)).size };
}
