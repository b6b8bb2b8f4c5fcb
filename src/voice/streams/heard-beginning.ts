import { type Heard, type HeardWord, UNKNOWN_LANGUAGE } from "../../ports/transcription-engine.ts";
import { FRAME_SAMPLES, HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import type { Utterance } from "./utterance-tracker.ts";

const frameMs = (FRAME_SAMPLES * 1000) / HEARING_RATE_HZ;
/** A pause cuts an utterance when so much was said before it and it was so long. Chosen on 58 recordings in five languages: of 777
 *  words, 118 instead of 113 were wrong; 122 with pauses of 96 ms (docs/figures/speech-to-text.md). */
const leastSpeechMs = 3000;
const leastQuietMs = 128;
/** Less would not have begun an utterance either. */
const leastRestMs = 96;

interface Piece {
  readonly fromMs: number;
  readonly hearing: Promise<Heard>;
}

/** The beginning of a long utterance, heard piece by piece while the rest is still being said: where hearing takes long, only the
 *  last piece is waited for at the end. */
export class HeardBeginning {
  /** The utterance that it is the beginning of. */
  readonly number: number;
  #pieces: readonly Piece[] = [];
  #frames = 0;
  #text = "";
  /** As it was asked for. */
  #language: string | undefined;

  constructor(number: number) {
    this.number = number;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** As far as it is known by now. */
  get text(): string {
    return this.#text;
  }

  /** What was said up to the pause that has just ended is heard on its own; what follows begins in the middle of the pause. */
  add(hearing: Promise<Heard>, language: string | undefined, utterance: Utterance, quietMs: number): void {
    this.#language = language;
    const pieces = [...this.#pieces, { fromMs: this.#frames * frameMs, hearing }];
    this.#pieces = pieces;
    this.#frames = utterance.samples.length / FRAME_SAMPLES - Math.ceil(quietMs / frameMs / 2);
    joinAll(pieces).then(
      (heard) => {
        if (heard && this.#pieces === pieces) this.#text = heard.text;
      },
      () => {},
    );
  }

  /** The language that is spoken; undefined where nobody knows. */
  async language(): Promise<string | undefined> {
    const heard = await this.#pieces[0]?.hearing.catch(() => undefined);
    return heard?.language === UNKNOWN_LANGUAGE ? undefined : heard?.language;
  }

  /** What comes after it; undefined when nothing is said there. */
  restOf(utterance: Utterance): Utterance | undefined {
    if (this.isEmpty) return utterance;
    const isSpeech = utterance.isSpeech.slice(this.#frames);
    const speechMs = isSpeech.filter(Boolean).length * frameMs;
    if (speechMs < leastRestMs) return undefined;
    const startMs = utterance.startMs + this.#frames * frameMs;
    return {
      ...utterance,
      samples: utterance.samples.subarray(this.#frames * FRAME_SAMPLES),
      startMs,
      isSpeech,
      speechMs,
    };
  }

  /** False where the utterance was cut elsewhere, or another language was asked for in the meantime. */
  isPartOf({ number, samples }: Utterance, language: string | undefined): boolean {
    const isWithin = this.number === number && this.#frames * FRAME_SAMPLES <= samples.length;
    return this.isEmpty || (isWithin && this.#language === language);
  }

  /** All of the utterance. Undefined when a part of the beginning was lost or not understood. */
  join(rest: Promise<Heard> | undefined): Promise<Heard | undefined> {
    const last = rest ? [{ fromMs: this.#frames * frameMs, hearing: rest }] : [];
    return joinAll([...this.#pieces, ...last], rest);
  }
}

/** Whether a pause after what was said since the last cut is one, too. */
export function isCut(said: Pick<Utterance, "speechMs">, quietMs: number): boolean {
  return said.speechMs >= leastSpeechMs && quietMs >= leastQuietMs;
}

async function joinAll(pieces: readonly Piece[], rest?: Promise<Heard>): Promise<Heard | undefined> {
  const settled = await Promise.allSettled(pieces.map(({ hearing }) => hearing));
  const heard = settled.map((one, i) => (one.status === "fulfilled" ? later(one.value, pieces[i]!.fromMs) : undefined));
  const beginning = rest ? heard.slice(0, -1) : heard;
  if (!beginning.every(isUnderstood)) return undefined;
  const last = rest ? [later(await rest, pieces.at(-1)!.fromMs)] : [];
  return [...beginning, ...last].reduce(joinTwo);
}

function isUnderstood(heard: Heard | undefined): heard is Heard {
  return heard !== undefined && heard.text !== "" && heard.language !== UNKNOWN_LANGUAGE;
}

function later(heard: Heard, byMs: number): Heard {
  if (!heard.words) return heard;
  const words = heard.words.map(({ word, startMs, endMs }) => ({
    word,
    startMs: startMs + byMs,
    endMs: endMs + byMs,
  }));
  return { ...heard, words };
}

function joinTwo(one: Heard, other: Heard): Heard {
  if (other.text === "") return one;
  const first = /^\p{Ll}/u.test(other.text) ? withoutStop(one) : one;
  const [length, added] = [first.text.length, other.text.length];
  const confidence = (first.confidence * length + other.confidence * added) / (length + added);
  const { words: before, ...known } = first;
  const words: readonly HeardWord[] | undefined = before && other.words && [...before, ...other.words];
  return {
    ...known,
    text: `${first.text} ${other.text}`,
    confidence: Math.round(confidence * 1000) / 1000,
    ...(words ? { words } : {}),
  };
}

/** A piece was taken for a sentence, which then went on. */
function withoutStop(heard: Heard): Heard {
  const cut = (text: string) => text.replace(/(?<!\.)\.$/, "");
  const words = heard.words?.map((word, i, all) => (i < all.length - 1 ? word : { ...word, word: cut(word.word) }));
  return { ...heard, text: cut(heard.text), ...(words ? { words } : {}) };
}
