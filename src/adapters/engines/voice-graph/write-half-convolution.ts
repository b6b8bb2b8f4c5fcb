import { type GraphNode, makeNode, type OnnxGraph } from "../../onnx-graph/graph.ts";
import { float16, typeCode } from "../../onnx-graph/tensor.ts";

export interface HalfConvolution {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly weights: ArrayLike<number>;
  readonly dims: readonly number[];
  readonly bias: ArrayLike<number> | undefined;
  readonly attribute: NonNullable<GraphNode["attribute"]>;
}

/** A convolution computed in 16 bits; everything around it stays in 32. */
export function writeHalfConvolution(graph: OnnxGraph, convolution: HalfConvolution): GraphNode[] {
  const { name, input, output, weights, dims, bias, attribute } = convolution;
  const inputs = [`${name}/x16`, graph.addConstant(`${name}/w`, float16(weights, dims))];
  if (bias) inputs.push(graph.addConstant(`${name}/b`, float16(bias)));
  return [
    makeNode("Cast", [input], [`${name}/x16`], { attributes: { to: typeCode("float16") } }),
    { ...makeNode("Conv", inputs, [`${name}/y16`], { name }), attribute },
    makeNode("Cast", [`${name}/y16`], [output], { attributes: { to: typeCode("float32") } }),
  ];
}
