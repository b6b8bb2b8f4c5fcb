import { availableParallelism } from "node:os";
import { join } from "node:path";
import llama from "llama-tokenizer-js";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { findLoop, lengthWithoutLoop } from "../recogniser-graph/repetition.ts";
import { COMPACT_ENCODER, SPEECH_KEYS, TOKEN_STEP } from "./files.ts";
import { raiseFaint } from "./raise-faint.ts";
import { LIKELY_SILENCE, SAMPLE_RATE_HZ, SILENCE_AROUND_SECONDS } from "./tuning.ts";

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
  /** How likely it is that there is nothing to say; 0 when a word was likelier than that. */
  readonly silence: number;
}

export interface DecodeOptions {
  readonly mostTokens: number;
  /** True forbids an empty answer. */
  readonly mustSpeak?: boolean;
  readonly signal: AbortSignal;
}

/** Speech as the decoder looks at it: keys and values for each of its layers. */
export type Speech = Readonly<Record<string, Tensor>>;

type Memory = Readonly<Record<string, Tensor>>;

/** One Moonshine recogniser. */
export class MoonshineModel {
  readonly #folder: string;
  readonly #encoder: InferenceSession;
  readonly #keys: InferenceSession;
  readonly #step: InferenceSession;
  readonly #remembered: readonly string[];
  #urgentEncoder: Promise<InferenceSession> | undefined;

  private constructor(folder: string, encoder: InferenceSession, keys: InferenceSession, step: InferenceSession) {
    this.#folder = folder;
    this.#encoder = encoder;
    this.#keys = keys;
    this.#step = step;
    this.#remembered = step.inputNames.filter((name) => name.startsWith("past."));
  }

  static async load(folder: string): Promise<MoonshineModel> {
    // A second thread costs more work for the same answer; other requests use the other cores.
    const open = (file: string) => openGraph(join(folder, file), 1);
    return new MoonshineModel(folder, await open(COMPACT_ENCODER), await open(SPEECH_KEYS), await open(TOKEN_STEP));
  }

  /** Loads what urgent answers need, before anybody waits for it. */
  async prepareForUrgent(): Promise<void> {
    await this.#openUrgentEncoder();
  }

  /** An urgent answer takes a second core: 5 s of speech take 105 ms instead of 160, for a seventh more work. */
  async encode(samples: Float32Array, { isUrgent = false } = {}): Promise<Speech> {
    const around = Math.round(SILENCE_AROUND_SECONDS * SAMPLE_RATE_HZ);
    const padded = new Float32Array(samples.length + 2 * around);
    padded.set(raiseFaint(samples), around);
    const encoder = isUrgent ? await this.#openUrgentEncoder() : this.#encoder;
    const output = await encoder.run({ input_values: new Tensor("float32", padded, [1, padded.length]) });
    return (await this.#keys.run({ hidden: output.last_hidden_state as Tensor })) as Speech;
  }

  /** The likeliest token at each step: searching wider did not help. */
  async decode(speech: Speech, { mostTokens, mustSpeak = false, signal }: DecodeOptions): Promise<Decoded> {
    let memory = emptyMemory(this.#remembered, speech);
    const tokens: number[] = [];
    const logProbabilities: number[] = [];
    let silence = 0;
    let isLoop = false;
    let isEnded = false;
    while (tokens.length < mostTokens) {
      signal.throwIfAborted();
      const step = await this.#run(tokens.at(-1) ?? BEGIN, tokens.length, speech, memory);
      memory = step.memory;
      if (tokens.length === 0 && step.best.token === END) silence = Math.exp(step.best.logProbability);
      const mustGoOn = tokens.length === 0 && silence > 0 && (mustSpeak || silence < LIKELY_SILENCE);
      const { token, logProbability } = mustGoOn ? step.second : step.best;
      logProbabilities.push(logProbability);
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
      silence,
    };
  }

  async #run(token: number, position: number, speech: Speech, memory: Memory): Promise<Step> {
    const tokens = new Tensor("int64", BigInt64Array.of(BigInt(token)), [1, 1]);
    const at = new Tensor("int64", BigInt64Array.of(BigInt(position)), [1]);
    const output = await this.#step.run({ tokens, position: at, ...speech, ...memory });
    const likeliest = output.likeliest!.data as BigInt64Array;
    const [first, second] = output.log_probabilities!.data as Float32Array;
    return {
      best: { token: Number(likeliest[0]), logProbability: first! },
      second: { token: Number(likeliest[1]), logProbability: withoutFirst(first!, second!) },
      memory: Object.fromEntries(
        this.#remembered.map((name) => [name, output[name.replace("past", "present")] as Tensor]),
      ),
    };
  }

  #openUrgentEncoder(): Promise<InferenceSession> {
    this.#urgentEncoder ??= openGraph(join(this.#folder, COMPACT_ENCODER), Math.min(2, availableParallelism()));
    return this.#urgentEncoder;
  }
}

function openGraph(path: string, threads: number): Promise<InferenceSession> {
  return InferenceSession.create(path, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // A thread that waits for the other by spinning takes the core from somebody else.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
}

interface Choice {
  readonly token: number;
  readonly logProbability: number;
}

interface Step {
  readonly best: Choice;
  /** What to say instead when the best is forbidden. */
  readonly second: Choice;
  readonly memory: Memory;
}

/** Without the first choice, the others share its part. */
function withoutFirst(first: number, second: number): number {
  return Math.min(0, second - Math.log(Math.max(1e-6, 1 - Math.exp(first))));
}

function emptyMemory(names: readonly string[], speech: Speech): Memory {
  const [, heads, , size] = Object.values(speech)[0]!.dims;
  const nothing = new Tensor("float32", new Float32Array(0), [1, heads!, 0, size!]);
  return Object.fromEntries(names.map((name) => [name, nothing]));
}

function toText(tokens: readonly number[]): string {
  const known = tokens.filter((token) => token < TEXT_TOKENS);
  return llama
    .decode([BEGIN, ...known])
    .replace(/[♪♫]+/g, " ")
    .trim();
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? -9 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
