import { join } from "node:path";
import llamaTokenizer from "llama-tokenizer-js";
import { InferenceSession, Tensor } from "onnxruntime-node";

/** Writes down what it hears: Moonshine with nothing around it, so that tests of speech do not depend on the recogniser of the
 *  product. Good for one clean sentence at a time. */
export type Listener = (samples: Float32Array) => Promise<string>;

const LAYERS = 8;
const HEADS = 8;
const HEAD_SIZE = 52;
const SILENCE = 4800;

/** `folder` is that of moonshine-base-en or moonshine-base-es. */
export async function createListener(folder: string): Promise<Listener> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const encoder = await InferenceSession.create(join(folder, "encoder_model.onnx"), options);
  const decoder = await InferenceSession.create(join(folder, "decoder_model_merged.onnx"), options);
  return async (speech) => {
    const samples = withSilence(speech);
    const heard = await encoder.run({ input_values: new Tensor("float32", samples, [1, samples.length]) });
    const tokens: number[] = [];
    const past = emptyPast();
    const most = Math.ceil((samples.length / 16000) * 10) + 8;
    for (let step = 0; step < most; step++) {
      const result = await decoder.run({
        input_ids: new Tensor("int64", BigInt64Array.of(BigInt(tokens.at(-1) ?? 1)), [1, 1]),
        encoder_hidden_states: heard.last_hidden_state!,
        use_cache_branch: new Tensor("bool", [step > 0], [1]),
        ...past,
      });
      const scores = result.logits!.data as Float32Array;
      const best = scores.reduce((top, score, index) => (score > scores[top]! ? index : top), 0);
      if (best === 2) break;
      tokens.push(best);
      for (const name of Object.keys(past)) {
        if (step === 0 || name.includes(".decoder.")) past[name] = result[name.replace("past_key_values", "present")]!;
      }
    }
    return llamaTokenizer.decode([1, ...withoutEcho(tokens)]).trim();
  };
}

/** A sentence that breaks off with its last sound makes the recogniser begin again. */
function withSilence(speech: Float32Array): Float32Array {
  const samples = new Float32Array(speech.length + SILENCE);
  samples.set(speech);
  return samples;
}

/** Now and then it writes a sentence down twice, word by word, that was said once. */
function withoutEcho(tokens: readonly number[]): readonly number[] {
  const half = tokens.length / 2;
  const isEcho = half >= 4 && tokens.every((token, index) => index < half || token === tokens[index - half]);
  return isEcho ? tokens.slice(0, half) : tokens;
}

function emptyPast(): Record<string, Tensor> {
  const past: Record<string, Tensor> = {};
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const side of ["decoder", "encoder"]) {
      for (const part of ["key", "value"]) {
        past[`past_key_values.${layer}.${side}.${part}`] = new Tensor("float32", new Float32Array(0), [
          0,
          HEADS,
          1,
          HEAD_SIZE,
        ]);
      }
    }
  }
  return past;
}

/** How many words differ: insertions, deletions and substitutions. */
export function countWordErrors(expected: string, heard: string): number {
  const [left, right] = [toWords(expected), toWords(heard)];
  let row = [...right.keys(), right.length];
  for (const [i, word] of left.entries()) {
    const next = [i + 1];
    for (const [j, other] of right.entries()) {
      next.push(Math.min(row[j]! + (word === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}

export function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/['’]/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
