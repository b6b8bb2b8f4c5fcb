import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import { strangerOf } from "../../platform/http/stranger-of.ts";
import { makeRoom } from "../../platform/make-room.ts";

const windowMs = 60_000;
/** A person who mistypes a key, or a client left with an old one, stays far below; a guess has no chance with any number. */
const mostPerWindow = 120;
const mostAddresses = 10_000;

/** Counts requests with unknown keys and tokens by address: looking each up costs the database a read, and the same address may send
 *  thousands a second. Keys that are known are never affected. */
export class Strangers {
  readonly #clock: Clock;
  readonly #addresses = new Map<string, { sinceMs: number; count: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(address: string): void {
    const now = this.#clock.now();
    const stranger = strangerOf(address);
    const known = this.#addresses.get(stranger);
    if (known && now >= known.sinceMs && now - known.sinceMs < windowMs) {
      known.count += 1;
      return;
    }
    // Put last, so that the first are those that began longest ago.
    this.#addresses.delete(stranger);
    makeRoom(this.#addresses, mostAddresses);
    this.#addresses.set(stranger, { sinceMs: now, count: 1 });
  }

  /** Throws when the address has sent too many. */
  check(address: string): void {
    const known = this.#addresses.get(strangerOf(address));
    const leftMs = known ? known.sinceMs + windowMs - this.#clock.now() : 0;
    // More than a whole window is left only when the clock was set back.
    if (!known || known.count < mostPerWindow || leftMs <= 0 || leftMs > windowMs) return;
    const retryAfterSeconds = Math.ceil(leftMs / 1000);
    throw new Problem(
      "rate_limited",
      `Too many requests with unknown keys came from this address. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
}
