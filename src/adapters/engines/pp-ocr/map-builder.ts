import { type Attributes, type GraphNode, makeNode, type OnnxGraph, runtimeDomain } from "../../onnx-graph/graph.ts";
import { float16, float32, type GraphTensor, int64, typeCode } from "../../onnx-graph/tensor.ts";

/** Writes nodes that compute with maps, in 32 bits with channels first or in 16 bits with channels last, and collects them until they
 *  are taken. */
export class MapBuilder {
  readonly #graph: OnnxGraph;
  readonly #prefix: string;
  readonly #inHalf: boolean;
  #nodes: GraphNode[] = [];
  #count = 0;

  constructor(graph: OnnxGraph, prefix: string, inHalf: boolean) {
    this.#graph = graph;
    this.#prefix = prefix;
    this.#inHalf = inHalf;
  }

  /** The nodes since the last time; the last one's value gets the name that others know it by, where one is given. */
  take(name?: string): GraphNode[] {
    const nodes = this.#nodes;
    this.#nodes = [];
    if (name !== undefined) nodes.at(-1)!.output = [name];
    return nodes;
  }

  add(op: string, inputs: string[], attributes: Attributes = {}, domain = ""): string {
    const output = this.#newName(op);
    this.#nodes.push(makeNode(op, inputs, [output], { attributes, domain }));
    return output;
  }

  constant(tensor: GraphTensor): string {
    return this.#graph.addConstant(this.#newName("constant"), tensor);
  }

  /** A kernel that other nodes computed, in 32 bits. */
  asKernel(value: string): string {
    return this.#inHalf ? this.add("Cast", [value], { to: typeCode("float16") }) : value;
  }

  /** A map as this builder computes with it, from 32 bits with channels first. */
  asMap(value: string): string {
    return this.#inHalf ? this.asKernel(this.add("Transpose", [value], { perm: [0, 2, 3, 1] })) : value;
  }

  single(value: string): string {
    return this.#inHalf ? this.add("Cast", [value], { to: typeCode("float32") }) : value;
  }

  /** The mean of each channel, in 32 bits. */
  mean(map: string, channels: number): string {
    if (!this.#inHalf) return this.add("GlobalAveragePool", [map]);
    return this.reshape(this.add("ReduceMean", [this.single(map)], { axes: [1, 2], keepdims: 1 }), [1, channels, 1, 1]);
  }

  reshape(value: string, dims: number[]): string {
    return this.add("Reshape", [value, this.constant(int64(dims))]);
  }

  /** Repeats each value of a map with channels first. */
  enlarge(value: string, times: number): string {
    const none = this.constant(float32([]));
    const scales = this.constant(float32([1, 1, times, times]));
    const attributes = { mode: "nearest", coordinate_transformation_mode: "asymmetric", nearest_mode: "floor" };
    return this.add("Resize", [value, none, scales], attributes);
  }

  /** A convolution that keeps the size of the map, or with a 2 x 2 kernel makes it one larger. `sum` is added before the activation. */
  conv(
    input: string,
    kernel: string | GraphTensor,
    { size, bias, sum, isRectified }: { size: 1 | 2 | 3; bias: ArrayLike<number>; sum?: string; isRectified?: boolean },
  ): string {
    const pad = size === 1 ? 0 : 1;
    const attributes: Attributes = {
      kernel_shape: [size, size],
      pads: [pad, pad, pad, pad],
      strides: [1, 1],
      group: 1,
    };
    if (!this.#inHalf) {
      const weights = typeof kernel === "string" ? kernel : this.constant(kernel);
      let output = this.add("Conv", [input, weights, this.constant(float32(bias))], attributes);
      if (sum !== undefined) output = this.add("Add", [output, sum]);
      return isRectified ? this.add("Relu", [output]) : output;
    }
    const weights =
      typeof kernel === "string" ? kernel : this.constant(float16(kernel.data as Float32Array, kernel.dims));
    const inputs = [input, weights, this.constant(float16(bias)), ...(sum === undefined ? [] : [sum])];
    const activation: Attributes = isRectified ? { activation: "Relu" } : {};
    return this.add("NhwcFusedConv", inputs, { ...attributes, ...activation }, runtimeDomain);
  }

  /** Spreads the channels of each place over `block` x `block` places, row by row. */
  depthToSpace(map: string, block: number, channels: number): string {
    if (!this.#inHalf) return this.add("DepthToSpace", [map], { blocksize: block, mode: "DCR" });
    const rows = this.reshape(map, [0, 0, 0, block, block * channels]);
    const turned = this.add("Transpose", [rows], { perm: [0, 1, 3, 2, 4] });
    const size = this.add("Mul", [this.add("Shape", [map]), this.constant(int64([1, block, block, 1]))]);
    const shape = this.add("Div", [size, this.constant(int64([1, 1, 1, block * block]))]);
    return this.add("Reshape", [turned, shape]);
  }

  /** A map of 32 bits with its channels first, as other nodes take it. */
  channelsFirst(map: string): string {
    return this.#inHalf ? this.add("Transpose", [map], { perm: [0, 3, 1, 2] }) : map;
  }

  /** What a 3 x 3 kernel gives over a map after each of its values was doubled in both directions. */
  convOverDoubled(small: string, kernel: GraphTensor): string {
    const [outputs] = kernel.dims as [number];
    const windows = this.conv(small, shrinkKernel(kernel), { size: 2, bias: new Float32Array(4 * outputs) });
    const all = this.depthToSpace(windows, 2, outputs);
    const [from, to, axes] = [[1, 1], [-1, -1], this.#inHalf ? [1, 2] : [2, 3]].map((values) =>
      this.constant(int64(values)),
    );
    return this.add("Slice", [all, from!, to!, axes!]);
  }

  #newName(kind: string): string {
    this.#count += 1;
    return `${this.#prefix}/${kind}-${this.#count}`;
  }
}

/**
 * The 2 x 2 kernels that see a small map as a 3 x 3 kernel sees its double. A window of 2 x 2 places belongs to the 2 x 2 doubled places
 * in its middle: those of the first row see two rows of the upper place and one of the lower, those of the second row the other way round.
 */
export function shrinkKernel(kernel: GraphTensor): GraphTensor {
  const [outputs, inputs] = kernel.dims as [number, number];
  const data = new Float32Array(4 * outputs * inputs * 4);
  const place = (phase: number, tap: number): number => (tap + (phase === 0 ? 0 : 1)) >> 1;
  for (let y = 0; y < 2; y++)
    for (let x = 0; x < 2; x++)
      for (let output = 0; output < outputs; output++)
        for (let input = 0; input < inputs; input++)
          for (let row = 0; row < 3; row++)
            for (let column = 0; column < 3; column++) {
              const from = ((output * inputs + input) * 3 + row) * 3 + column;
              const to = (((y * 2 + x) * outputs + output) * inputs + input) * 4 + place(y, row) * 2 + place(x, column);
              data[to]! += Number(kernel.data[from]!);
            }
  return float32(data, [4 * outputs, inputs, 2, 2]);
}
