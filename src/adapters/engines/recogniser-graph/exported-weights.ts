import type { GraphNode, OnnxGraph } from "../../onnx-graph/graph.ts";

/** Signed or unsigned; which one an exporter chose differs, and which one is quick differs between processors. */
export type Bytes = Uint8Array | Int8Array;

/** Weights as stored: (integer - zero) x scale, with one scale and zero for the whole matrix or for each column. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Bytes;
  readonly scales: Float32Array;
  readonly zeros: Bytes;
}

/** Finds weights in an exported graph by the names that its parts have there. Exports differ in what they call some of them. */
export class ExportedWeights {
  readonly #graph: OnnxGraph;
  readonly #prefix: string;

  constructor(graph: OnnxGraph, prefix: string) {
    this.#graph = graph;
    this.#prefix = prefix;
  }

  has(name: string): boolean {
    return this.#graph.producerOf(this.#output(name)) !== undefined;
  }

  /** The weights of the first of these layers that there is. A product is scaled by the scale of its input times theirs. */
  matrix(...names: string[]): Matrix {
    const name = this.#firstOf(names.map((one) => `${one}/MatMul`));
    const product = this.#graph.producerOf(`${this.#output(name)}_output_quantized`);
    const scaling = this.#graph.producerOf(`${this.#prefix}/${name}_quant_scales_mul:0`);
    if (product?.opType !== "MatMulInteger" || scaling?.opType !== "Mul") throw unexpected(name);
    return this.#stored(product.input![1]!, scaling.input![1]!, product.input![3]!);
  }

  bias(...names: string[]): Float32Array {
    return this.floats(this.producerOf(this.#firstOf(names.map((one) => `${one}/Add`))).input![0]!);
  }

  norm(name: string): Float32Array {
    return this.floats(this.producerOf(`${name}/Mul`).input![1]!);
  }

  /** The other half of a normalisation that has one. */
  normBias(name: string): Float32Array {
    // The last one's sum is the graph's output and is called so.
    const sum = this.#graph.onlyConsumerOf(this.#output(`${name}/Mul`));
    if (sum?.opType !== "Add") throw unexpected(name);
    return this.floats(sum.input![1]!);
  }

  embedding(name: string): Matrix {
    const dequantise = this.producerOf(`${name}/Gather`);
    const gather = this.#graph.producerOf(dequantise.input![0]!);
    if (dequantise.opType !== "DequantizeLinear" || gather?.opType !== "Gather") throw unexpected(name);
    return this.#stored(gather.input![0]!, dequantise.input![1]!, dequantise.input![2]!);
  }

  floats(name: string): Float32Array {
    const { type, data } = this.#graph.getConstant(name);
    if (type !== "float32") throw unexpected(name);
    return data as Float32Array;
  }

  producerOf(name: string): GraphNode {
    const node = this.#graph.producerOf(this.#output(name));
    if (!node) throw unexpected(name);
    return node;
  }

  #stored(matrix: string, scale: string, zero: string): Matrix {
    const { type, dims, data } = this.#graph.getConstant(matrix);
    if ((type !== "uint8" && type !== "int8") || dims.length !== 2) throw unexpected(matrix);
    return {
      rows: dims[0]!,
      columns: dims[1]!,
      data: data as Bytes,
      scales: this.floats(scale),
      zeros: this.#graph.getConstant(zero).data as Bytes,
    };
  }

  #output(name: string): string {
    return `${this.#prefix}/${name}_output_0`;
  }

  #firstOf(names: readonly string[]): string {
    const found = names.find((name) => this.has(name));
    if (!found) throw unexpected(names[0]!);
    return found;
  }
}

/** Matrices that the same value is multiplied with, as one. */
export function sideBySide(matrices: readonly Matrix[]): Matrix {
  const rows = matrices[0]!.rows;
  const columns = matrices.reduce((sum, matrix) => sum + matrix.columns, 0);
  const data = bytesLike(matrices[0]!.data, rows * columns);
  const scales = new Float32Array(columns);
  const zeros = bytesLike(data, columns);
  let from = 0;
  for (const matrix of matrices) {
    for (let row = 0; row < rows; row++) {
      const values = matrix.data.subarray(row * matrix.columns, (row + 1) * matrix.columns);
      data.set(values, row * columns + from);
    }
    scales.fill(matrix.scales[0]!, from, from + matrix.columns);
    zeros.fill(matrix.zeros[0]!, from, from + matrix.columns);
    from += matrix.columns;
  }
  return { rows, columns, data, scales, zeros };
}

export function transpose(matrix: Matrix): Matrix {
  const { rows, columns, data } = matrix;
  const turned = bytesLike(data, data.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) turned[column * rows + row] = data[row * columns + column]!;
  }
  return { ...matrix, rows: columns, columns: rows, data: turned };
}

/** The same numbers as signed or as unsigned bytes. */
export function withSign(matrix: Matrix, sign: "signed" | "unsigned"): Matrix {
  const isSigned = matrix.data instanceof Int8Array;
  if (isSigned === (sign === "signed")) return matrix;
  return { ...matrix, data: shift(matrix.data), zeros: shift(matrix.zeros) };
}

function unexpected(name: string): Error {
  return new Error(`the model's ${name} is not the expected one`);
}

/** 128 less as a signed byte, or 128 more as an unsigned one: only the highest bit changes. */
function shift(bytes: Bytes): Bytes {
  const shifted = bytes instanceof Int8Array ? new Uint8Array(bytes.length) : new Int8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) shifted[i] = bytes[i]! ^ 0x80;
  return shifted;
}

function bytesLike(bytes: Bytes, length: number): Bytes {
  return bytes instanceof Int8Array ? new Int8Array(length) : new Uint8Array(length);
}
