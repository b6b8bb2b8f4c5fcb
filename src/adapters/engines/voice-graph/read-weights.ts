import type { GraphNode, OnnxGraph } from "../../onnx-graph/graph.ts";
import { valuesOf } from "../../onnx-graph/tensor.ts";

export function readWeights(graph: OnnxGraph, convolution: GraphNode) {
  const tensor = graph.getConstant(convolution.input![1]!);
  const bias = valuesOf(graph.getConstant(convolution.input![2]!));
  return { weights: valuesOf(tensor), dims: tensor.dims, bias };
}
