import { type GraphNode, type OnnxGraph, otherInput } from "../../onnx-graph/graph.ts";
import { float32, type GraphTensor, valuesOf } from "../../onnx-graph/tensor.ts";
import { MapBuilder } from "./map-builder.ts";

/**
 * The end of the detector (a feature pyramid and two steps that double its size) with half the work in it.
 * - A 3 x 3 kernel over a doubled map sees each value twice or more: 2 x 2 kernels over the small map give the same.
 * - The finest map has 12 channels, which are spread to 96, weighed and gathered to 24: the matrices are multiplied first.
 * - The two doublings at the end do not overlap: each is a product per place, and the places are put in order once.
 * Graphs that do not end so are left as they are.
 */
export function foldPyramid(graph: OnnxGraph, inHalf: boolean): void {
  const found = findPyramid(graph);
  if (!found) return;
  if (inHalf) graph.allowRuntimeNodes();
  const { gather, spread, finest, coarse, inner, outer, join, head, doublings, end } = found;
  const build = new MapBuilder(graph, end.output![0]!, inHalf);
  const kernelOf = (conv: GraphNode): GraphTensor => graph.getConstant(conv.input![1]!);

  // The mean of what a matrix gives is what the matrix gives for the mean.
  const mean = build.add("GlobalAveragePool", [finest]);
  graph.replace(inner.pool, [
    ...build.take(),
    { ...spread, input: [mean, spread.input![1]!], output: inner.pool.output! },
  ]);

  const [outputs, wide] = kernelOf(gather).dims as [number, number];
  const narrow = kernelOf(spread).dims[1]!;
  const gathering = build.constant(float32(turnKernel(kernelOf(gather)), [outputs * 9, wide]));
  const weighed = build.add("Mul", [gathering, build.reshape(gainOf(build, inner), [1, wide])]);
  const spreading = build.constant(float32(valuesOf(kernelOf(spread)), [wide, narrow]));
  const product = build.reshape(build.add("MatMul", [weighed, spreading]), [outputs, 3, 3, narrow]);
  const made = build.asKernel(build.add("Transpose", [product], { perm: [0, 3, 1, 2] }));
  const none = new Float32Array(outputs);
  const sum = build.convOverDoubled(build.asMap(coarse), kernelOf(gather));
  const fine = build.conv(build.asMap(finest), made, { size: 3, bias: none, sum });
  graph.replace(gather, build.take());
  build.mean(fine, outputs);
  graph.replace(outer.pool, build.take(outer.pool.output![0]!));

  // Coarser maps are brought to half the size of the finest, not to all of it.
  const halved = join.map(({ value, times }) => (times === 2 ? value : build.enlarge(value, times / 2)));
  const rest = build.asMap(build.add("Concat", halved, { axis: 1 }));
  const kernel = kernelOf(head);
  const joined = kernel.dims[1]!;
  const restSum = build.convOverDoubled(rest, pickInputs(kernel, 0, joined - outputs));
  const own = build.constant(pickInputs(kernel, joined - outputs, joined));
  const ownKernel = build.asKernel(build.add("Mul", [own, gainOf(build, outer)]));
  const bias = valuesOf(graph.getConstant(head.input![2]!));
  let map = build.conv(fine, ownKernel, { size: 3, bias, sum: restSum, isRectified: true });
  const { first, second } = doublings;
  map = build.conv(map, first.kernel, { size: 1, bias: first.bias, isRectified: true });
  map = build.conv(map, second.kernel, { size: 1, bias: second.bias });
  build.channelsFirst(build.depthToSpace(build.add("Sigmoid", [build.single(map)]), 4, 1));
  graph.replace(end, build.take(end.output![0]!));
  graph.apply();
}

/** A map weighed by itself: `map + map * gate`, the gate from the mean of each channel. */
interface Weighing {
  readonly map: string;
  readonly pool: GraphNode;
  readonly gate: string;
}

interface Product {
  readonly kernel: GraphTensor;
  readonly bias: Float64Array;
}

interface Pyramid {
  /** Gathers the sum of the finest map, spread and weighed, and the doubled coarser one. */
  readonly gather: GraphNode;
  readonly spread: GraphNode;
  readonly finest: string;
  readonly coarse: string;
  readonly inner: Weighing;
  readonly outer: Weighing;
  /** The coarser maps that are joined with the finest one, and how many times they are enlarged. */
  readonly join: readonly { readonly value: string; readonly times: number }[];
  readonly head: GraphNode;
  readonly doublings: { readonly first: Product; readonly second: Product };
  readonly end: GraphNode;
}

