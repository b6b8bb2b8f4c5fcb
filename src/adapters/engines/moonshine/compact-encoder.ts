import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GraphNode, intsOf, OnnxGraph } from "../../onnx-graph/graph.ts";
import { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { float32, int64, uint8 } from "../../onnx-graph/tensor.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";
import { ExportedWeights } from "../recogniser-graph/exported-weights.ts";
import { multiply } from "../recogniser-graph/multiply.ts";
import { COMPACT_ENCODER } from "./files.ts";
import { HEADS, TransformerParts } from "./transformer-parts.ts";

/** Writes the encoder anew with the operators that the runtime has for it, one row for each moment from beginning to end. */
export async function compactEncoder({ folder }: { folder: string }): Promise<void> {
  const shipped = new OnnxGraph(await readFile(join(folder, "encoder_model.onnx")));
  await writeWhole(join(folder, COMPACT_ENCODER), writeEncoder(shipped));
}

function writeEncoder(shipped: OnnxGraph): Uint8Array {
  const graph = new GraphBuilder();
  const weights = new ExportedWeights(shipped, "");
  const sound = graph.input("input_values", "float32", [1, "samples"]);
  const parts = new TransformerParts(graph, graph.constant(int64([0])));
  let sum = hearConvolutions(graph, shipped, weights, sound);
  let normal = parts.normalise(sum, weights.norm("layers.0/input_layernorm"));
  for (let index = 0; weights.has(layerPart(index, "self_attn/q_proj/MatMul")); index++) {
    const matrix = (...names: string[]) => weights.matrix(...names.map((name) => layerPart(index, name)));
    const bias = (name: string) => weights.bias(layerPart(index, name));
    const [query, key, value] = parts.project(normal, [
      matrix("self_attn/q_proj"),
      matrix("self_attn/k_proj"),
      matrix("self_attn/v_proj"),
    ]);
    const [looked] = graph.addFused("MultiHeadAttention", [query!, key!, value!], 1, { num_heads: HEADS });
    const output = multiply(graph, looked!, matrix("self_attn/o_proj", "self_attn/dense"));
    const beforeWide = weights.norm(layerPart(index, "post_attention_layernorm"));
    ({ normal, sum } = parts.addAndNormalise(output, sum, beforeWide));
    const wide = multiply(graph, normal, matrix("mlp/fc1"), bias("mlp/fc1"));
    const narrow = multiply(graph, graph.addFused("Gelu", [wide], 1)[0]!, matrix("mlp/fc2"), bias("mlp/fc2"));
    const next = layerPart(index + 1, "input_layernorm");
    const isLast = !weights.has(`${next}/Mul`);
    const weight = isLast ? lastNorm(shipped, weights) : weights.norm(next);
    ({ normal, sum } = parts.addAndNormalise(narrow, sum, weight));
  }
  graph.output(normal, "last_hidden_state");
  return graph.write();
}

function layerPart(index: number, name: string): string {
  return `layers.${index}/${name}`;
}

function lastNorm(shipped: OnnxGraph, weights: ExportedWeights): Float32Array {
  return weights.floats(shipped.producerOf("last_hidden_state")!.input![1]!);
}

/** Sound to rows: a narrow convolution, its result brought to one level, and two wide ones. */
function hearConvolutions(graph: GraphBuilder, shipped: OnnxGraph, weights: ExportedWeights, sound: string): string {
  const [first, ...wide] = ["conv1/Conv", "conv2/Conv", "conv3/Conv"].map((name) => weights.producerOf(name));
  const channel = graph.add("Unsqueeze", [sound, graph.constant(int64([1]))]);
  const { dims, data, scale, offset } = weightsOf(shipped, first!);
  const floats = Float32Array.from(data, (value) => value * scale + offset);
  const heard = graph.add("Conv", [channel, graph.constant(float32(floats, dims))], {
    kernel_shape: [dims[2]!],
    strides: intsOf(first!, "strides")!,
  });
  const rows = graph.add("Transpose", [graph.add("Tanh", [heard])], { perm: [0, 2, 1] });
  const shape = graph.add("Shape", [rows]);
  const flat = graph.add("Reshape", [rows, graph.constant(int64([1, 1, -1]))]);
  const one = graph.constant(float32([1]));
  const none = graph.constant(float32([0]));
  const level = graph.add("InstanceNormalization", [flat, one, none], { epsilon: { float: 1e-5 } });
  const [slope, shift] = ["groupnorm/Mul", "groupnorm/Add"].map((name) =>
    graph.constant(float32(weights.floats(weights.producerOf(name).input![1]!))),
  );
  let value = graph.add("Add", [graph.add("Mul", [graph.add("Reshape", [level, shape]), slope!]), shift!]);
  for (const convolution of wide) {
    const product = convolve(graph, value, weightsOf(shipped, convolution), intsOf(convolution, "strides")![0]!);
    const bias = graph.constant(float32(weights.floats(convolution.input![2]!)));
    value = graph.addFused("BiasGelu", [product, bias], 1)[0]!;
  }
  return value;
}

interface StoredWeights {
  readonly dims: readonly number[];
  readonly data: Int8Array;
  readonly scale: number;
  readonly offset: number;
}

/** Convolutions keep their weights as `integers x scale + offset`. */
function weightsOf(shipped: OnnxGraph, convolution: GraphNode): StoredWeights {
  const add = shipped.producerOf(convolution.input![1]!);
  const multiplied = add && shipped.producerOf(add.input![0]!);
  const cast = multiplied && shipped.producerOf(multiplied.input![0]!);
  if (add?.opType !== "Add" || multiplied?.opType !== "Mul" || cast?.opType !== "Cast") {
    throw new Error(`the weights of ${convolution.name} are not stored as expected`);
  }
  const { dims, data } = shipped.getConstant(cast.input![0]!);
  const numberIn = (name: string) => Number(shipped.getConstant(name).data[0]);
  const [scale, offset] = [numberIn(multiplied.input![1]!), numberIn(add.input![1]!)];
  return { dims, data: data as Int8Array, scale, offset };
}

/** Each output is one row: the inputs under the kernel side by side, times a matrix of all weights. Eight bits for the inputs cost
 *  every tenth word, so what they leave over gets eight more: two integer products are still quicker than one of floats. */
function convolve(graph: GraphBuilder, rows: string, weights: StoredWeights, stride: number): string {
  const { dims, data, scale, offset } = weights;
  const [outputs, inputs, taps] = dims as [number, number, number];
  const integers = new Uint8Array(taps * inputs * outputs);
  for (let o = 0, at = 0; o < outputs; o++) {
    for (let i = 0; i < inputs; i++) {
      for (let tap = 0; tap < taps; tap++, at++) integers[(tap * inputs + i) * outputs + o] = data[at]! + 128;
    }
  }
  const matrix = graph.constant(uint8(integers, [taps * inputs, outputs]));
  const matrixZero = graph.constant(uint8([128 - Math.round(offset / scale)], []));
  const matrixScale = graph.constant(float32([scale], []));
  const axis = graph.constant(int64([1]));
  const step = graph.constant(int64([stride]));
  const bounds = Array.from({ length: taps }, (_, tap) => [
    graph.constant(int64([tap])),
    graph.constant(int64([tap === taps - 1 ? 2 ** 40 : tap - taps + 1])),
  ]);

  const coarse = graph.addMany("DynamicQuantizeLinear", [rows], 3);
  const fine = graph.addMany(
    "DynamicQuantizeLinear",
    [graph.add("Sub", [rows, graph.add("DequantizeLinear", coarse)])],
    3,
  );
  const [coarseProduct, fineProduct] = [coarse, fine].map(([value, valueScale, valueZero]) => {
    const under = bounds.map((bound) => graph.add("Slice", [value!, ...bound, axis, step]));
    const windows = graph.add("Concat", under, { axis: 2 });
    const inputsOfProduct = [windows, matrix, valueScale!, matrixScale, valueZero!, matrixZero];
    return graph.addFused("MatMulIntegerToFloat", inputsOfProduct, 1)[0]!;
  });
  return graph.add("Add", [coarseProduct!, fineProduct!]);
}
