import { type GraphNode, intsOf, makeNode, OnnxGraph } from "../../onnx-graph/graph.ts";
import { float16, float32, type GraphTensor, readTensor, typeCode, valuesOf } from "../../onnx-graph/tensor.ts";

/**
 * The same network with less work in it. The weights came from a converter that writes every activation as four steps and every
 * learned scale as two more; those are merged into their neighbours, which changes nothing but the last bits. `inHalf` also lets
 * convolutions compute in 16 bits, which processors that can do so finish in half the time.
 */
export function lightenGraph(shipped: Uint8Array, inHalf: boolean): Uint8Array {
  const graph = new OnnxGraph(shipped);
  liftConstants(graph);
  foldNorms(graph);
  fuseHardSwish(graph);
  foldScalesBehind(graph);
  foldScalesBefore(graph);
  if (inHalf) halveConvolutions(graph);
  return graph.write();
}

function liftConstants(graph: OnnxGraph): void {
  for (const node of graph.nodes.filter(({ opType }) => opType === "Constant")) {
    const tensor = node.attribute?.find(({ name }) => name === "value")?.t;
    if (!tensor) continue;
    graph.addConstant(node.output![0]!, readTensor(tensor));
    graph.replace(node, []);
  }
  graph.apply();
}

function foldNorms(graph: OnnxGraph): void {
  for (const norm of graph.nodes.filter(({ opType }) => opType === "BatchNormalization")) {
    const conv = graph.producerOf(norm.input![0]!);
    if (conv?.opType !== "Conv" || graph.consumersOf(conv.output![0]!).length !== 1) continue;
    const [gain, shift, mean, variance] = norm.input!.slice(1, 5).map((name) => valuesOf(graph.getConstant(name)));
    const epsilon = norm.attribute?.find(({ name }) => name === "epsilon")?.f ?? 1e-5;
    const scale = Array.from(gain!, (value, channel) => value / Math.sqrt(variance![channel]! + epsilon));
    const bias = biasOf(graph, conv);
    graph.replace(conv, [
      rewriteConv(graph, conv, {
        weights: (value, channel) => value * scale[channel]!,
        bias: scale.map((value, channel) => shift![channel]! + (bias[channel]! - mean![channel]!) * value),
        output: norm.output![0]!,
      }),
    ]);
    graph.replace(norm, []);
  }
  graph.apply();
}

/** `x * clip(x + 3, 0, 6) / 6`, in four steps, becomes two. */
function fuseHardSwish(graph: OnnxGraph): void {
  for (const end of graph.nodes.filter(({ opType }) => opType === "Div")) {
    if (scalarOf(graph, end.input![1]!) !== 6) continue;
    const product = graph.producerOf(end.input![0]!);
    if (product?.opType !== "Mul") continue;
    const clip = product.input!.map((name) => graph.producerOf(name)).find((node) => node?.opType === "Clip");
    const sum = clip && graph.producerOf(clip.input![0]!);
    if (sum?.opType !== "Add") continue;
    const input = product.input!.find((name) => name !== clip!.output![0])!;
    if (!sum.input!.includes(input) || scalarOf(graph, sum.input!.find((name) => name !== input)!) !== 3) continue;
    if (scalarOf(graph, clip!.input![1] ?? "") !== 0 || scalarOf(graph, clip!.input![2] ?? "") !== 6) continue;
    const gate = `${end.output![0]}/gate`;
    const shape = { alpha: { float: 1 / 6 }, beta: { float: 0.5 } };
    graph.replace(end, [
      makeNode("HardSigmoid", [input], [gate], { attributes: shape }),
      makeNode("Mul", [input, gate], [end.output![0]!]),
    ]);
  }
  graph.apply();
}

/** A single scale and offset behind a convolution become part of its weights. */
function foldScalesBehind(graph: OnnxGraph): void {
  for (const { scale, offset, input, first, last } of findScales(graph)) {
    const conv = graph.producerOf(input);
    if (conv?.opType !== "Conv" || conv.input!.length < 3 || graph.consumersOf(input).length !== 1) continue;
    const bias = biasOf(graph, conv).map((value) => value * scale + offset);
    graph.replace(conv, [
      rewriteConv(graph, conv, { weights: (value) => value * scale, bias, output: last.output![0]! }),
    ]);
    graph.replace(first, []);
    graph.replace(last, []);
  }
  graph.apply();
}

