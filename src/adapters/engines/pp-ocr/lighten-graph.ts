import { type GraphNode, intsOf, makeNode, OnnxGraph, runtimeDomain } from "../../onnx-graph/graph.ts";
import { float16, float32, type GraphTensor, readTensor, typeCode, valuesOf } from "../../onnx-graph/tensor.ts";
import { foldPyramid } from "./fold-pyramid.ts";

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
  flattenKernels(graph);
  foldPyramid(graph, inHalf);
  dropDenormals(graph);
  if (inHalf) halveConvolutions(graph);
  return graph.write();
}

/**
 * Training left weights behind that are as good as zero: of the Latin recogniser's every third is a denormal, with which an x64 processor
 * computes many times slower. Without them what comes out is the same to the last bit. On a Xeon a line of 320 pixels
 * takes the English recogniser 20 ms instead of 45, and the Latin one 15 instead of 62.
 */
function dropDenormals(graph: OnnxGraph): void {
  graph.changeConstants((tensor) => {
    const { data } = tensor;
    return data instanceof Float32Array ? { ...tensor, data: data.map(withoutDenormal) } : tensor;
  });
}

/** Also what becomes a denormal when it is multiplied by a small value: a guess with room on both sides, float32 has 1e-38 and 7 digits. */
const nothingBelow = 1e-20;

function withoutDenormal(value: number): number {
  return Math.abs(value) < nothingBelow ? 0 : value;
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

/** Behind the pooling a line is one row high, so the outer rows of a kernel only ever see padding. */
function flattenKernels(graph: OnnxGraph): void {
  const isFlat = new Set<string>();
  for (const node of graph.nodes) {
    if (node.opType !== "AveragePool" && !node.input!.some((name) => isFlat.has(name))) continue;
    for (const output of node.output!) isFlat.add(output);
    if (node.opType !== "Conv" || `${intsOf(node, "pads")}` !== "1,1,1,1") continue;
    const tensor = graph.getConstant(node.input![1]!);
    const [outputs, inputs, height, width] = tensor.dims as [number, number, number, number];
    if (height !== 3) continue;
    const middle = valuesOf(tensor).filter((_, index) => Math.floor(index / width) % height === 1);
    const weights = graph.addConstant(`${node.input![1]}/middle`, float32(middle, [outputs, inputs, 1, width]));
    const attributes = { kernel_shape: [1, width], pads: [0, 1, 0, 1] };
    const flat = makeNode("Conv", node.input!.with(1, weights), node.output!, { name: node.name!, attributes });
    const others = node.attribute!.filter(({ name }) => !(name! in attributes));
    graph.replace(node, [{ ...flat, attribute: [...flat.attribute!, ...others] }]);
  }
  graph.apply();
}

/**
 * With channels last, as the 16-bit kernels want them; between two such nodes the runtime takes the transpositions out again.
 * In 8 bits the pointwise ones took a tenth less of a page's time, and one receipt field in fifty was misread for it.
 */
function halveConvolutions(graph: OnnxGraph): void {
  graph.allowRuntimeNodes();
  const half = (name: string): string => {
    const { data, dims } = graph.getConstant(name);
    return graph.addConstant(`${name}/half`, float16(data as Float32Array, dims));
  };
  for (const conv of graph.nodes.filter(({ opType }) => opType === "Conv")) {
    const [input, ...constants] = conv.input!;
    if (!constants.every((name) => graph.isConstant(name))) continue;
    const output = conv.output![0]!;
    const value = (step: string): string => `${output}/${step}`;
    const convert = (from: string, to: string, type: "float16" | "float32"): GraphNode =>
      makeNode("Cast", [from], [to], { attributes: { to: typeCode(type) } });
    const turn = (from: string, to: string, perm: number[]): GraphNode =>
      makeNode("Transpose", [from], [to], { name: `${to}/turn`, attributes: { perm } });
    graph.replace(conv, [
      turn(input!, value("last"), [0, 2, 3, 1]),
      convert(value("last"), value("in"), "float16"),
      {
        ...makeNode("NhwcFusedConv", [value("in"), ...constants.map(half)], [value("out")], {
          name: conv.name!,
          domain: runtimeDomain,
        }),
        attribute: conv.attribute!,
      },
      convert(value("out"), value("wide"), "float32"),
      turn(value("wide"), output, [0, 3, 1, 2]),
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
