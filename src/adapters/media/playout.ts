import { PLAYED_RATE_HZ } from "../../ports/media.ts";

export const FRAME_MS = 20;
export const FRAME_SAMPLES = (PLAYED_RATE_HZ * FRAME_MS) / 1000;

/** How often the playing of a clip is told: often enough to show single words. */
const tellEveryMs = 100;

interface Clip {
  readonly id: number;
  readonly waiting: Int16Array[];
  playedSamples: number;
  toldMs: number;
  isEnded: boolean;
}

export type OnPlayed = (clip: number, playedMs: number, isOver: boolean) => void;

/** What is played to one caller, frame by frame. Nothing is handed out before it is due, because what has left cannot be taken
 *  back. */
export class Playout {
  readonly #onPlayed: OnPlayed;
  #clips: Clip[] = [];
  #isHeld = false;
  /** The sound that would have come next when the voice was stopped: it fades instead of ending in a click. */
  #fading: Int16Array | undefined;
  #isRising = false;

  constructor(onPlayed: OnPlayed) {
    this.#onPlayed = onPlayed;
  }

  play(id: number, samples: Int16Array): void {
    let clip = this.#clips.find((one) => one.id === id);
    if (!clip) {
      clip = { id, waiting: [], playedSamples: 0, toldMs: Number.NEGATIVE_INFINITY, isEnded: false };
      this.#clips.push(clip);
    }
    if (samples.length > 0) clip.waiting.push(samples);
  }

  endClip(id: number): void {
    this.play(id, new Int16Array(0));
    this.#clips.find((clip) => clip.id === id)!.isEnded = true;
  }

  hold(): void {
    if (this.#isHeld) return;
    this.#fading = this.#peek();
    this.#isHeld = true;
  }

  resume(): void {
    this.#isRising = this.#isHeld && this.#clips[0] !== undefined && this.#clips[0].playedSamples > 0;
    this.#isHeld = false;
  }

  drop(ids: readonly number[]): void {
    const current = this.#clips[0];
    if (current && ids.includes(current.id)) {
      if (!this.#isHeld && current.playedSamples > 0) this.#fading = this.#peek();
      this.#onPlayed(current.id, playedMs(current), true);
    }
    this.#clips = this.#clips.filter(({ id }) => !ids.includes(id));
  }

  /** The next 20 ms; undefined is silence. */
  frame(): Int16Array | undefined {
    const fading = this.#fading;
    this.#fading = undefined;
    if (fading) return ramp(fading, 1, 0);
    if (this.#isHeld) return undefined;
    const clip = this.#skipOver();
    if (!clip || clip.waiting.length === 0) return undefined;
    const samples = take(clip, FRAME_SAMPLES);
    clip.playedSamples += samples.length;
    if (playedMs(clip) - clip.toldMs >= tellEveryMs) this.#tell(clip);
    const frame = samples.length < FRAME_SAMPLES ? Int16Array.from({ ...samples, length: FRAME_SAMPLES }) : samples;
    const isRising = this.#isRising;
    this.#isRising = false;
    return isRising ? ramp(frame, 0, 1) : frame;
  }

  /** The clip whose turn it is, after those that are over. */
  #skipOver(): Clip | undefined {
    for (let clip = this.#clips[0]; clip; clip = this.#clips[0]) {
      if (clip.waiting.length > 0 || !clip.isEnded) return clip;
      this.#clips.shift();
      this.#onPlayed(clip.id, playedMs(clip), true);
    }
    return undefined;
  }

  #tell(clip: Clip): void {
    clip.toldMs = playedMs(clip);
    this.#onPlayed(clip.id, clip.toldMs, false);
  }

  #peek(): Int16Array | undefined {
    const first = this.#clips[0]?.waiting[0];
    if (!first) return undefined;
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(first.subarray(0, FRAME_SAMPLES));
    return frame;
  }
}

function playedMs({ playedSamples }: Clip): number {
  return Math.round((playedSamples * 1000) / PLAYED_RATE_HZ);
}

function take(clip: Clip, count: number): Int16Array {
  const first = clip.waiting[0]!;
  if (first.length > count) {
    clip.waiting[0] = first.subarray(count);
    return first.subarray(0, count);
  }
  clip.waiting.shift();
  const next = clip.waiting[0];
  if (first.length === count || !next) return first;
  const joined = new Int16Array(Math.min(count, first.length + next.length));
  joined.set(first);
  joined.set(next.subarray(0, joined.length - first.length), first.length);
  const used = joined.length - first.length;
  if (used === next.length) clip.waiting.shift();
  else clip.waiting[0] = next.subarray(used);
  return joined;
}

function ramp(samples: Int16Array, from: number, to: number): Int16Array {
  return samples.map((value, index) => value * (from + ((to - from) * index) / samples.length));
}
