import { MemoryStore } from "../../limits/memory-store.ts";
import { SlidingWindow } from "../../limits/sliding-window.ts";
import type { Clock } from "../../platform/clock.ts";

const windowMs = 60_000;

/** How many requests a key takes in any minute. Counted on each server for itself. */
export class Allowance {
  readonly perMinute: number;
  readonly #window: SlidingWindow;

  constructor(perMinute: number, clock: Clock) {
    this.perMinute = perMinute;
    this.#window = new SlidingWindow(new MemoryStore(windowMs, clock));
  }

  /** 0 where a request may go at once. */
  get waitSeconds(): number {
    return this.#window.lastSeen("", this.perMinute).retryAfterSeconds;
  }

  count(): void {
    // Counts at once.
    void this.#window.add("");
  }
}
