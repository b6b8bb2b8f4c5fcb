import { findQuietest } from "../../audio/quietest.ts";
import { FRAME_SAMPLES, HEARING_RATE_HZ } from "../../ports/voice-activity.ts";

/** A stretch of a recording in which somebody speaks, with a little of what surrounds it. */
export interface SpeechCut {
  readonly startMs: number;
  readonly endMs: number;
  readonly samples: Float32Array;
  /** For each 32 ms of `samples`, whether it is certainly speech. */
  readonly isSpeech: readonly boolean[];
  readonly speechMs: number;
}

/** Measured on human speech: see docs/figures/speech-to-text.md. */
export const cutting = {
  /** A frame starts speech above `on` and goes on with it above `off`. */
  on: 0.5,
  off: 0.35,
  quietFramesToEnd: 9,
  shortestFrames: 3,
  mergeSamples: 0.8 * HEARING_RATE_HZ,
  /** A cut costs words on both sides of it, and a longer stretch more work for each of its seconds. */
  longestSamples: 25 * HEARING_RATE_HZ,
  paddingSamples: 0.3 * HEARING_RATE_HZ,
} as const;

interface Stretch {
  start: number;
  end: number;
}

/** Cuts a recording into stretches of speech while it streams by, and remembers only what may still be needed. */
export class SpeechCutter {
  #samples: Float32Array = new Float32Array(0);
  #isSpeech: boolean[] = [];
  /** Position of the first remembered sample; always at a frame. */
  #origin = 0;
  #position = 0;
  #open: (Stretch & { quietFrames: number }) | undefined;
  #waiting: Stretch | undefined;
  #previousEnd: number | undefined;
  readonly #ready: SpeechCut[] = [];

  /** Takes the next samples with the probability of speech for each of their frames, and gives what is now complete. */
  push(samples: Float32Array, probabilities: Float32Array): SpeechCut[] {
    this.#remember(samples, probabilities);
    for (const [index, probability] of probabilities.entries()) {
      this.#look(this.#position + index * FRAME_SAMPLES, probability);
    }
    this.#position += samples.length;
    if (this.#open) this.#relieveOpen(this.#open);
    else if (this.#waiting && this.#position - this.#waiting.end > cutting.mergeSamples) this.#release(undefined);
    this.#forget();
    return this.#ready.splice(0);
  }

  finish(): SpeechCut[] {
    if (this.#open) this.#close({ ...this.#open, end: Math.min(this.#open.end, this.#position) });
    this.#open = undefined;
    this.#release(undefined);
    return this.#ready.splice(0);
  }

  #look(at: number, probability: number): void {
    const open = this.#open;
    const frameEnd = at + FRAME_SAMPLES;
    if (!open) {
      if (probability >= cutting.on) this.#open = { start: at, end: frameEnd, quietFrames: 0 };
    } else if (probability >= cutting.off) {
      open.quietFrames = 0;
      open.end = frameEnd;
    } else if (++open.quietFrames >= cutting.quietFramesToEnd) {
      this.#open = undefined;
      this.#close(open);
    }
  }

  /** Speech without a pause must not grow for ever. */
  #relieveOpen(open: Stretch): void {
    while (open.end - open.start > cutting.longestSamples * 1.35) {
      this.#release(open.start);
      const cut = this.#quietest(open);
      this.#waiting = { start: open.start, end: cut };
      this.#release(cut);
      open.start = cut;
    }
  }

  #close({ start, end }: Stretch): void {
    if (end - start < cutting.shortestFrames * FRAME_SAMPLES) return;
    const waiting = this.#waiting;
    const joins =
      waiting && start - waiting.end <= cutting.mergeSamples && end - waiting.start <= cutting.longestSamples;
    if (joins) {
      waiting.end = end;
      return;
    }
    this.#release(start);
    let rest = { start, end };
    while (rest.end - rest.start > cutting.longestSamples) {
      const cut = this.#quietest(rest);
      this.#waiting = { start: rest.start, end: cut };
      this.#release(cut);
      rest = { start: cut, end: rest.end };
    }
    this.#waiting = rest;
  }

  #quietest({ start, end }: Stretch): number {
    const from = start + Math.max(HEARING_RATE_HZ, Math.floor((end - start) / 4));
    const to = Math.min(end - HEARING_RATE_HZ, start + cutting.longestSamples);
    return this.#origin + findQuietest(this.#samples, from - this.#origin, to - this.#origin);
  }

  /** The padding reaches at most half-way into the gap to a neighbour. */
  #release(nextStart: number | undefined): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    const { paddingSamples } = cutting;
    const before = this.#previousEnd === undefined ? 0 : (this.#previousEnd + waiting.start) >> 1;
    const after = nextStart === undefined ? this.#end : (nextStart + waiting.end) >> 1;
    const start = Math.max(before, waiting.start - paddingSamples, this.#origin);
    const end = Math.min(after, waiting.end + paddingSamples, this.#end);
    this.#previousEnd = waiting.end;
    const firstFrame = Math.floor((start - this.#origin) / FRAME_SAMPLES);
    const isSpeech = this.#isSpeech.slice(firstFrame, Math.ceil((end - this.#origin) / FRAME_SAMPLES));
    this.#ready.push({
      startMs: toMs(start),
      endMs: toMs(end),
      samples: this.#samples.slice(start - this.#origin, end - this.#origin),
      isSpeech,
      speechMs: toMs(isSpeech.filter(Boolean).length * FRAME_SAMPLES),
    });
  }

  get #end(): number {
    return this.#origin + this.#samples.length;
  }

  #remember(samples: Float32Array, probabilities: Float32Array): void {
    const joined = new Float32Array(this.#samples.length + samples.length);
    joined.set(this.#samples);
    joined.set(samples, this.#samples.length);
    this.#samples = joined;
    for (const probability of probabilities) this.#isSpeech.push(probability >= cutting.on);
  }

  #forget(): void {
    const needed = (this.#waiting ?? this.#open)?.start ?? this.#position;
    const keepFrom = Math.max(this.#origin, needed - HEARING_RATE_HZ);
    const frames = Math.floor((keepFrom - this.#origin) / FRAME_SAMPLES);
    if (frames === 0) return;
    this.#samples = this.#samples.slice(frames * FRAME_SAMPLES);
    this.#isSpeech.splice(0, frames);
    this.#origin += frames * FRAME_SAMPLES;
  }
}

function toMs(samples: number): number {
  return Math.round((samples * 1000) / HEARING_RATE_HZ);
}
