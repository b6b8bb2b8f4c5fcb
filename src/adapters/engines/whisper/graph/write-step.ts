import type { OnnxGraph } from "../../../onnx-graph/graph.ts";
import { GraphBuilder } from "../../../onnx-graph/graph-builder.ts";
import { float32, int64 } from "../../../onnx-graph/tensor.ts";
import { ExportedWeights, transpose, withSign } from "../../recogniser-graph/exported-weights.ts";
import { bytes, multiply } from "../../recogniser-graph/multiply.ts";
import type { WhisperRules } from "../rules.ts";
import { NO_SPEECH, START } from "../tokens.ts";
import { HEAD_SIZE, LayerParts, type Sign } from "./layer-parts.ts";

/** Enough to forbid a few and to choose among the rest. */
const CHOICES = 16;
const FORBIDDEN = -1e9;

/** From one or more tokens, and what is remembered of those before, to the likeliest tokens after each that is asked for, how likely
 *  each language is, and where in the speech the decoder looked. */
export function writeStep(decoder: OnnxGraph, rules: WhisperRules, sign: Sign): Uint8Array {
  const graph = new GraphBuilder();
  const weights = new ExportedWeights(decoder, "/model/decoder");
  const parts = new LayerParts(graph, weights, sign);
  const embedding = weights.embedding("embed_tokens");
  const heads = embedding.columns / HEAD_SIZE;
  const tokens = graph.input("tokens", "int64", [1, "tokens"]);
  const stored = graph.add("Gather", [
    graph.constant(bytes(embedding.data, [embedding.rows, embedding.columns])),
    tokens,
  ]);
  const scale = graph.constant(float32(embedding.scales, []));
  const token = graph.add("DequantizeLinear", [stored, scale, graph.constant(bytes(embedding.zeros, []))]);
  const places = graph.constant(decoder.getConstant("model.decoder.embed_positions.weight_merged_0"));
  let sum = graph.add("Add", [token, graph.add("Gather", [places, graph.input("positions", "int64", ["tokens"])])]);
  const asked = graph.input("asked", "int64", ["asked"]);
  const looks: string[] = [];

  for (let index = 0; weights.has(`layers.${index}/fc1/MatMul`); index++) {
    const layer = `layers.${index}`;
    const kept = (kind: "past" | "speech") =>
      ["key", "value"].map((part) =>
        graph.input(`${kind}.${index}.${part}`, "float32", [1, heads, kind, HEAD_SIZE]),
      ) as [string, string];
    const queryKeyValue = parts.queryKeyValue(parts.normalise(sum, `${layer}/self_attn_layer_norm`), layer);
    const [own, keys, values] = graph.addFused(
      "MultiHeadAttention",
      [...queryKeyValue, "", "", "", ...kept("past")],
      3,
      { num_heads: heads, unidirectional: 1 },
    );
    graph.output(keys!, `present.${index}.key`);
    graph.output(values!, `present.${index}.value`);
    sum = graph.add("Add", [sum, parts.project(own!, `${layer}/self_attn/out_proj`)]);
    const query = parts.project(
      parts.normalise(sum, `${layer}/encoder_attn_layer_norm`),
      `${layer}/encoder_attn/q_proj`,
    );
    const speech = kept("speech");
    const [heard] = graph.addFused("MultiHeadAttention", [query, ...speech], 1, { num_heads: heads });
    const following = rules.alignmentHeads.filter(([at]) => at === index).map(([, head]) => head);
    if (following.length > 0) {
      const queries = graph.add("Gather", [query, asked], { axis: 1 });
      looks.push(addLook(graph, queries, speech[0], heads, following));
    }
    sum = graph.add("Add", [sum, parts.project(heard!, `${layer}/encoder_attn/out_proj`)]);
    sum = parts.addWide(sum, layer);
  }

  const wanted = graph.add("Gather", [parts.normalise(sum, "layer_norm"), asked], { axis: 1 });
  const logProbabilities = graph.add("LogSoftmax", [multiply(graph, wanted, withSign(transpose(embedding), sign))], {
    axis: 2,
  });
  const mask = graph.constant(float32(forbiddenMask(embedding.rows, rules)));
  const choices = graph.constant(int64([CHOICES]));
  const [best, likeliest] = graph.addMany("TopK", [graph.add("Add", [logProbabilities, mask]), choices], 2, {
    axis: 2,
  });
  graph.output(best!, "log_probabilities");
  graph.output(likeliest!, "likeliest", "int64");
  const languages = graph.constant(int64([...rules.languageTokens, NO_SPEECH]));
  graph.output(graph.add("Gather", [logProbabilities, languages], { axis: 2 }), "languages");
  graph.output(graph.add("Concat", looks, { axis: 1 }), "looks");
  return graph.write();
}

/** How much some heads attend to each row of the speech. */
function addLook(
  graph: GraphBuilder,
  query: string,
  keys: string,
  heads: number,
  following: readonly number[],
): string {
  const chosen = graph.constant(int64([...following]));
  const byHead = graph.add("Reshape", [query, graph.constant(int64([1, -1, heads, HEAD_SIZE]))]);
  const queries = graph.add("Gather", [graph.add("Transpose", [byHead], { perm: [0, 2, 1, 3] }), chosen], { axis: 1 });
  const theirs = graph.add("Transpose", [graph.add("Gather", [keys, chosen], { axis: 1 })], { perm: [0, 1, 3, 2] });
  const scale = graph.constant(float32([HEAD_SIZE ** -0.5], []));
  return graph.add("Softmax", [graph.add("Mul", [graph.add("MatMul", [queries, theirs]), scale])], { axis: 3 });
}

/** Languages, tasks and times are never part of a text. */
function forbiddenMask(tokens: number, { forbidden }: WhisperRules): Float32Array {
  const mask = new Float32Array(tokens).fill(FORBIDDEN, START);
  for (const token of forbidden) mask[token] = FORBIDDEN;
  return mask;
}
