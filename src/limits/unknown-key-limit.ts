import { networkOf } from "../platform/client-address.ts";
import type { Clock } from "../platform/clock.ts";
import { Problem } from "../platform/errors.ts";
import { MemoryStore } from "./memory-store.ts";
import { SlidingWindow } from "./sliding-window.ts";

/** A person who mistypes a key, or a client left with an old one, stays far below; a guess has no chance with any number. */
const perMinute = 120;

/** Counts requests with unknown keys and tokens by address: looking each up costs the database a read, and the same address may send
 *  thousands a second. Keys that are known are never affected. */
export class UnknownKeyLimit {
  readonly #window: SlidingWindow;

  constructor(clock: Clock) {
    this.#window = new SlidingWindow(new MemoryStore(60_000, clock, 1000));
  }

  note(address: string): void {
    void this.#window.add(networkOf(address));
  }

  /** Throws when the address has sent too many. */
  check(address: string): void {
    const { isAllowed, retryAfterSeconds } = this.#window.lastSeen(networkOf(address), perMinute);
    if (isAllowed) return;
    throw new Problem(
      "rate_limited",
      `Too many requests with unknown keys came from this address. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
}