/** A single scale and offset before a convolution, too; but where it pads with zeros the offset must stay outside. */
function foldScalesBefore(graph: OnnxGraph): void {
  for (const { scale, offset, input, first, last } of findScales(graph)) {
    const conv = graph.onlyConsumerOf(last.output![0]!);
    if (conv?.opType !== "Conv" || conv.input!.length < 3 || scale === 0) continue;
    const isPadded = (intsOf(conv, "pads") ?? []).some((pad) => pad > 0);
    const weights = graph.getConstant(conv.input![1]!);
    const perOutput = weights.data.length / weights.dims[0]!;
    const sums = new Float64Array(weights.dims[0]!);
    const values = valuesOf(weights);
    for (let index = 0; index < values.length; index++) sums[Math.floor(index / perOutput)]! += values[index]!;
    const bias = biasOf(graph, conv).map((value, channel) => (isPadded ? value : value + offset * sums[channel]!));
    const shifted = graph.addConstant(`${last.output![0]}/offset`, float32([offset / scale]));
    graph.replace(first, []);
    graph.replace(last, isPadded ? [makeNode("Add", [input, shifted], [last.output![0]!])] : []);
    graph.replace(conv, [
      rewriteConv(graph, isPadded ? conv : { ...conv, input: [input, ...conv.input!.slice(1)] }, {
        weights: (value) => value * scale,
        bias,
        output: conv.output![0]!,
      }),
    ]);
  }
  graph.apply();
}

function halveConvolutions(graph: OnnxGraph): void {
  const half = (name: string): string => {
    const { data, dims } = graph.getConstant(name);
    return graph.addConstant(`${name}/half`, float16(data as Float32Array, dims));
  };
  for (const conv of graph.nodes.filter(({ opType }) => opType === "Conv")) {
    const [input, ...constants] = conv.input!;
    if (!constants.every((name) => graph.isConstant(name))) continue;
    const output = conv.output![0]!;
    graph.replace(conv, [
      makeNode("Cast", [input!], [`${output}/in`], { attributes: { to: typeCode("float16") } }),
      {
        ...makeNode("Conv", [`${output}/in`, ...constants.map(half)], [`${output}/out`], { name: conv.name! }),
        attribute: conv.attribute!,
      },
      makeNode("Cast", [`${output}/out`], [output], {
        name: `${output}/widen`,
        attributes: { to: typeCode("float32") },
      }),
    ]);
  }
  graph.apply();
}

interface Scaling {
  readonly scale: number;
  readonly offset: number;
  readonly input: string;
  readonly first: GraphNode;
  readonly last: GraphNode;
}

/** Every `value * scale + offset` with single numbers. */
function findScales(graph: OnnxGraph): Scaling[] {
  const found: Scaling[] = [];
  for (const first of graph.nodes.filter(({ opType }) => opType === "Mul")) {
    const scaled = splitScalar(graph, first);
    const last = graph.onlyConsumerOf(first.output![0]!);
    if (!scaled || last?.opType !== "Add") continue;
    const offset = splitScalar(graph, last);
    if (offset) found.push({ scale: scaled.scalar, offset: offset.scalar, input: scaled.rest, first, last });
  }
  return found;
}

function splitScalar(graph: OnnxGraph, node: GraphNode): { scalar: number; rest: string } | undefined {
  const [left, right] = node.input as [string, string];
  const ofLeft = scalarOf(graph, left);
  const ofRight = scalarOf(graph, right);
  if ((ofLeft === undefined) === (ofRight === undefined)) return undefined;
  return ofLeft === undefined ? { scalar: ofRight!, rest: left } : { scalar: ofLeft, rest: right };
}

function scalarOf(graph: OnnxGraph, name: string): number | undefined {
  if (!graph.isConstant(name)) return undefined;
  const { data } = graph.getConstant(name);
  return data.length === 1 ? Number(data[0]) : undefined;
}

function biasOf(graph: OnnxGraph, conv: GraphNode): number[] {
  const [, weights, bias] = conv.input!;
  if (bias) return Array.from(valuesOf(graph.getConstant(bias)));
  return new Array<number>(graph.getConstant(weights!).dims[0]!).fill(0);
}

function rewriteConv(
  graph: OnnxGraph,
  conv: GraphNode,
  wanted: { weights(value: number, channel: number): number; bias: readonly number[]; output: string },
): GraphNode {
  const tensor: GraphTensor = graph.getConstant(conv.input![1]!);
  const perChannel = tensor.data.length / tensor.dims[0]!;
  const values = valuesOf(tensor);
  for (let index = 0; index < values.length; index++)
    values[index] = wanted.weights(values[index]!, Math.floor(index / perChannel));
  return {
    ...conv,
    input: [
      conv.input![0]!,
      graph.addConstant(`${wanted.output}/weights-${conv.input![1]}`, float32(values, tensor.dims)),
      graph.addConstant(`${wanted.output}/bias-${conv.input![1]}`, float32(wanted.bias)),
    ],
    output: [wanted.output],
  };
}
