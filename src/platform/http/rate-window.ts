import type { Clock } from "../clock.ts";
import { makeRoom } from "../make-room.ts";

export interface RateVerdict {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the window is as empty as it will get without further requests. */
  resetSeconds: number;
  /** Seconds until the oldest request that counts leaves the window. */
  nextSeconds: number;
  /** Whole seconds after which one more request is allowed; 0 when it was allowed. */
  retryAfterSeconds: number;
}

/** Counts the requests of each key. */
export interface TurnWindow {
  /** Counts one more, if it is allowed. */
  take(key: string, limit: number): RateVerdict | Promise<RateVerdict>;
  /** How things stand, as far as is known here, without taking a turn. */
  look(key: string, limit: number): RateVerdict;
}

/** Opens the window that a service counts in. `isPlan` for what a plan includes, which all servers count together. */
export type OpenWindow = (name: string, windowMs: number, isPlan?: boolean) => TurnWindow;

const mostKeys = 50_000;

/** A true sliding window: no stretch of `windowMs` ever holds more than the limit, wherever it begins. Refused requests do
 *  not count, so a client that waits as long as it was told succeeds. In memory, per node. */
export class RateWindow implements TurnWindow {
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #rings = new Map<string, Ring>();

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  take(key: string, limit: number): RateVerdict {
    return this.#judge(key, limit, true);
  }

  look(key: string, limit: number): RateVerdict {
    return this.#judge(key, limit, false);
  }

  #judge(key: string, limit: number, isTaken: boolean): RateVerdict {
    const now = this.#clock.now();
    const ring = this.#ringOf(key, limit);
    // The clock was set back: by it, what was counted lies in the future, and would count for that much longer.
    if (ring.size > 0 && ring.newest > now) ring.clear();
    ring.dropBefore(now - this.#windowMs);
    const isAllowed = ring.size < limit;
    if (isAllowed && isTaken) ring.push(now);
    const untilOldestLeavesMs = ring.size > 0 ? ring.oldest + this.#windowMs - now : 0;
    const untilNewestLeavesMs = ring.size > 0 ? ring.newest + this.#windowMs - now : 0;
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, limit - ring.size),
      resetSeconds: Math.ceil(untilNewestLeavesMs / 1000),
      nextSeconds: Math.ceil(untilOldestLeavesMs / 1000),
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(untilOldestLeavesMs / 1000)),
    };
  }

  #ringOf(key: string, limit: number): Ring {
    let ring = this.#rings.get(key);
    if (ring && ring.capacity < limit) ring.grow(limit);
    // Put last, so that the first are those that were used longest ago.
    if (ring) this.#rings.delete(key);
    else {
      ring = new Ring(limit);
      makeRoom(this.#rings, mostKeys);
    }
    this.#rings.set(key, ring);
    return ring;
  }
}

/** The times of the requests that still count, oldest first. */
class Ring {
  size = 0;
  #times: Float64Array;
  #start = 0;

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity);
  }

  get capacity(): number {
    return this.#times.length;
  }

  get oldest(): number {
    return this.#times[this.#start]!;
  }

  get newest(): number {
    return this.#times[(this.#start + this.size - 1) % this.capacity]!;
  }

  push(time: number): void {
    this.#times[(this.#start + this.size) % this.capacity] = time;
    this.size += 1;
  }

  clear(): void {
    this.size = 0;
  }

  dropBefore(time: number): void {
    while (this.size > 0 && this.oldest <= time) {
      this.#start = (this.#start + 1) % this.capacity;
      this.size -= 1;
    }
  }

  grow(capacity: number): void {
    const larger = new Float64Array(capacity);
    for (let index = 0; index < this.size; index++) larger[index] = this.#times[(this.#start + index) % this.capacity]!;
    this.#times = larger;
    this.#start = 0;
  }
}
