import { joinSamples } from "../../audio/pcm.ts";
import { findQuietest } from "../../audio/quietest.ts";
import { FRAME_SAMPLES, HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import { FallingSilent, SILENT_BELOW } from "./falling-silent.ts";

/** What a speaker has said since the last pause. */
export interface Utterance {
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
  /** With a little of what was before. */
  readonly samples: Float32Array;
  readonly speechMs: number;
  /** For each frame of `samples`, whether it is certainly speech. */
  readonly isSpeech: readonly boolean[];
}

export type UtteranceEvent =
  /** The first frame that may be speech. */
  | { readonly type: "noticed" }
  /** What was noticed ended before it was speech. */
  | { readonly type: "lost" }
  /** Somebody speaks. */
  | { readonly type: "started"; readonly number: number; readonly startMs: number }
  /** The speaker falls silent, perhaps only to breathe. */
  | { readonly type: "paused" }
  /** The speaker goes on, after so much silence. */
  | { readonly type: "resumed"; readonly quietMs: number }
  | { readonly type: "ended"; readonly utterance: Utterance };

const on = 0.5;
/** Clicks and coughs are shorter. */
const framesToStart = 3;
const framesToEnd = 9;
/** After a click, further clicks are not noticed for a second (a guess): whoever falls silent at each of them would stutter. */
const framesUnnoticed = 31;
const framesBefore = 10;
const longestFrames = Math.floor((15 * HEARING_RATE_HZ) / FRAME_SAMPLES);

/** Follows a live stream frame by frame and tells utterances apart by the pauses between them. */
export class UtteranceTracker {
  #frames: Float32Array[] = [];
  /** Of each of the frames. */
  #isSpeech: boolean[] = [];
  #number = 0;
  /** Frames since the beginning of the stream. */
  #position = 0;
  #isOpen = false;
  #speechFrames = 0;
  #quietFrames = 0;
  readonly #fallingSilent = new FallingSilent();
  #isPaused = false;
  #isNoticed = false;
  #noticesFrom = 0;

  /** Of the open utterance, or of the last one. */
  get number(): number {
    return this.#number;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isPaused(): boolean {
    return this.#isOpen && this.#isPaused;
  }

  /** How long the speaker of the open utterance has been silent. */
  get quietMs(): number {
    return this.#isOpen ? toMs(this.#quietFrames) : 0;
  }

  get positionMs(): number {
    return toMs(this.#position);
  }

  /** Speech of the open utterance so far. */
  get speechMs(): number {
    return this.#isOpen ? toMs(this.#speechFrames) : 0;
  }

  push(frame: Float32Array, probability: number): UtteranceEvent[] {
    this.#frames.push(frame);
    this.#isSpeech.push(probability >= SILENT_BELOW);
    this.#position += 1;
    return this.#isOpen ? this.#goOn(probability) : this.#listen(probability);
  }

  /** The open utterance as it is now. */
  snapshot(): Utterance | undefined {
    return this.#isOpen ? this.#cut(this.#frames.length) : undefined;
  }

  /** Ends the open utterance where it is. */
  finish(): Utterance | undefined {
    const utterance = this.snapshot();
    this.reset();
    return utterance;
  }

  reset(): void {
    // What was said belongs to the utterance that ends here; only the silence after it may begin the next one.
    const kept = this.#isOpen ? Math.min(framesBefore, this.#quietFrames) : framesBefore;
    this.#keep(this.#frames.length - Math.min(kept, this.#frames.length));
    this.#isOpen = false;
    this.#speechFrames = 0;
    this.#quietFrames = 0;
    this.#isPaused = false;
    this.#isNoticed = false;
  }

  #listen(probability: number): UtteranceEvent[] {
    this.#speechFrames = probability >= on ? this.#speechFrames + 1 : 0;
    if (this.#speechFrames < framesToStart) {
      this.#keep(Math.max(0, this.#frames.length - framesBefore - framesToStart));
      return this.#notice();
    }
    this.#isOpen = true;
    this.#number += 1;
    this.#quietFrames = 0;
    return [{ type: "started", number: this.#number, startMs: this.#startMs }];
  }

  #notice(): UtteranceEvent[] {
    const isVoice = this.#speechFrames > 0;
    if (isVoice === this.#isNoticed || (isVoice && this.#position < this.#noticesFrom)) return [];
    this.#isNoticed = isVoice;
    if (isVoice) return [{ type: "noticed" }];
    this.#noticesFrom = this.#position + framesUnnoticed;
    return [{ type: "lost" }];
  }

  #goOn(probability: number): UtteranceEvent[] {
    const wasPaused = this.#isPaused;
    const quietMs = toMs(this.#quietFrames);
    this.#isPaused = this.#fallingSilent.update(probability);
    if (probability >= on) this.#speechFrames += 1;
    this.#quietFrames = probability >= SILENT_BELOW ? 0 : this.#quietFrames + 1;
    if (this.#quietFrames >= framesToEnd) return [{ type: "ended", utterance: this.finish()! }];
    if (this.#frames.length > longestFrames) return this.#relieve();
    if (wasPaused === this.#isPaused) return [];
    return [wasPaused ? { type: "resumed", quietMs } : { type: "paused" }];
  }

  /** Speech without a pause is cut at its quietest moment, and what follows is the next utterance. */
  #relieve(): UtteranceEvent[] {
    const samples = joinSamples(this.#frames);
    const third = Math.floor(samples.length / 3);
    const at = Math.round(findQuietest(samples, third, samples.length - HEARING_RATE_HZ) / FRAME_SAMPLES);
    const utterance = this.#cut(at);
    const share = at / this.#frames.length;
    this.#keep(at);
    this.#speechFrames = Math.round(this.#speechFrames * (1 - share));
    this.#number += 1;
    return [
      { type: "ended", utterance: { ...utterance, speechMs: Math.round(utterance.speechMs * share) } },
      { type: "started", number: this.#number, startMs: this.#startMs },
    ];
  }

  #cut(frames: number): Utterance {
    const samples = joinSamples(this.#frames.slice(0, frames));
    const startMs = this.#startMs;
    return {
      number: this.#number,
      startMs,
      endMs: startMs + toMs(frames - (frames === this.#frames.length ? this.#quietFrames : 0)),
      samples,
      isSpeech: this.#isSpeech.slice(0, frames),
      speechMs: toMs(this.#speechFrames),
    };
  }

  /** Forgets the frames before this one. */
  #keep(from: number): void {
    this.#frames = this.#frames.slice(from);
    this.#isSpeech = this.#isSpeech.slice(from);
  }

  get #startMs(): number {
    return toMs(this.#position - this.#frames.length);
  }
}

function toMs(frames: number): number {
  return Math.round((frames * FRAME_SAMPLES * 1000) / HEARING_RATE_HZ);
}
