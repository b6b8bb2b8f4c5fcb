import { type Heard, type TranscriptionEngine, UNKNOWN_LANGUAGE } from "../../ports/transcription-engine.ts";
import type { TurnDetector } from "../../ports/turn-detector.ts";
import { timeWords } from "../transcription/time-words.ts";
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
  readonly hearing: Promise<Heard>;
  readonly abort: AbortController;
  isSentence: boolean;
}

/** Hears finished utterances and reports them in order. It begins when the speaker falls silent, before it is sure that the
 *  utterance is over, so that the answer is there when it is. */
export class FinalHearing {
  readonly #options: FinalHearingOptions;
  readonly #signal: AbortSignal;
  #prepared: Prepared | undefined;
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
    const hearing = this.#hear(utterance, language, AbortSignal.any([this.#signal, abort.signal]));
    const { number, samples } = utterance;
    const prepared = { number, samples: samples.length, language, hearing, abort, isSentence: false };
    this.#prepared = prepared;
    hearing.then(
      ({ text, confidence }) => {
        prepared.isSentence = confidence >= sureOfEnd && sentenceEnd.test(text);
        if (prepared.isSentence && this.#prepared === prepared) onSentence(text);
      },
      () => {},
    );
  }

  /** The speaker goes on. */
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
    const hearing = isSame ? prepared.hearing : this.#hear(utterance, language, this.#signal);
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

  async #hear(utterance: Utterance, language: string | undefined, signal: AbortSignal): Promise<Heard> {
    const { transcription, key, flow } = this.#options;
    const { samples, speechMs } = utterance;
    const isUrgent = answersUnderWay === 0;
    const request = { samples, speechMs, isInterim: false, isUrgent, key, flow };
    const before = this.#queue;
    answersUnderWay += 1;
    const heard = await transcription.hear({ ...request, language }, signal).finally(() => {
      answersUnderWay -= 1;
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
