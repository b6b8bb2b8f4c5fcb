import type { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { float32, type GraphTensor, int64 } from "../../onnx-graph/tensor.ts";
import { type Matrix, sideBySide } from "../recogniser-graph/exported-weights.ts";
import { multiply } from "../recogniser-graph/multiply.ts";

export const HEADS = 8;
/** How positions are told: this many numbers of each head are turned, in pairs that lie side by side. */
const ROTARY = { numbers: 32, base: 10_000, positions: 4096 };
const EPSILON = 1e-5;

/** What encoder and decoder have in common, as nodes of a graph. */
export class TransformerParts {
  readonly #graph: GraphBuilder;
  readonly #tables: readonly string[];
  readonly #position: string;

  /** `position` is that of the first value. */
  constructor(graph: GraphBuilder, position: string) {
    this.#graph = graph;
    this.#position = position;
    this.#tables = rotaryTables().map((table) => graph.constant(table));
  }

  normalise(value: string, weight: Float32Array): string {
    const inputs = [value, this.#graph.constant(float32(weight))];
    return this.#graph.add("LayerNormalization", inputs, { epsilon: { float: EPSILON } });
  }

  /** The sum of two values, and the same normalised. One operator does both, and takes longer. */
  addAndNormalise(added: string, value: string, weight: Float32Array): { normal: string; sum: string } {
    const sum = this.#graph.add("Add", [added, value]);
    return { normal: this.normalise(sum, weight), sum };
  }

  /** Queries and keys, turned by their positions, and values. */
  project(value: string, matrices: readonly [query: Matrix, key: Matrix, value: Matrix]): string[] {
    const graph = this.#graph;
    const widths = graph.constant(int64(matrices.map(({ columns }) => columns)));
    const all = multiply(graph, value, sideBySide(matrices));
    const [query, key, content] = graph.addMany("Split", [all, widths], 3, { axis: 2 });
    return [this.#turn(query!), this.#turn(key!), content!];
  }

  #turn(value: string): string {
    const attributes = { interleaved: 1, num_heads: HEADS, rotary_embedding_dim: ROTARY.numbers };
    return this.#graph.addFused("RotaryEmbedding", [value, this.#position, ...this.#tables], 1, attributes)[0]!;
  }
}

/** Cosines and sines of every position: a row each, one number for each pair that is turned. */
function rotaryTables(): [GraphTensor, GraphTensor] {
  const pairs = ROTARY.numbers / 2;
  const angles = Float64Array.from({ length: ROTARY.positions * pairs }, (_, at) => {
    const pair = at % pairs;
    return Math.floor(at / pairs) * ROTARY.base ** (-pair / pairs);
  });
  const dims = [ROTARY.positions, pairs];
  return [float32(angles.map(Math.cos), dims), float32(angles.map(Math.sin), dims)];
}
