import { type GraphNode, makeNode, type OnnxGraph, otherInput } from "../../../onnx-graph/graph.ts";
import { float32, valuesOf } from "../../../onnx-graph/tensor.ts";
import { writeHalfConvolution } from "../../voice-graph/write-half-convolution.ts";

/** Turns the shipped graph's dynamically quantised convolutions into plain ones with the same weights.
 *  `precision` says in which numbers they are computed; everything around them stays in 32 bits. */
export function floatConvolutions(graph: OnnxGraph, precision: "float32" | "float16"): number {
  let count = 0;
  for (const convolution of graph.nodes.filter((node) => node.opType === "ConvInteger")) {
    const found = readConvolution(graph, convolution);
    const { name } = found;
    const dims = graph.getConstant(convolution.input![1]!).dims;
    const bias = found.bias ? valuesOf(graph.getConstant(found.bias)) : undefined;
    const attribute = convolution.attribute!;
    const output = found.end.output![0]!;
    for (const node of found.between) graph.replace(node, []);
    if (precision === "float32") {
      const inputs = [found.input, graph.addConstant(`${name}/w`, float32(found.weights, dims))];
      if (bias) inputs.push(graph.addConstant(`${name}/b`, float32(bias)));
      graph.replace(found.end, [{ ...makeNode("Conv", inputs, [output], { name }), attribute }]);
    } else {
      const { input, weights } = found;
      graph.replace(found.end, writeHalfConvolution(graph, { name, input, output, weights, dims, bias, attribute }));
    }
    count++;
  }
  graph.apply();
  return count;
}

interface QuantizedConvolution {
  readonly name: string;
  readonly input: string;
  readonly weights: Float64Array;
  readonly bias: string | undefined;
  /** The multiplication that turns whole numbers back into real ones. */
  readonly end: GraphNode;
  readonly between: GraphNode[];
}

/** The shape is always: quantise, ConvInteger, perhaps add the bias in whole numbers, cast, multiply by both scales. */
function readConvolution(graph: OnnxGraph, convolution: GraphNode): QuantizedConvolution {
  const [activation, weight, , zeroPoint] = convolution.input!;
  const quantize = expectNode(graph.producerOf(activation!), "DynamicQuantizeLinear", convolution);
  const between = [convolution];
  let next = graph.onlyConsumerOf(convolution.output![0]!)!;
  let bias: string | undefined;
  if (next.opType === "Add") {
    bias = findBias(graph, otherInput(next, convolution.output![0]!));
    between.push(next);
    next = graph.onlyConsumerOf(next.output![0]!)!;
  }
  const cast = expectNode(next, "Cast", convolution);
  between.push(cast);
  const end = expectNode(graph.onlyConsumerOf(cast.output![0]!), "Mul", convolution);
  const scales = expectNode(graph.producerOf(otherInput(end, cast.output![0]!)), "Mul", convolution);
  const scale = valuesOf(graph.getConstant(otherInput(scales, quantize.output![1]!)));
  const zero = valuesOf(graph.getConstant(zeroPoint!));
  const raw = graph.getConstant(weight!);
  const perChannel = raw.data.length / raw.dims[0]!;
  const weights = valuesOf(raw).map((value, index) => {
    const channel = Math.floor(index / perChannel);
    return (value - zero[zero.length > 1 ? channel : 0]!) * scale[scale.length > 1 ? channel : 0]!;
  });
  return {
    name: `${convolution.name!.replace(/_quant$/, "")}`,
    input: quantize.input![0]!,
    weights,
    bias,
    end,
    between,
  };
}

/** The bias was divided by the scales and rounded on its way to whole numbers: walk back to where it was divided. */
function findBias(graph: OnnxGraph, value: string): string {
  let node = graph.producerOf(value);
  while (node && node.opType !== "Div") {
    node = node.input!.map((input) => graph.producerOf(input)).find((producer) => producer !== undefined);
  }
  const bias = node?.input?.[0];
  if (bias === undefined || !graph.isConstant(bias)) throw new Error(`no bias behind "${value}"`);
  return bias;
}

function expectNode(node: GraphNode | undefined, op: string, near: GraphNode): GraphNode {
  if (node?.opType !== op) throw new Error(`expected ${op} near "${near.name}", found ${node?.opType}`);
  return node;
}
