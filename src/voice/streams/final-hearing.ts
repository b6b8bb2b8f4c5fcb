import { type Heard, type TranscriptionEngine, UNKNOWN_LANGUAGE } from "../../ports/transcription-engine.ts";
import type { TurnDetector } from "../../ports/turn-detector.ts";
import { timeWords } from "../transcription/time-words.ts";
import { HeardBeginning, isCut } from "./heard-beginning.ts";
import type { HearingEvent } from "./hearing-event.ts";
import type { Utterance } from "./utterance-tracker.ts";

/** Finals that may be under way; a stream that is further behind waits. */
const mostAtOnce = 2;
/** Too little to tell a language by: then it is the one spoken before. */
const shortMs = 1500;
const smallestUnknownMs = 1000;
/** Smart-turn takes some 100 ms; who waits for longer had better go by the words. */
const judgeMs = 1000;

/** An answer that sounds finished and is at least this certain is the end of a sentence. */
const sureOfEnd = 0.7;
const sentenceEnd = /[^.][.?!]["'”»]?$/;

/** Answers of all streams of this process that are being worked on. While others wait for theirs, nothing is begun that might
 *  turn out to be needless. */
let answersUnderWay = 0;
const prepareBelow = 2;

export interface FinalHearingOptions {
  readonly transcription: TranscriptionEngine;
  /** Tells whether the speaker has finished; absent where nobody asks. */
  readonly turns?: TurnDetector | undefined;
  readonly key: string;
  readonly flow: string;
  onEvent(event: HearingEvent): void;
}

interface Prepared {
  readonly number: number;
  readonly samples: number;
  readonly language: string | undefined;
  /** What follows the beginning; undefined when nothing does. */
  readonly rest: Utterance | undefined;
  readonly hearing: Promise<Heard> | undefined;
  readonly abort: AbortController;
  isSentence: boolean;
}

/** Hears finished utterances and reports them in order. It begins when the speaker falls silent, before it is sure that the
 *  utterance is over, so that the answer is there when it is. */
export class FinalHearing {
  readonly #options: FinalHearingOptions;
  readonly #signal: AbortSignal;
  #prepared: Prepared | undefined;
  #beginning = new HeardBeginning(0);
  /** Answers that this stream waits for. */
  #answers = 0;
  #queue: Promise<void> = Promise.resolve();
  #underWay = 0;
  #lastFinished = 0;
  #lastLanguage: string | undefined;

  constructor(options: FinalHearingOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  isOpen(utterance: number): boolean {
    return utterance > this.#lastFinished;
  }

  /** True when the answer that was begun early is there and is a whole sentence. */
  get isSentence(): boolean {
    return this.#prepared?.isSentence ?? false;
  }

  prepare(utterance: Utterance, language: string | undefined, onSentence: (text: string) => void): void {
    this.forget();
    if (answersUnderWay >= prepareBelow) return;
    const abort = new AbortController();
    const beginning = this.#beginningOf(utterance);
    const rest = beginning.restOf(utterance);
    const signal = AbortSignal.any([this.#signal, abort.signal]);
    const hearing = rest && this.#hearRest(beginning, rest, language, signal);
    const { number, samples } = utterance;
    const prepared = { number, samples: samples.length, language, rest, hearing, abort, isSentence: false };
    this.#prepared = prepared;
    beginning.join(hearing).then(
      (heard) => {
        prepared.isSentence = heard !== undefined && heard.confidence >= sureOfEnd && sentenceEnd.test(heard.text);
        if (heard && prepared.isSentence && this.#prepared === prepared) onSentence(heard.text);
      },
      () => {},
    );
  }

  /** The speaker goes on after a pause. True when what was said before it is kept, as the beginning of the answer. */
  goOn(utterance: Utterance, quietMs: number, takesLong: boolean): boolean {
    const beginning = this.#beginningOf(utterance);
    const { hearing, rest, language } = this.#prepared ?? {};
    const isKept = takesLong && hearing && rest && isCut(rest, quietMs);
    if (isKept && beginning.isPartOf(utterance, language)) {
      beginning.add(hearing, language, utterance, quietMs);
      this.#prepared = undefined;
      return true;
    }
    this.forget();
    return false;
  }

  /** What follows the beginning that is kept; undefined when nothing does. */
  restOf(utterance: Utterance): Utterance | undefined {
    return this.#beginningOf(utterance).restOf(utterance);
  }

  /** The beginning that is kept of the open utterance, as far as it is known. */
  get beginningText(): string {
    return this.#beginning.text;
  }

  forget(): void {
    this.#prepared?.abort.abort(new Error("the speaker went on"));
    this.#prepared = undefined;
  }

  finish(utterance: Utterance, language: string | undefined, wasShown: boolean): void {
    this.#lastFinished = utterance.number;
    const prepared = this.#prepared;
    const isUsable = prepared?.number === utterance.number && prepared.language === language;
    // What came after is silence, so the answer stands; only speech that was cut off elsewhere is heard anew.
    const isSame = isUsable && Math.abs(utterance.samples.length - prepared.samples) < 16_000;
    if (!isSame) this.forget();
    this.#prepared = undefined;
    const hearing = this.#hearAll(utterance, language, isSame ? prepared : undefined);
    hearing.catch(() => {});
    const judged = this.#judge(utterance);
    this.#underWay += 1;
    this.#queue = this.#queue.then(() => this.#report(utterance, hearing, judged, wasShown));
  }

  async settled(): Promise<void> {
    await this.#queue;
  }

  async room(): Promise<void> {
    while (this.#underWay > mostAtOnce && !this.#signal.aborted) await this.#queue;
  }

  #beginningOf({ number }: Pick<Utterance, "number">): HeardBeginning {
    if (this.#beginning.number !== number) this.#beginning = new HeardBeginning(number);
    return this.#beginning;
  }

  /** Joined from its pieces; all of it is heard anew where one of the first was lost or not understood. */
  async #hearAll(utterance: Utterance, language: string | undefined, prepared: Prepared | undefined): Promise<Heard> {
    const beginning = this.#beginningOf(utterance);
    this.#beginning = new HeardBeginning(0);
    if (!beginning.isPartOf(utterance, language)) return this.#hear(utterance, language, this.#signal);
    const rest = prepared ? prepared.rest : beginning.restOf(utterance);
    const hearing = prepared ? prepared.hearing : rest && this.#hearRest(beginning, rest, language, this.#signal);
    return (await beginning.join(hearing)) ?? this.#hear(utterance, language, this.#signal);
  }

  /** In the language of the beginning, where nobody named one. */
  async #hearRest(
    beginning: HeardBeginning,
    rest: Utterance,
    language: string | undefined,
    signal: AbortSignal,
  ): Promise<Heard> {
    const known = language === undefined && !beginning.isEmpty ? await beginning.language() : language;
    return this.#hear(rest, known, signal);
  }

  async #hear(utterance: Utterance, language: string | undefined, signal: AbortSignal): Promise<Heard> {
    const { transcription, key, flow } = this.#options;
    const { samples, speechMs } = utterance;
    const isUrgent = answersUnderWay === this.#answers;
    const request = { samples, speechMs, isInterim: false, isUrgent, key, flow };
    const before = this.#queue;
    answersUnderWay += 1;
    this.#answers += 1;
    const heard = await transcription.hear({ ...request, language }, signal).finally(() => {
      answersUnderWay -= 1;
      this.#answers -= 1;
    });
    if (heard.language !== UNKNOWN_LANGUAGE || speechMs >= shortMs) return heard;
    // What was said before may still be on its way.
    await before;
    return this.#lastLanguage ? transcription.hear({ ...request, language: this.#lastLanguage }, signal) : heard;
  }

  /** Beside the recogniser. Without an answer in time the words decide. */
  async #judge({ samples }: Utterance): Promise<number | undefined> {
    const { turns, key, flow } = this.#options;
    if (!turns) return undefined;
    try {
      return await turns.judge({ samples, key, flow }, AbortSignal.any([this.#signal, AbortSignal.timeout(judgeMs)]));
    } catch {
      return undefined;
    }
  }

  async #report(
    utterance: Utterance,
    hearing: Promise<Heard>,
    judged: Promise<number | undefined>,
    wasShown: boolean,
  ): Promise<void> {
    const { onEvent } = this.#options;
    const { number, startMs, endMs, speechMs } = utterance;
    try {
      const heard = await hearing;
      const { text, language, confidence } = heard;
      if (this.#signal.aborted) return;
      if (language !== UNKNOWN_LANGUAGE) this.#lastLanguage = language;
      // Silence after nothing was shown is no news.
      const isNews = text !== "" || wasShown || (language === UNKNOWN_LANGUAGE && speechMs >= smallestUnknownMs);
      const words = timeWords(heard, utterance);
      const endsTurn = await judged;
      const told = endsTurn === undefined ? {} : { endsTurn };
      if (isNews)
        onEvent({ type: "final", utterance: number, text, language, startMs, endMs, confidence, words, ...told });
      else onEvent({ type: "speech-discarded", utterance: number });
    } catch (error) {
      if (!this.#signal.aborted) onEvent({ type: "failed", utterance: number, error });
    } finally {
      this.#underWay -= 1;
    }
  }
}