function findPyramid(graph: OnnxGraph): Pyramid | undefined {
  const back = (node: GraphNode | undefined, ...ops: string[]): GraphNode | undefined => {
    let at = node;
    for (const op of ops) {
      at = at && graph.producerOf(at.input![0]!);
      if (at?.opType !== op) return undefined;
    }
    return at;
  };
  const end = graph.producerOf(graph.outputs[0]!);
  const second = end?.opType === "Sigmoid" ? back(end, "Add", "ConvTranspose") : undefined;
  const norm = back(second, "Relu", "BatchNormalization");
  const first = back(norm, "Add", "ConvTranspose");
  const head = back(first, "Relu", "Conv");
  const joined = back(head, "Concat");
  if (!end || !second || !norm || !first || !head || !joined || !isKernel(graph, head, 3)) return undefined;
  const outer = findWeighing(graph, joined.input!.at(-1)!);
  const join = joined.input!.slice(0, -1).map((name) => findEnlarged(graph, name));
  const gather = outer && graph.producerOf(outer.map);
  if (!outer || !gather || !isKernel(graph, gather, 3) || gather.input!.length !== 2) return undefined;
  const total = graph.producerOf(gather.input![0]!);
  const inner = total?.opType === "Add" ? findWeighing(graph, total.input![0]!) : undefined;
  const coarse = total && findEnlarged(graph, total.input![1]!);
  const spread = inner && graph.producerOf(inner.map);
  if (!inner || coarse?.times !== 2 || !spread || !isKernel(graph, spread, 1) || spread.input!.length !== 2)
    return undefined;
  if (!join.every((one) => one !== undefined)) return undefined;
  return {
    gather,
    spread,
    finest: spread.input![0]!,
    coarse: coarse.value,
    inner,
    outer,
    join,
    head,
    doublings: { first: asProduct(graph, first, norm), second: asSecondProduct(graph, second) },
    end,
  };
}

function isKernel(graph: OnnxGraph, node: GraphNode, size: number): boolean {
  if (node.opType !== "Conv" || !graph.isConstant(node.input![1]!)) return false;
  return graph
    .getConstant(node.input![1]!)
    .dims.slice(2)
    .every((side) => side === size);
}

function findWeighing(graph: OnnxGraph, name: string): Weighing | undefined {
  const sum = graph.producerOf(name);
  if (sum?.opType !== "Add") return undefined;
  const [map, weighed] = sum.input as [string, string];
  const product = graph.producerOf(weighed);
  if (product?.opType !== "Mul" || !product.input!.includes(map)) return undefined;
  const pool = graph.consumersOf(map).find(({ opType }) => opType === "GlobalAveragePool");
  return pool && { map, pool, gate: otherInput(product, map) };
}

function findEnlarged(graph: OnnxGraph, name: string): { value: string; times: number } | undefined {
  const node = graph.producerOf(name);
  if (node?.opType !== "Resize" || !graph.isConstant(node.input![2]!)) return undefined;
  return { value: node.input![0]!, times: valuesOf(graph.getConstant(node.input![2]!))[3]! };
}

function gainOf(build: MapBuilder, { gate }: Weighing): string {
  return build.add("Add", [gate, build.constant(float32([1]))]);
}

/** From output, input, place to output, place, input. */
function turnKernel(kernel: GraphTensor): Float32Array {
  const inputs = kernel.dims[1]!;
  const values = valuesOf(kernel);
  const turned = new Float32Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const place = index % 9;
    const input = Math.floor(index / 9) % inputs;
    const output = Math.floor(index / 9 / inputs);
    turned[(output * 9 + place) * inputs + input] = values[index]!;
  }
  return turned;
}

function pickInputs(kernel: GraphTensor, from: number, to: number): GraphTensor {
  const [outputs, inputs, height, width] = kernel.dims as [number, number, number, number];
  const area = height * width;
  const values = valuesOf(kernel).filter((_, index) => {
    const input = Math.floor(index / area) % inputs;
    return input >= from && input < to;
  });
  return float32(values, [outputs, to - from, height, width]);
}

/** A doubling with the norm behind it: the four places of each, one behind the other. */
function asProduct(graph: OnnxGraph, doubling: GraphNode, norm: GraphNode): Product {
  const tensor = graph.getConstant(doubling.input![1]!);
  const [inputs, outputs] = tensor.dims as [number, number];
  const weights = valuesOf(tensor);
  const offset = valuesOf(graph.getConstant(graph.producerOf(norm.input![0]!)!.input![1]!));
  const [gain, shift, mean, variance] = norm.input!.slice(1, 5).map((name) => valuesOf(graph.getConstant(name)));
  const epsilon = norm.attribute?.find(({ name }) => name === "epsilon")?.f ?? 1e-5;
  const kernel = new Float32Array(4 * outputs * inputs);
  const bias = new Float64Array(4 * outputs);
  for (let place = 0; place < 4; place++)
    for (let output = 0; output < outputs; output++) {
      const scale = gain![output]! / Math.sqrt(variance![output]! + epsilon);
      bias[place * outputs + output] = shift![output]! + (offset[output]! - mean![output]!) * scale;
      for (let input = 0; input < inputs; input++)
        kernel[(place * outputs + output) * inputs + input] = weights[(input * outputs + output) * 4 + place]! * scale;
    }
  return { kernel: float32(kernel, [4 * outputs, inputs, 1, 1]), bias };
}

/** The second doubling: from the four places of the first, each with all its channels, to four times four in the order of rows. */
function asSecondProduct(graph: OnnxGraph, doubling: GraphNode): Product {
  const tensor = graph.getConstant(doubling.input![1]!);
  const inputs = tensor.dims[0]!;
  const weights = valuesOf(tensor);
  const offset = valuesOf(graph.getConstant(graph.onlyConsumerOf(doubling.output![0]!)!.input![1]!))[0]!;
  const kernel = new Float32Array(16 * 4 * inputs);
  for (let place = 0; place < 4; place++)
    for (let within = 0; within < 4; within++)
      for (let input = 0; input < inputs; input++) {
        const row = (place >> 1) * 2 + (within >> 1);
        const column = (place & 1) * 2 + (within & 1);
        kernel[(row * 4 + column) * 4 * inputs + place * inputs + input] = weights[input * 4 + within]!;
      }
  return { kernel: float32(kernel, [16, 4 * inputs, 1, 1]), bias: new Float64Array(16).fill(offset) };
}
