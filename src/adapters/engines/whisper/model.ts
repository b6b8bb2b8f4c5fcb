import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { folderForProcessor } from "../../models/model-folder.ts";
import { findLoop, lengthWithoutLoop } from "../recogniser-graph/repetition.ts";
import { chooseToken, createRandom } from "./choose-token.ts";
import { LISTEN_GRAPHS, STEP_GRAPH } from "./files.ts";
import { HEAD_SIZE } from "./graph/layer-parts.ts";
import type { ListenWindow } from "./listen-inputs.ts";
import { Listener, Room, type Speech } from "./listener.ts";
import { readRules, type WhisperRules } from "./rules.ts";
import { BLANK, END, NO_TIMES, START, TRANSCRIBE, TRANSLATE } from "./tokens.ts";
import { Vocabulary } from "./vocabulary.ts";

/** How likely each language is, and that nobody speaks. */
export interface Identified {
  readonly probabilities: ReadonlyMap<string, number>;
  readonly silence: number;
  readonly memory: Memory;
}

export interface Written {
  readonly text: string;
  readonly tokens: readonly number[];
  /** Mean over the tokens and the end; the closer to 0, the surer. */
  readonly logProbability: number;
  /** It began to repeat itself; the text holds the phrase once. */
  readonly isLoop: boolean;
  readonly isCutOff: boolean;
  /** For each token, how much each row of the speech was looked at by each head that follows it. */
  readonly looks: readonly Float32Array[];
}

export interface WriteOptions {
  readonly language: string;
  readonly task: "transcribe" | "translate";
  readonly identified: Identified;
  readonly mostTokens: number;
  readonly temperature?: number;
  readonly signal: AbortSignal;
}

type Memory = Readonly<Record<string, Tensor>>;

/** One Whisper recogniser. */
export class WhisperModel {
  readonly vocabulary: Vocabulary;
  readonly #rules: WhisperRules;
  readonly #listener: Listener;
  readonly #step: InferenceSession;
  readonly #remembered: readonly string[];
  readonly #heads: number;
  readonly #rooms: Room[] = [];

  private constructor(rules: WhisperRules, vocabulary: Vocabulary, listener: Listener, step: InferenceSession) {
    this.#rules = rules;
    this.vocabulary = vocabulary;
    this.#listener = listener;
    this.#step = step;
    this.#remembered = step.inputNames.filter((name) => name.startsWith("past."));
    this.#heads = headsOf(step);
  }

  static async load(folder: string, threads: number): Promise<WhisperModel> {
    const options = optionsFor(threads);
    const graphs = folderForProcessor(folder, STEP_GRAPH);
    const paths = LISTEN_GRAPHS.map((file) => join(graphs, file));
    return new WhisperModel(
      await readRules(folder),
      await Vocabulary.load(folder),
      await Listener.open(paths, options),
      await InferenceSession.create(join(graphs, STEP_GRAPH), options),
    );
  }

  /** One that nobody is in; given back when what was heard in it is no longer needed. */
  takeRoom(): Room {
    return this.#rooms.pop() ?? new Room();
  }

  giveBack(room: Room): void {
    this.#rooms.push(room);
  }

  /** Stops soon after `signal` aborts. */
  listen(samples: Float32Array, window: ListenWindow, room: Room, signal: AbortSignal): Promise<Speech> {
    return this.#listener.listen(samples, window, room, signal);
  }

  async identify(speech: Speech): Promise<Identified> {
    const nothing = new Tensor("float32", new Float32Array(0), [1, this.#heads, 0, HEAD_SIZE]);
    const empty = Object.fromEntries(this.#remembered.map((name) => [name, nothing]));
    const { output, memory } = await this.#run([START], 0, speech, empty);
    const logs = output.languages!.data as Float32Array;
    const { languages } = this.#rules;
    const likely = languages.map((_, i) => Math.exp(logs[i]!));
    const all = likely.reduce((sum, value) => sum + value, 0);
    return {
      probabilities: new Map(languages.map((language, i) => [language, likely[i]! / all])),
      silence: Math.exp(logs[languages.length]!),
      memory,
    };
  }

  async write(speech: Speech, options: WriteOptions): Promise<Written> {
    const { language, task, identified, mostTokens, temperature = 0, signal } = options;
    const languageToken = this.#rules.languageTokens[this.#rules.languages.indexOf(language)]!;
    const prompt = [languageToken, task === "translate" ? TRANSLATE : TRANSCRIBE, NO_TIMES];
    const random = createRandom(speech.spokenRows + Math.round(10 * temperature));
    const tokens: number[] = [];
    const logProbabilities: number[] = [];
    const looks: Float32Array[] = [];
    let isLoop = false;
    let isEnded = false;
    let step = await this.#run(prompt, 1, speech, identified.memory);
    while (tokens.length < mostTokens) {
      signal.throwIfAborted();
      const choices = choicesOf(step.output, tokens.length === 0);
      const { token, logProbability } = chooseToken(choices, temperature, random);
      logProbabilities.push(logProbability);
      isEnded = token === END;
      if (isEnded) break;
      tokens.push(token);
      looks.push(step.output.looks!.data as Float32Array);
      const period = findLoop(tokens);
      if (period > 0) {
        isLoop = true;
        tokens.length = lengthWithoutLoop(tokens, period);
        logProbabilities.length = tokens.length;
        break;
      }
      step = await this.#run([token], prompt.length + tokens.length, speech, step.memory);
    }
    return {
      text: this.vocabulary.textOf(tokens),
      tokens,
      logProbability: logProbabilities.reduce((sum, value) => sum + value, 0) / Math.max(1, logProbabilities.length),
      isLoop,
      isCutOff: !isEnded && !isLoop,
      looks: looks.slice(0, tokens.length),
    };
  }

  async #run(tokens: readonly number[], position: number, speech: Speech, memory: Memory) {
    const longs = (values: readonly number[], dims: number[]) =>
      new Tensor("int64", BigInt64Array.from(values, BigInt), dims);
    const positions = tokens.map((_, i) => position + i);
    const output = await this.#step.run({
      tokens: longs(tokens, [1, tokens.length]),
      positions: longs(positions, [positions.length]),
      asked: longs([tokens.length - 1], [1]),
      ...speech.keys,
      ...memory,
    });
    const next = this.#remembered.map((name) => [name, output[name.replace("past", "present")] as Tensor]);
    return { output, memory: Object.fromEntries(next) as Memory };
  }
}

function optionsFor(threads: number): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // Every length is another, so that memory kept for one is waste for the next.
    enableCpuMemArena: false,
    enableMemPattern: false,
    // A thread that waits for the other by spinning takes the core from somebody else.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  };
}

/** The graph declares it as a size of what it remembers. */
function headsOf(step: InferenceSession): number {
  const past = step.inputMetadata.find(({ name }) => name === "past.0.key");
  const heads = past?.isTensor ? past.shape[1] : undefined;
  if (typeof heads !== "number") throw new Error("the graph of a step does not say how many heads it has");
  return heads;
}

function choicesOf(output: InferenceSession.OnnxValueMapType, isFirst: boolean) {
  const all = Array.from((output.likeliest as Tensor).data as BigInt64Array, Number);
  const logs = (output.log_probabilities as Tensor).data as Float32Array;
  // A text does not begin with its end, nor with a lone space.
  const allowed = all.map((_, i) => i).filter((i) => !isFirst || (all[i] !== END && all[i] !== BLANK));
  return { tokens: allowed.map((i) => all[i]!), logProbabilities: allowed.map((i) => logs[i]!) };
}
