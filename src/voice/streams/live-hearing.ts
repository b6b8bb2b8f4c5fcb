import { UNKNOWN_LANGUAGE } from "../../ports/transcription-engine.ts";
import {
  type Activity,
  type ActivityState,
  FRAME_SAMPLES,
  HEARING_RATE_HZ,
  type VoiceActivityDetector,
} from "../../ports/voice-activity.ts";
import { createLeveller, createOffsetFilter } from "../transcription/prepare-audio.ts";
import { FinalHearing, type FinalHearingOptions } from "./final-hearing.ts";
import { SteadyText } from "./steady-text.ts";
import { type Utterance, UtteranceTracker } from "./utterance-tracker.ts";

export interface LiveHearingOptions extends FinalHearingOptions {
  readonly activity: VoiceActivityDetector;
  /** A code of the engine; undefined identifies the language of each utterance. */
  readonly language: string | undefined;
}

const largestStretch = 64 * FRAME_SAMPLES;
/** Audio that may wait; beyond it `push` makes its caller wait. */
const mostWaiting = 10 * HEARING_RATE_HZ;
/** A client that stops sending in the middle of an utterance has stopped listening to it: push-to-talk, a muted microphone. */
const endAfterNothingMs = 1500;
/** Whoever listens along is at most this far behind. */
const liveBelowWaiting = HEARING_RATE_HZ;
const firstGuessMs = { pinned: 480, detected: 800 };
/** Silence that ends an utterance whose words are a whole sentence. Anything else may go on for longer. */
const endAfterSentenceMs = 160;

/** Follows one live stream of speech: sockets and calls hear with it. Sound goes in at any pace, events come out in order. */
export class LiveHearing {
  readonly #options: LiveHearingOptions;
  readonly #tracker = new UtteranceTracker();
  readonly #finals: FinalHearing;
  readonly #removeOffset = createOffsetFilter();
  readonly #level = createLeveller();
  readonly #abort = new AbortController();
  #language: string | undefined;
  #waiting: Int16Array[] = [];
  #waitingSamples = 0;
  #state: ActivityState | undefined;
  #pumping: Promise<void> | undefined;
  #steady = new SteadyText();
  /** What was shown of the open utterance before its last pause that was a cut. */
  #shownBefore = "";
  #guess: { readonly utterance: number; readonly abort: AbortController } | undefined;
  #nextGuessMs = 0;
  #guessedLanguage: string | undefined;
  #nothingComes: NodeJS.Timeout | undefined;

  constructor(options: LiveHearingOptions) {
    this.#options = options;
    this.#language = options.language;
    this.#finals = new FinalHearing(options, this.#abort.signal);
  }

  /** Milliseconds of sound that were looked at so far. */
  get positionMs(): number {
    return this.#tracker.positionMs;
  }

