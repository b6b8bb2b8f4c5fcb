import { type GraphNode, type OnnxGraph, otherInput } from "../../../onnx-graph/graph.ts";
import { valuesOf } from "../../../onnx-graph/tensor.ts";

/** A normalisation over time whose scale and shift come from the voice (AdaIN), spelled out as eight nodes in the shipped graph. */
export interface StyledNorm {
  readonly input: string;
  readonly scale: string;
  readonly shift: string;
  readonly epsilon: number;
  /** The last node of the chain; its output is the normalised value. */
  readonly end: GraphNode;
}

/** x + sin(alpha x)^2 / alpha, between a normalisation and a convolution. */
export interface Snake {
  readonly norm: StyledNorm;
  readonly alpha: Float64Array;
  readonly end: GraphNode;
  readonly convolution: GraphNode;
  /** The convolution's place in the generator, such as `resblocks.3/convs1.0`. */
  readonly key: string;
}

export function findStyledNorms(graph: OnnxGraph): Map<string, StyledNorm> {
  const norms = new Map<string, StyledNorm>();
  for (const divide of graph.nodes.filter((node) => node.opType === "Div")) {
    const root = graph.producerOf(divide.input![1]!);
    const centre = graph.producerOf(divide.input![0]!);
    if (root?.opType !== "Sqrt" || centre?.opType !== "Sub") continue;
    const variance = graph.producerOf(root.input![0]!);
    const terms = variance?.input ?? [];
    const epsilon = terms.find((input) => graph.isConstant(input));
    const mean = terms.map((input) => graph.producerOf(input)).find((node) => node?.opType === "ReduceMean");
    if (epsilon === undefined || mean === undefined) continue;
    const axes = [...valuesOf(graph.getConstant(mean.input![1]!))];
    if (axes.length !== 1 || (axes[0] !== 2 && axes[0] !== -1)) continue;
    // Several blocks may share one normalisation, each with its own scale and shift.
    for (const multiply of graph.consumersOf(divide.output![0]!)) {
      const end = multiply.opType === "Mul" ? graph.onlyConsumerOf(multiply.output![0]!) : undefined;
      if (end?.opType !== "Add") continue;
      const scale = otherInput(multiply, divide.output![0]!);
      const shift = otherInput(end, multiply.output![0]!);
      if (graph.isConstant(scale) || graph.isConstant(shift)) continue;
      norms.set(end.output![0]!, {
        input: centre.input![0]!,
        scale,
        shift,
        epsilon: valuesOf(graph.getConstant(epsilon))[0]!,
        end,
      });
    }
  }
  return norms;
}

export function findSnakes(graph: OnnxGraph, norms: ReadonlyMap<string, StyledNorm>): Snake[] {
  const snakes: Snake[] = [];
  for (const power of graph.nodes.filter((node) => node.opType === "Pow")) {
    const sine = graph.producerOf(power.input![0]!);
    const product = sine?.opType === "Sin" ? graph.producerOf(sine.input![0]!) : undefined;
    const alpha = product?.input?.find((input) => graph.isConstant(input));
    if (product === undefined || alpha === undefined) continue;
    const norm = norms.get(otherInput(product, alpha));
    const divided = graph.onlyConsumerOf(power.output![0]!);
    const end = divided && graph.onlyConsumerOf(divided.output![0]!);
    const convolution = end && graph.onlyConsumerOf(end.output![0]!);
    if (norm === undefined || end?.opType !== "Add" || convolution?.opType !== "Conv") continue;
    const key = /generator\/(.*)\/Conv/u.exec(convolution.name!)?.[1];
    if (key === undefined) continue;
    snakes.push({ norm, alpha: valuesOf(graph.getConstant(alpha)), end, convolution, key });
  }
  return snakes;
}
