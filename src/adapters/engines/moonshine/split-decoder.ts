import { readFile } from "node:fs/promises";
import { join } from "node:path";
import onnxProto from "onnx-proto";
import { makeNode, OnnxGraph } from "../../onnx-graph/graph.ts";
import { type GraphTensor, typeCode, uint8 } from "../../onnx-graph/tensor.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";

const { onnx } = onnxProto;

export const FIRST_STEP = "decoder_first.onnx";
export const NEXT_STEP = "decoder_next.onnx";

/** Cuts the merged decoder in two plain graphs. Merged, it dequantises its output matrix again at every step inside an `If`;
 *  apart, with that matrix multiplied as integers, a step takes a third of the time and gives the same words. */
export async function splitDecoder({ folder }: { folder: string }): Promise<void> {
  const merged = await readFile(join(folder, "decoder_model_merged.onnx"));
  await writeWhole(join(folder, FIRST_STEP), cutBranch(merged, "else_branch"));
  await writeWhole(join(folder, NEXT_STEP), cutBranch(merged, "then_branch"));
}

/** One branch of the graph's `If` as a model of its own. */
export function cutBranch(merged: Uint8Array, branchName: "then_branch" | "else_branch"): Uint8Array {
  const model = onnx.ModelProto.decode(merged);
  const graph = model.graph!;
  const choice = graph.node!.find((node) => node.opType === "If");
  const branch = choice?.attribute?.find((attribute) => attribute.name === branchName)?.g;
  if (!choice || !branch) throw new Error("the decoder has no branches to cut");
  graph.node = [...graph.node!.filter((node) => node !== choice), ...branch.node!];
  graph.initializer = [...graph.initializer!, ...(branch.initializer ?? [])];
  // Later steps hand the encoder's keys and values on unchanged, so only the first step needs to give them.
  graph.output = branch.output!.filter(({ name }) => branchName === "else_branch" || !name!.includes(".encoder."));
  const cut = new OnnxGraph(onnx.ModelProto.encode(model).finish());
  multiplyHeadAsIntegers(cut, branch.output![0]!.name!);
  scaleQueriesAlone(cut);
  cut.apply();
  for (const { name } of graph.input!) {
    if (cut.consumersOf(name!).length === 0) cut.removeInput(name!);
  }
  return cut.write();
}

/** hidden x dequantised(transposed embedding) becomes quantised(hidden) x transposed embedding, scaled afterwards. */
function multiplyHeadAsIntegers(graph: OnnxGraph, logits: string): void {
  const product = graph.producerOf(logits);
  const dequantise = product && graph.producerOf(product.input![1]!);
  if (product?.opType !== "MatMul" || dequantise?.opType !== "DequantizeLinear") {
    throw new Error("the decoder's output layer is not the expected one");
  }
  const [matrix, scale, zeroPoint] = dequantise.input!;
  const turned = graph.producerOf(matrix!);
  const weights = turned ? transpose(graph.getConstant(turned.input![0]!)) : graph.getConstant(matrix!);
  const head = graph.addConstant("head_weights", weights);
  graph.replace(product, [
    makeNode("DynamicQuantizeLinear", [product.input![0]!], ["head_hidden", "head_hidden_scale", "head_hidden_zero"]),
    makeNode("MatMulInteger", ["head_hidden", head, "head_hidden_zero", zeroPoint!], ["head_integers"]),
    makeNode("Cast", ["head_integers"], ["head_floats"], { attributes: { to: typeCode("float32") } }),
    makeNode("Mul", ["head_hidden_scale", scale!], ["head_scale"]),
    makeNode("Mul", ["head_floats", "head_scale"], [logits]),
  ]);
}

/** Attention scales all its keys at every step, whereas scaling the one query gives the same product. It also lets the runtime
 *  multiply keys as they lie, without turning them around first. */
function scaleQueriesAlone(graph: OnnxGraph): void {
  for (const product of graph.nodes.filter((node) => node.opType === "MatMul")) {
    const [query, keys] = product.input!;
    const scaling = graph.producerOf(keys!);
    const turned = scaling?.opType === "Mul" ? scaling.input![0]! : "";
    if (graph.producerOf(turned)?.opType !== "Transpose") continue;
    const scaled = `${product.output![0]}_query`;
    graph.replace(product, [
      makeNode("Mul", [query!, scaling!.input![1]!], [scaled]),
      makeNode("MatMul", [scaled, turned], product.output!),
    ]);
  }
}

function transpose(matrix: GraphTensor): GraphTensor {
  const [rows, columns] = matrix.dims as [number, number];
  const turned = uint8(new Uint8Array(rows * columns), [columns, rows]);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      turned.data[column * rows + row] = matrix.data[row * columns + column]!;
    }
  }
  return turned;
}