  /** Sound that came and was not looked at yet: a machine that keeps up has next to none. */
  get behindMs(): number {
    return Math.round((this.#waitingSamples * 1000) / HEARING_RATE_HZ);
  }

  setLanguage(language: string | undefined): void {
    this.#language = language;
  }

  /** Takes 16 kHz samples. Resolves at once, or when there is room again. */
  async push(samples: Int16Array): Promise<void> {
    clearTimeout(this.#nothingComes);
    this.#waiting.push(samples);
    this.#waitingSamples += samples.length;
    const pumping = this.#startPump();
    while (this.#waitingSamples > mostWaiting && !this.#abort.signal.aborted) {
      await Promise.race([pumping, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    if (this.#abort.signal.aborted) return;
    this.#nothingComes = setTimeout(() => void this.#endOfSound(), endAfterNothingMs);
    this.#nothingComes.unref();
  }

  /** Ends the open utterance where it is; resolves when everything said so far was reported. */
  async flush(): Promise<void> {
    clearTimeout(this.#nothingComes);
    await this.#startPump();
    this.#take(FRAME_SAMPLES - 1, true);
    const utterance = this.#tracker.finish();
    if (utterance) this.#finish(utterance);
    await this.#finals.settled();
  }

  /** Only what was heard so far can be over: a stream that is behind has more to come. */
  async #endOfSound(): Promise<void> {
    if (this.#waitingSamples < FRAME_SAMPLES && !this.#pumping) await this.flush();
    else this.#nothingComes = setTimeout(() => void this.#endOfSound(), endAfterNothingMs);
  }

  /** Stops at once and reports nothing more. */
  stop(): void {
    this.#abort.abort(new Error("the stream has ended"));
    clearTimeout(this.#nothingComes);
    this.#waiting = [];
    this.#waitingSamples = 0;
  }

  #startPump(): Promise<void> {
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
    });
    return this.#pumping;
  }

  async #pump(): Promise<void> {
    while (this.#waitingSamples >= FRAME_SAMPLES && !this.#abort.signal.aborted) {
      const samples = this.#removeOffset(this.#take(largestStretch));
      const activity = await this.#detect(this.#level(samples));
      if (!activity || this.#abort.signal.aborted) continue;
      this.#state = activity.state;
      for (const [index, probability] of activity.probabilities.entries()) {
        this.#look(samples.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES), probability);
      }
      // A whole file may arrive at once; it is heard at the pace of the recogniser.
      await this.#finals.room();
    }
  }

  /** The next whole frames that wait, up to a limit; the rest stays, unless it is dropped. */
  #take(most: number, isDropped = false): Int16Array {
    const wanted = Math.min(most, this.#waitingSamples);
    const count = isDropped ? wanted : wanted - (wanted % FRAME_SAMPLES);
    const taken = new Int16Array(count);
    let filled = 0;
    while (filled < count) {
      const first = this.#waiting[0]!;
      const part = first.subarray(0, count - filled);
      taken.set(part, filled);
      filled += part.length;
      if (part.length === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(part.length);
    }
    this.#waitingSamples -= count;
    return taken;
  }

  /** The detector keeps nothing, so a stretch that died with its process is simply given to the next one. */
  async #detect(samples: Float32Array): Promise<Activity | undefined> {
    const { activity, key, flow } = this.#options;
    for (let attempt = 1; !this.#abort.signal.aborted; attempt++) {
      try {
        return await activity.detect({ samples, state: this.#state, key, flow }, this.#abort.signal);
      } catch (error) {
        if (this.#abort.signal.aborted) return undefined;
        if (attempt < 3) continue;
        const utterance = this.#tracker.finish()?.number;
        this.#options.onEvent({ type: "failed", utterance, error });
        return undefined;
      }
    }
    return undefined;
  }

  #look(frame: Float32Array, probability: number): void {
    for (const event of this.#tracker.push(frame, probability)) {
      if (event.type === "noticed") this.#options.onEvent({ type: "voice-noticed" });
      else if (event.type === "lost") this.#options.onEvent({ type: "voice-lost" });
      else if (event.type === "started") {
        this.#steady = new SteadyText();
        this.#shownBefore = "";
        this.#guessedLanguage = undefined;
        this.#nextGuessMs = this.#language ? firstGuessMs.pinned : firstGuessMs.detected;
        this.#options.onEvent({ type: "speech-started", utterance: event.number, startMs: event.startMs });
      } else if (event.type === "paused") {
        this.#prepare(this.#tracker.snapshot()!);
      } else if (event.type === "resumed") {
        this.#goOn(event.quietMs);
        this.#options.onEvent({ type: "speech-resumed", utterance: this.#tracker.number });
      } else {
        this.#finish(event.utterance);
      }
    }
    if (this.#tracker.isPaused) this.#endIfSaid();
    else if (this.#tracker.isOpen) this.#guessIfDue();
  }

  /** Where the beginning of the answer is kept, guesses are made at what follows. Nobody waits for the end of a file. */
  #goOn(quietMs: number): void {
    const language = this.#language ?? this.#guessedLanguage;
    const takesLong = language !== undefined && this.#options.transcription.takesLong?.(language) === true;
    if (!this.#finals.goOn(this.#tracker.snapshot()!, quietMs, takesLong && !this.#isBehind)) return;
    this.#shownBefore = this.#shown;
    this.#steady = new SteadyText();
    this.#nextGuessMs = this.#tracker.speechMs + firstGuessMs.pinned;
    this.#giveUpGuess();
  }

  /** What is shown of the open utterance. */
  get #shown(): string {
    return [this.#finals.beginningText || this.#shownBefore, this.#steady.text].filter(Boolean).join(" ");
  }

  #prepare(utterance: Utterance): void {
    // The first words are waited for; more of them will be in the answer, were the speaker to stop here.
    if (this.#shown !== "") this.#giveUpGuess();
    this.#finals.prepare(utterance, this.#language, (text) => {
      this.#options.onEvent({ type: "sentence-paused", utterance: utterance.number, text });
      this.#endIfSaid();
    });
  }

  get #isBehind(): boolean {
    return this.#waitingSamples > liveBelowWaiting;
  }

  /** In a file that arrives at once, only silence tells utterances apart, so that they are the same each time. */
  #endIfSaid(): void {
    if (this.#isBehind || this.#tracker.quietMs < endAfterSentenceMs || !this.#finals.isSentence) return;
    this.#finish(this.#tracker.finish()!);
  }

  #finish(utterance: Utterance): void {
    if (this.#guess?.utterance === utterance.number) this.#giveUpGuess();
    const silentMs = Math.max(0, this.#tracker.positionMs - utterance.endMs) + this.behindMs;
    this.#options.onEvent({ type: "speech-ended", utterance: utterance.number, silentMs });
    this.#finals.finish(utterance, this.#language, this.#shown !== "");
  }

  /** A guess at what is about to be known would only keep the processor from it. */
  #giveUpGuess(): void {
    this.#guess?.abort.abort(new Error("the answer is on its way"));
  }

  #guessIfDue(): void {
    if (this.#tracker.speechMs < this.#nextGuessMs || this.#guess || this.#isBehind) return;
    const snapshot = this.#tracker.snapshot()!;
    const said = this.#finals.restOf(snapshot);
    if (!said) return;
    const { transcription, key, flow, onEvent } = this.#options;
    const guess = { utterance: snapshot.number, abort: new AbortController() };
    this.#guess = guess;
    const startedMs = performance.now();
    const steady = this.#steady;
    transcription
      .hear(
        {
          samples: said.samples,
          speechMs: said.speechMs,
          language: this.#language ?? this.#guessedLanguage,
          isInterim: true,
          key,
          flow,
        },
        AbortSignal.any([this.#abort.signal, guess.abort.signal]),
      )
      .then(({ text, language }) => {
        if (this.#abort.signal.aborted || !this.#finals.isOpen(guess.utterance) || this.#steady !== steady) return;
        if (language === UNKNOWN_LANGUAGE || text === "") return;
        this.#guessedLanguage = language;
        const before = this.#shown;
        steady.update(text);
        const shown = this.#shown;
        if (shown !== before) onEvent({ type: "interim", utterance: guess.utterance, text: shown, language });
      })
      // A guess that fails is only a guess: the final answer will tell.
      .catch(() => {})
      .finally(() => {
        this.#guess = undefined;
        // Guesses that come slowly mean that many speak at once: then everybody gets fewer.
        const tookMs = performance.now() - startedMs;
        if (this.#steady !== steady) return;
        // One that was given up for a pause is made when the speaker goes on.
        const pauseMs = guess.abort.signal.aborted ? 0 : this.#pauseAfterGuessMs(tookMs);
        this.#nextGuessMs = snapshot.speechMs + pauseMs;
      });
  }

  /** Until something is shown it is waited for; then every word is news; later guesses cost more and change less. */
  #pauseAfterGuessMs(tookMs: number): number {
    if (this.#shown === "") return Math.max(192, tookMs);
    return Math.max(this.#tracker.speechMs < 2500 ? 450 : 900, 2 * tookMs);
  }
}
