import onnxProto from "onnx-proto";
import { OnnxGraph } from "../../onnx-graph/graph.ts";

const { onnx } = onnxProto;

/** Weights as stored: (integer - zero) x scale, with one scale and zero for the whole matrix or for each column. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Uint8Array;
  readonly scales: Float32Array;
  readonly zeros: Uint8Array;
}

export interface DecoderLayer {
  readonly beforeSelf: Float32Array;
  readonly query: Matrix;
  readonly key: Matrix;
  readonly value: Matrix;
  readonly selfOutput: Matrix;
  readonly beforeSpeech: Float32Array;
  readonly speechQuery: Matrix;
  readonly speechKey: Matrix;
  readonly speechValue: Matrix;
  readonly speechOutput: Matrix;
  readonly beforeWide: Float32Array;
  readonly wide: Matrix;
  readonly wideBias: Float32Array;
  readonly narrow: Matrix;
  readonly narrowBias: Float32Array;
}

/** The weights of an exported decoder, found by the names that its parts have in the export. */
export class DecoderWeights {
  readonly layers: readonly DecoderLayer[];
  readonly embedding: Matrix;
  readonly head: Matrix;
  readonly last: Float32Array;
  readonly #graph: OnnxGraph;

  constructor(merged: Uint8Array) {
    this.#graph = firstStepOf(merged);
    const layers: DecoderLayer[] = [];
    while (this.#has(`layers.${layers.length}/self_attn/q_proj/MatMul`)) layers.push(this.#layer(layers.length));
    if (layers.length === 0) throw new Error("the decoder has no layers with the expected names");
    this.layers = layers;
    this.last = this.#norm("norm");
    this.embedding = this.#embedding();
    this.head = transpose(this.embedding);
  }

  get width(): number {
    return this.embedding.columns;
  }

  #layer(index: number): DecoderLayer {
    const at = (part: string) => `layers.${index}/${part}`;
    const matrix = (...names: string[]) => this.#matrix(this.#firstOf(names.map((name) => `${at(name)}/MatMul`)));
    const bias = (...names: string[]) =>
      this.#floats(this.#producerOf(this.#firstOf(names.map((name) => `${at(name)}/Add`))).input![0]!);
    return {
      beforeSelf: this.#norm(at("input_layernorm")),
      query: matrix("self_attn/q_proj"),
      key: matrix("self_attn/k_proj"),
      value: matrix("self_attn/v_proj"),
      selfOutput: matrix("self_attn/o_proj", "self_attn/dense"),
      beforeSpeech: this.#norm(at("post_attention_layernorm")),
      speechQuery: matrix("encoder_attn/q_proj"),
      speechKey: matrix("encoder_attn/k_proj"),
      speechValue: matrix("encoder_attn/v_proj"),
      speechOutput: matrix("encoder_attn/o_proj", "encoder_attn/dense"),
      beforeWide: this.#norm(at("final_layernorm")),
      wide: matrix("mlp/fc1", "mlp/up_proj"),
      wideBias: bias("mlp/fc1", "mlp/up_proj"),
      narrow: matrix("mlp/fc2", "mlp/down_proj"),
      narrowBias: bias("mlp/fc2", "mlp/down_proj"),
    };
  }

  /** A product is scaled by the scale of its input times the scale of its weights. */
  #matrix(name: string): Matrix {
    const product = this.#graph.producerOf(`/model/decoder/${name}_output_0_output_quantized`);
    const scaling = this.#graph.producerOf(`/model/decoder/${name}_quant_scales_mul:0`);
    if (product?.opType !== "MatMulInteger" || scaling?.opType !== "Mul") throw unexpected(name);
    return this.#stored(product.input![1]!, scaling.input![1]!, product.input![3]!);
  }

  #embedding(): Matrix {
    const dequantise = this.#producerOf("embed_tokens/Gather");
    const gather = this.#graph.producerOf(dequantise.input![0]!);
    if (dequantise.opType !== "DequantizeLinear" || gather?.opType !== "Gather") throw unexpected("embed_tokens");
    return this.#stored(gather.input![0]!, dequantise.input![1]!, dequantise.input![2]!);
  }

  #stored(matrix: string, scale: string, zero: string): Matrix {
    const { type, dims, data } = this.#graph.getConstant(matrix);
    if (type !== "uint8" || dims.length !== 2) throw unexpected(matrix);
    return {
      rows: dims[0]!,
      columns: dims[1]!,
      data: data as Uint8Array,
      scales: this.#floats(scale),
      zeros: this.#graph.getConstant(zero).data as Uint8Array,
    };
  }

  #norm(name: string): Float32Array {
    return this.#floats(this.#producerOf(`${name}/Mul`).input![1]!);
  }

  #floats(name: string): Float32Array {
    const { type, data } = this.#graph.getConstant(name);
    if (type !== "float32") throw unexpected(name);
    return data as Float32Array;
  }

  #producerOf(name: string) {
    const node = this.#graph.producerOf(`/model/decoder/${name}_output_0`);
    if (!node) throw unexpected(name);
    return node;
  }

  #firstOf(names: readonly string[]): string {
    const found = names.find((name) => this.#has(name));
    if (!found) throw unexpected(names[0]!);
    return found;
  }

  #has(name: string): boolean {
    return this.#graph.producerOf(`/model/decoder/${name}_output_0`) !== undefined;
  }
}

/** Matrices that the same value is multiplied with, as one. */
export function sideBySide(matrices: readonly Matrix[]): Matrix {
  const rows = matrices[0]!.rows;
  const columns = matrices.reduce((sum, matrix) => sum + matrix.columns, 0);
  const data = new Uint8Array(rows * columns);
  const scales = new Float32Array(columns);
  const zeros = new Uint8Array(columns);
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

/** The branch of the merged graph that is used for the first token: it has the weights of everything. */
function firstStepOf(merged: Uint8Array): OnnxGraph {
  const model = onnx.ModelProto.decode(merged);
  const graph = model.graph!;
  const choice = graph.node!.find((node) => node.opType === "If");
  const branch = choice?.attribute?.find(({ name }) => name === "else_branch")?.g;
  if (!branch) throw new Error("the decoder has no branches to read");
  graph.node = branch.node!;
  graph.initializer = [...graph.initializer!, ...(branch.initializer ?? [])];
  return new OnnxGraph(onnx.ModelProto.encode(model).finish());
}

function transpose(matrix: Matrix): Matrix {
  const { rows, columns, data } = matrix;
  const turned = new Uint8Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) turned[column * rows + row] = data[row * columns + column]!;
  }
  return { ...matrix, rows: columns, columns: rows, data: turned };
}

function unexpected(name: string): Error {
  return new Error(`the decoder's ${name} is not the expected one`);
}
