import { existsSync } from "node:fs";
import { join } from "node:path";
import llama from "llama-tokenizer-js";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { QUICK_ENCODER } from "./quicken-encoder.ts";
import { findLoop, lengthWithoutLoop } from "./repetition.ts";
import { FIRST_STEP, NEXT_STEP } from "./split-decoder.ts";
import { SAMPLE_RATE_HZ, SILENCE_AROUND_SECONDS } from "./tuning.ts";

const BEGIN = 1;
const END = 2;
const TEXT_TOKENS = 32_000;

export interface Decoded {
  readonly text: string;
  /** Mean over the tokens; the closer to 0, the surer. */
  readonly logProbability: number;
  readonly tokens: number;
  /** The model began to repeat itself; the text holds the phrase once. */
  readonly isLoop: boolean;
  /** It had not ended when it had to. */
  readonly isCutOff: boolean;
  /** It would have said nothing, had that been allowed. */
  readonly wasEmpty: boolean;
}

export interface DecodeOptions {
  readonly mostTokens: number;
  /** True forbids an empty answer. */
  readonly mustSpeak?: boolean;
  readonly signal: AbortSignal;
}

/** One Moonshine recogniser: an encoder and a decoder in two steps. */
export class MoonshineModel {
  readonly #encoder: InferenceSession;
  readonly #first: InferenceSession;
  readonly #next: InferenceSession;
  readonly #past: readonly string[];
  readonly #nextNeedsHidden: boolean;

  private constructor(encoder: InferenceSession, first: InferenceSession, next: InferenceSession) {
    this.#encoder = encoder;
    this.#first = first;
    this.#next = next;
    this.#past = next.inputNames.filter((name) => name.startsWith("past"));
    this.#nextNeedsHidden = next.inputNames.includes("encoder_hidden_states");
  }

  static async load(folder: string): Promise<MoonshineModel> {
    const open = (file: string) =>
      // A second thread costs up to twice the work for the same answer; other requests use the other cores.
      InferenceSession.create(join(folder, file), { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 });
    // Spanish keeps the encoder that it came with: see docs/hearing.md.
    const encoder = existsSync(join(folder, QUICK_ENCODER)) ? QUICK_ENCODER : "encoder_model.onnx";
    return new MoonshineModel(await open(encoder), await open(FIRST_STEP), await open(NEXT_STEP));
  }

  async encode(samples: Float32Array): Promise<Tensor> {
    const around = Math.round(SILENCE_AROUND_SECONDS * SAMPLE_RATE_HZ);
    const padded = new Float32Array(samples.length + 2 * around);
    padded.set(samples, around);
    const output = await this.#encoder.run({ input_values: new Tensor("float32", padded, [1, padded.length]) });
    return output.last_hidden_state as Tensor;
  }

  /** The likeliest token at each step: searching wider did not help. */
  async decode(hidden: Tensor, { mostTokens, mustSpeak = false, signal }: DecodeOptions): Promise<Decoded> {
    const past: Record<string, Tensor> = {};
    const tokens: number[] = [];
    const logProbabilities: number[] = [];
    let wasEmpty = false;
    let isLoop = false;
    let isEnded = false;
    while (tokens.length < mostTokens) {
      signal.throwIfAborted();
      const logits = await this.#step(tokens.at(-1) ?? BEGIN, hidden, past, tokens.length === 0);
      if (tokens.length === 0 && indexOfLargest(logits) === END) {
        wasEmpty = true;
        if (mustSpeak) logits[END] = Number.NEGATIVE_INFINITY;
      }
      const token = indexOfLargest(logits);
      logProbabilities.push(logProbabilityOf(logits, token));
      isEnded = token === END;
      if (isEnded) break;
      tokens.push(token);
      const period = findLoop(tokens);
      if (period > 0) {
        isLoop = true;
        tokens.length = lengthWithoutLoop(tokens, period);
        logProbabilities.length = tokens.length;
        break;
      }
    }
    return {
      text: toText(tokens),
      logProbability: mean(logProbabilities),
      tokens: tokens.length,
      isLoop,
      isCutOff: !isEnded && !isLoop,
      wasEmpty,
    };
  }

  async #step(token: number, hidden: Tensor, past: Record<string, Tensor>, isFirst: boolean): Promise<Float32Array> {
    const input_ids = new Tensor("int64", BigInt64Array.of(BigInt(token)), [1, 1]);
    const output = isFirst
      ? await this.#first.run({ input_ids, encoder_hidden_states: hidden })
      : await this.#next.run({
          input_ids,
          ...past,
          ...(this.#nextNeedsHidden ? { encoder_hidden_states: hidden } : {}),
        });
    for (const name of this.#past) {
      // What the decoder keeps of the encoder never changes after the first step.
      if (isFirst || name.includes(".decoder."))
        past[name] = output[name.replace("past_key_values", "present")] as Tensor;
    }
    return output.logits!.data as Float32Array;
  }
}

function toText(tokens: readonly number[]): string {
  const known = tokens.filter((token) => token < TEXT_TOKENS);
  return llama
    .decode([BEGIN, ...known])
    .replace(/[♪♫]+/g, " ")
    .trim();
}

function indexOfLargest(values: Float32Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}

function logProbabilityOf(logits: Float32Array, token: number): number {
  const largest = logits[token]!;
  let sum = 0;
  for (const value of logits) if (value > largest - 16) sum += Math.exp(value - largest);
  return -Math.log(sum);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? -9 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
