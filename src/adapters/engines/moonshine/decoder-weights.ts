import { ExportedWeights, type Matrix, transpose } from "../recogniser-graph/exported-weights.ts";
import { firstStepOf } from "../recogniser-graph/first-step.ts";

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

export interface DecoderWeights {
  readonly layers: readonly DecoderLayer[];
  readonly width: number;
  readonly embedding: Matrix;
  readonly head: Matrix;
  readonly last: Float32Array;
}

export function readDecoderWeights(merged: Uint8Array): DecoderWeights {
  const weights = new ExportedWeights(firstStepOf(merged), "/model/decoder");
  const layers: DecoderLayer[] = [];
  while (weights.has(`layers.${layers.length}/self_attn/q_proj/MatMul`)) {
    layers.push(readLayer(weights, `layers.${layers.length}`));
  }
  if (layers.length === 0) throw new Error("the decoder has no layers with the expected names");
  const embedding = weights.embedding("embed_tokens");
  return { layers, width: embedding.columns, embedding, head: transpose(embedding), last: weights.norm("norm") };
}

function readLayer(weights: ExportedWeights, layer: string): DecoderLayer {
  const matrix = (...names: string[]) => weights.matrix(...names.map((name) => `${layer}/${name}`));
  const bias = (...names: string[]) => weights.bias(...names.map((name) => `${layer}/${name}`));
  const norm = (name: string) => weights.norm(`${layer}/${name}`);
  return {
    beforeSelf: norm("input_layernorm"),
    query: matrix("self_attn/q_proj"),
    key: matrix("self_attn/k_proj"),
    value: matrix("self_attn/v_proj"),
    selfOutput: matrix("self_attn/o_proj", "self_attn/dense"),
    beforeSpeech: norm("post_attention_layernorm"),
    speechQuery: matrix("encoder_attn/q_proj"),
    speechKey: matrix("encoder_attn/k_proj"),
    speechValue: matrix("encoder_attn/v_proj"),
    speechOutput: matrix("encoder_attn/o_proj", "encoder_attn/dense"),
    beforeWide: norm("final_layernorm"),
    wide: matrix("mlp/fc1", "mlp/up_proj"),
    wideBias: bias("mlp/fc1", "mlp/up_proj"),
    narrow: matrix("mlp/fc2", "mlp/down_proj"),
    narrowBias: bias("mlp/fc2", "mlp/down_proj"),
  };
}
