import { type GraphNode, intsOf, makeNode, type OnnxGraph } from "../../../onnx-graph/graph.ts";
import { float32, int64 } from "../../../onnx-graph/tensor.ts";
import { readWeights } from "../../voice-graph/read-weights.ts";
import { findSnakes, findStyledNorms, type Snake, type StyledNorm } from "./find-snakes.ts";

/** Makes one InstanceNormalization of each spelled-out chain, and hands every snake with its convolution to `writeSnake`. */
export function fuseNorms(graph: OnnxGraph, writeSnake: (graph: OnnxGraph, snake: Snake) => GraphNode[]): number {
  const norms = findStyledNorms(graph);
  const fused = new Set<StyledNorm>();
  for (const snake of findSnakes(graph, norms)) {
    graph.replace(snake.norm.end, []);
    graph.replace(snake.end, []);
    graph.replace(snake.convolution, writeSnake(graph, snake));
    fused.add(snake.norm);
  }
  for (const [output, norm] of norms) {
    if (!fused.has(norm)) graph.replace(norm.end, normalize(graph, norm, output, output));
  }
  graph.apply();
  return fused.size;
}

/** The normalisation as one node; `factors` multiply its result per channel at no cost. */
export function normalize(
  graph: OnnxGraph,
  norm: StyledNorm,
  prefix: string,
  output: string,
  factors?: ArrayLike<number>,
): GraphNode[] {
  const flat = graph.addConstant("flat", int64([-1]));
  const [scale, shift] = [`${prefix}/scale`, `${prefix}/shift`];
  const nodes = [makeNode("Reshape", [norm.scale, flat], [scale]), makeNode("Reshape", [norm.shift, flat], [shift])];
  let inputs = [norm.input, scale, shift];
  if (factors) {
    const factor = graph.addConstant(`${prefix}/factors`, float32(factors));
    nodes.push(makeNode("Mul", [scale, factor], [`${scale}2`]), makeNode("Mul", [shift, factor], [`${shift}2`]));
    inputs = [norm.input, `${scale}2`, `${shift}2`];
  }
  nodes.push(makeNode("InstanceNormalization", inputs, [output], { attributes: { epsilon: { float: norm.epsilon } } }));
  return nodes;
}

/** In real numbers: t = alpha z, then alpha times the snake is t + sin(t)^2, and 1 / alpha moves into the weights. */
export function writeFloatSnake(graph: OnnxGraph, snake: Snake): GraphNode[] {
  const prefix = `snake/${snake.key}`;
  const { weights, dims, bias } = readWeights(graph, snake.convolution);
  const [, inputs, taps] = dims as [number, number, number];
  const scaled = weights.map((weight, index) => weight / snake.alpha[Math.floor(index / taps) % inputs]!);
  const t = `${prefix}/t`;
  return [
    ...normalize(graph, snake.norm, prefix, t, snake.alpha),
    makeNode("Sin", [t], [`${prefix}/sin`]),
    makeNode("Mul", [`${prefix}/sin`, `${prefix}/sin`], [`${prefix}/square`]),
    makeNode("Add", [t, `${prefix}/square`], [`${prefix}/u`]),
    makeNode(
      "Conv",
      [
        `${prefix}/u`,
        graph.addConstant(`${prefix}/w`, float32(scaled, dims)),
        graph.addConstant(`${prefix}/b`, float32(bias)),
      ],
      [snake.convolution.output![0]!],
      {
        name: `${prefix}/Conv`,
        attributes: {
          kernel_shape: [taps],
          dilations: intsOf(snake.convolution, "dilations")!,
          pads: intsOf(snake.convolution, "pads")!,
        },
      },
    ),
  ];
}
