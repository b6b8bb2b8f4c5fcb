import type { OnnxGraph } from "../../../onnx-graph/graph.ts";
import { GraphBuilder } from "../../../onnx-graph/graph-builder.ts";
import { float32, int64, valuesOf } from "../../../onnx-graph/tensor.ts";
import { ExportedWeights } from "../../recogniser-graph/exported-weights.ts";
import { HEAD_SIZE, LayerParts, type Sign } from "./layer-parts.ts";
import { addLogMel } from "./log-mel.ts";

/** From samples to the keys and values that every layer of the decoder looks at, as graphs that each take what the one before gives.
 *  As exported, the encoder takes 30 s and nothing else; here it takes what was spoken, and `tail`: positions of the silence behind
 *  it that are kept. */
export function* writeListen(
  encoder: OnnxGraph,
  decoder: OnnxGraph,
  sign: Sign,
  count: number,
): Generator<Uint8Array, void> {
  const weights = new ExportedWeights(encoder, "");
  const layers = countLayers(weights);
  for (let part = 0; part < count; part++) {
    const graph = new GraphBuilder();
    const parts = new LayerParts(graph, weights, sign);
    let sum =
      part === 0
        ? addPositions(graph, encoder, hearConvolutions(graph, encoder))
        : graph.input("rows", "float32", [1, "count", widthOf(weights)]);
    const [from, to] = [part, part + 1].map((border) => Math.floor((border * layers) / count));
    for (let index = from!; index < to!; index++) sum = addLayer(graph, parts, sum, index, widthOf(weights));
    if (part < count - 1) graph.output(sum, "rows_then");
    else addSpeechKeys(graph, decoder, parts.normalise(sum, "layer_norm"), sign);
    yield graph.write();
  }
}

function countLayers(weights: ExportedWeights): number {
  let count = 0;
  while (weights.has(`layers.${count}/fc1/MatMul`)) count += 1;
  if (count === 0) throw new Error("the encoder has no layers with the expected names");
  return count;
}

function widthOf(weights: ExportedWeights): number {
  return weights.floats("layers.0.self_attn_layer_norm.weight").length;
}

function addLayer(graph: GraphBuilder, parts: LayerParts, rows: string, index: number, width: number): string {
  const layer = `layers.${index}`;
  const queryKeyValue = parts.queryKeyValue(parts.normalise(rows, `${layer}/self_attn_layer_norm`), layer);
  const [looked] = graph.addFused("MultiHeadAttention", queryKeyValue, 1, { num_heads: width / HEAD_SIZE });
  return parts.addWide(graph.add("Add", [rows, parts.project(looked!, `${layer}/self_attn/out_proj`)]), layer);
}

/** Two convolutions, the second of which halves the frames. Their weights are floats again: they are a hundredth of the work. */
function hearConvolutions(graph: GraphBuilder, encoder: OnnxGraph): string {
  let value = addLogMel(graph, graph.input("samples", "float32", [1, 1, "samples"]));
  for (const [name, stride] of [
    ["conv1", 1],
    ["conv2", 2],
  ] as const) {
    const { dims, data } = encoder.getConstant(`${name}.weight_quantized`);
    const numberIn = (part: string) => Number(encoder.getConstant(`${name}.weight_${part}`).data[0]);
    const [scale, zero] = [numberIn("scale"), numberIn("zero_point")];
    const floats = Float32Array.from(data as Uint8Array, (integer) => (integer - zero) * scale);
    const bias = float32(valuesOf(encoder.getConstant(`${name}.bias`)));
    const inputs = [value, graph.constant(float32(floats, dims)), graph.constant(bias)];
    const heard = graph.add("Conv", inputs, { kernel_shape: [3], pads: [1, 1], strides: [stride] });
    value = graph.addFused("Gelu", [heard], 1)[0]!;
  }
  return graph.add("Transpose", [value], { perm: [0, 2, 1] });
}

/** Rows are told apart by their position only, so that any may be left out. Too little silence behind the speech makes the decoder
 *  say it again; a few rows of it, far apart and up to 30 s, are enough to tell it where the speech ends. */
function addPositions(graph: GraphBuilder, encoder: OnnxGraph, rows: string): string {
  const table = graph.constant(encoder.getConstant("embed_positions.weight"));
  const bound = (...values: number[]) => graph.constant(int64(values));
  const count = graph.add("Slice", [graph.add("Shape", [rows]), bound(1), bound(2)]);
  const spoken = graph.add("Add", [rows, graph.add("Slice", [table, bound(0), count, bound(0)])]);
  // The last two rows see the edge of the recording.
  const quiet = graph.add("Slice", [rows, bound(-3), bound(-2), bound(1)]);
  const tail = graph.input("tail", "int64", ["tail"]);
  const silence = graph.add("Add", [quiet, graph.add("Gather", [table, tail])]);
  return graph.add("Concat", [spoken, silence], { axis: 1 });
}

/** The decoder's own view of the speech: the same for every token, so it is made once. */
function addSpeechKeys(graph: GraphBuilder, decoder: OnnxGraph, hidden: string, sign: Sign): void {
  const weights = new ExportedWeights(decoder, "/model/decoder");
  const names: string[] = [];
  for (let index = 0; weights.has(`layers.${index}/fc1/MatMul`); index++) {
    names.push(`layers.${index}/encoder_attn/k_proj`, `layers.${index}/encoder_attn/v_proj`);
  }
  const { all, width } = new LayerParts(graph, weights, sign).projectMany(hidden, names);
  const heads = width / HEAD_SIZE;
  const shape = graph.constant(int64([1, -1, names.length * heads, HEAD_SIZE]));
  const byHead = graph.add("Transpose", [graph.add("Reshape", [all, shape])], { perm: [0, 2, 1, 3] });
  const sizes = graph.constant(int64(names.map(() => heads)));
  for (const [index, part] of graph.addMany("Split", [byHead, sizes], names.length, { axis: 1 }).entries()) {
    graph.output(part, `speech.${index >> 1}.${index % 2 === 0 ? "key" : "value"}`);
  }
}
