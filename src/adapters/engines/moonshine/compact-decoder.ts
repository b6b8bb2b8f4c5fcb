import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { float32, int64 } from "../../onnx-graph/tensor.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";
import { sideBySide } from "../recogniser-graph/exported-weights.ts";
import { bytes, multiply } from "../recogniser-graph/multiply.ts";
import { type DecoderWeights, readDecoderWeights } from "./decoder-weights.ts";
import { SPEECH_KEYS, TOKEN_STEP } from "./files.ts";
import { HEADS, TransformerParts } from "./transformer-parts.ts";

/** The likeliest token, and the one to take when that one is forbidden. */
const CHOICES = 2;

/** Writes the decoder anew with the operators that the runtime has for it. As exported, a step is 1400 to 3100 small nodes that
 *  take longer to call than to compute; the same weights in 180 give the same words in half the time. */
export async function compactDecoder({ folder }: { folder: string }): Promise<void> {
  const weights = readDecoderWeights(await readFile(join(folder, "decoder_model_merged.onnx")));
  await writeWhole(join(folder, SPEECH_KEYS), writeSpeechKeys(weights));
  await writeWhole(join(folder, TOKEN_STEP), writeTokenStep(weights));
}

/** Keys and values of the speech for every layer: one product, taken apart. */
function writeSpeechKeys(weights: DecoderWeights): Uint8Array {
  const graph = new GraphBuilder();
  const { layers, width } = weights;
  const hidden = graph.input("hidden", "float32", [1, "speech", width]);
  const parts = layers.flatMap(({ speechKey, speechValue }) => [speechKey, speechValue]);
  const all = multiply(graph, hidden, sideBySide(parts));
  const heads = int64([-1, parts.length * HEADS, width / HEADS]);
  const inHeads = graph.add("Reshape", [all, graph.constant(heads)]);
  const byHead = graph.add("Transpose", [inHeads], { perm: [1, 0, 2] });
  const sizes = graph.constant(int64(parts.map(() => HEADS)));
  const front = graph.constant(int64([0]));
  for (const [index, part] of graph.addMany("Split", [byHead, sizes], parts.length, { axis: 0 }).entries()) {
    const name = `speech.${Math.floor(index / 2)}.${index % 2 === 0 ? "key" : "value"}`;
    graph.output(graph.add("Unsqueeze", [part, front]), name);
  }
  return graph.write();
}

/** From one or more tokens, and what is remembered of those before, to the likeliest tokens after each. */
function writeTokenStep(weights: DecoderWeights): Uint8Array {
  const graph = new GraphBuilder();
  const { layers, width } = weights;
  const size = width / HEADS;
  const tokens = graph.input("tokens", "int64", [1, "tokens"]);
  const position = graph.input("position", "int64", [1]);
  const parts = new TransformerParts(graph, position);

  const { embedding } = weights;
  const stored = graph.add("Gather", [
    graph.constant(bytes(embedding.data, [embedding.rows, embedding.columns])),
    tokens,
  ]);
  const embeddingScale = graph.constant(float32(embedding.scales, []));
  const embeddingZero = graph.constant(bytes(embedding.zeros, []));
  let sum = graph.add("DequantizeLinear", [stored, embeddingScale, embeddingZero]);
  let normal = parts.normalise(sum, layers[0]!.beforeSelf);

  for (const [index, layer] of layers.entries()) {
    const past = (part: string) => graph.input(`past.${index}.${part}`, "float32", [1, HEADS, "past", size]);
    const speech = (part: string) => graph.input(`speech.${index}.${part}`, "float32", [1, HEADS, "speech", size]);
    const [query, key, value] = parts.project(normal, [layer.query, layer.key, layer.value]);
    const [looked, keys, values] = graph.addFused(
      "MultiHeadAttention",
      [query!, key!, value!, "", "", "", past("key"), past("value")],
      3,
      { num_heads: HEADS, unidirectional: 1 },
    );
    graph.output(keys!, `present.${index}.key`);
    graph.output(values!, `present.${index}.value`);
    ({ normal, sum } = parts.addAndNormalise(multiply(graph, looked!, layer.selfOutput), sum, layer.beforeSpeech));
    const asked = multiply(graph, normal, layer.speechQuery);
    const heard = graph.addFused("MultiHeadAttention", [asked, speech("key"), speech("value")], 1, {
      num_heads: HEADS,
    });
    ({ normal, sum } = parts.addAndNormalise(multiply(graph, heard[0]!, layer.speechOutput), sum, layer.beforeWide));
    const wide = multiply(graph, normal, layer.wide, layer.wideBias);
    const half = layer.wide.columns / 2;
    const [content, gate] = graph.addMany("Split", [wide, graph.constant(int64([half, half]))], 2, { axis: 2 });
    const [open] = graph.addFused("QuickGelu", [gate!], 1, { alpha: { float: 1 } });
    const narrow = multiply(graph, graph.add("Mul", [open!, content!]), layer.narrow, layer.narrowBias);
    ({ normal, sum } = parts.addAndNormalise(narrow, sum, layers[index + 1]?.beforeSelf ?? weights.last));
  }

  const logProbabilities = graph.add("LogSoftmax", [multiply(graph, normal, weights.head)], { axis: 2 });
  const choices = graph.constant(int64([CHOICES]));
  const [best, likeliest] = graph.addMany("TopK", [logProbabilities, choices], 2);
  graph.output(best!, "log_probabilities");
  graph.output(likeliest!, "likeliest", "int64");
  return graph.write();
}
