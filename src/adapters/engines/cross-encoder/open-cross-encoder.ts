import { join } from "node:path";
import { list } from "../../../platform/errors.ts";
import { type GraphEnds, readGraphEnds } from "../../onnx-graph/read-ends.ts";
import { findGraph, findOnnx, type OwnOnnx, refuseOnnx } from "../own-weights/find-onnx.ts";
import type { OwnAddress } from "../own-weights/parse-address.ts";
import { lacksTokenizer } from "../own-weights/text-tokenizer.ts";

/** What exports of classifiers call their only output. */
const LOGITS = "logits";
const INPUT_IDS = "input_ids";

/** Looks at the graph before anything is started; what is no cross-encoder stops the start with one sentence. */
export function openCrossEncoder(setting: string, address: OwnAddress, modelsDir: string): OwnOnnx {
  const found = findOnnx(setting, address, modelsDir);
  const path = join(found.folder, found.file);
  const refuse = (reason: string) => refuseOnnx(setting, address, `${path} ${reason}`);
  const ends = readGraphEnds(path);
  if (!ends) throw refuse("is not a whole ONNX file.");
  const names = ends.inputs.map(({ name }) => name);
  if (!names.includes(INPUT_IDS)) throw refuse(`takes ${list(names)} and not the ${INPUT_IDS} of a text.`);
  if (!givesScores(ends)) {
    const { name } = ends.outputs[0]!;
    throw refuse(`gives "${name}" and no scores; a model that embeds belongs to SVC_EMBEDDINGS_ENGINE.`);
  }
  return found;
}

/** A pair of texts has one score; embedders give a vector for each token. */
function givesScores({ outputs }: GraphEnds): boolean {
  const { name, rank } = outputs[0]!;
  return rank === 2 || (rank === undefined && name === LOGITS);
}

/** What a folder with a graph and a tokenizer is for; undefined where it is something else. */
export function capabilityOfTextModel(folder: string): "reranking" | "embeddings" | undefined {
  const graph = findGraph(folder);
  const ends = graph && !lacksTokenizer(folder) ? readGraphEnds(join(folder, graph)) : undefined;
  if (!ends?.inputs.some(({ name }) => name === INPUT_IDS)) return undefined;
  return givesScores(ends) ? "reranking" : "embeddings";
}
