import type { GraphBuilder } from "../../../onnx-graph/graph-builder.ts";
import { float32, int64 } from "../../../onnx-graph/tensor.ts";
import { type ExportedWeights, type Matrix, sideBySide, withSign } from "../../recogniser-graph/exported-weights.ts";
import { multiply } from "../../recogniser-graph/multiply.ts";

/** Every head of every Whisper has this many numbers. */
export const HEAD_SIZE = 64;
const EPSILON = 1e-5;

/** How weights are stored. The numbers are the same; which form is quick differs between processors. */
export type Sign = "signed" | "unsigned";

/** What the layers of encoder and decoder have in common, as nodes of a graph. */
export class LayerParts {
  readonly #graph: GraphBuilder;
  readonly #weights: ExportedWeights;
  readonly #sign: Sign;

  constructor(graph: GraphBuilder, weights: ExportedWeights, sign: Sign) {
    this.#graph = graph;
    this.#weights = weights;
    this.#sign = sign;
  }

  normalise(value: string, name: string): string {
    const constants = [this.#weights.norm(name), this.#weights.normBias(name)];
    const inputs = [value, ...constants.map((numbers) => this.#graph.constant(float32(numbers)))];
    return this.#graph.add("LayerNormalization", inputs, { epsilon: { float: EPSILON } });
  }

  /** The product with a layer's weights, and its bias. */
  project(value: string, name: string): string {
    return multiply(this.#graph, value, this.#matrix(name), this.#weights.bias(name));
  }

  /** Several products of the same value in one, side by side. */
  projectMany(value: string, names: readonly string[]): { all: string; width: number } {
    const matrices = names.map((name) => this.#matrix(name));
    const width = matrices[0]!.columns;
    const bias = new Float32Array(names.length * width);
    for (const [index, name] of names.entries()) {
      // Keys have none.
      if (this.#weights.has(`${name}/Add`)) bias.set(this.#weights.bias(name), index * width);
    }
    return { all: multiply(this.#graph, value, sideBySide(matrices), bias), width };
  }

  /** Query, key and value of a layer's look at its own values. */
  queryKeyValue(value: string, layer: string): string[] {
    const names = ["q_proj", "k_proj", "v_proj"].map((name) => `${layer}/self_attn/${name}`);
    const { all, width } = this.projectMany(value, names);
    const widths = this.#graph.constant(int64([width, width, width]));
    return this.#graph.addMany("Split", [all, widths], 3, { axis: 2 });
  }

  /** The wide part at the end of a layer. */
  addWide(sum: string, layer: string): string {
    const wide = this.project(this.normalise(sum, `${layer}/final_layer_norm`), `${layer}/fc1`);
    const [open] = this.#graph.addFused("Gelu", [wide], 1);
    return this.#graph.add("Add", [sum, this.project(open!, `${layer}/fc2`)]);
  }

  #matrix(name: string): Matrix {
    return withSign(this.#weights.matrix(name), this.#sign);
  }
}
