import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";

const windowMs = 60_000;
const mostKeys = 10_000;

/** Counts the tokens that keys with such a limit used in the last minute. What a request takes is known when it is over, so one that
 *  begins below the limit may end above it; the next one waits. */
export class TokenWindows {
  readonly #clock: Clock;
  readonly #uses = new Map<string, { atMs: number; tokens: number }[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `rate_limited` until enough of the minute has passed. */
  admit(keyId: string, limit: number): void {
    const uses = this.#recent(keyId);
    let used = uses.reduce((sum, { tokens }) => sum + tokens, 0);
    if (used < limit) return;
    let freeAtMs = this.#clock.now();
    for (const { atMs, tokens } of uses) {
      used -= tokens;
      freeAtMs = atMs + windowMs;
      if (used < limit) break;
    }
    const retryAfterSeconds = Math.max(1, Math.ceil((freeAtMs - this.#clock.now()) / 1000));
    throw new Problem(
      "rate_limited",
      `This key's limit of ${limit} tokens a minute is used up. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }

  add(keyId: string, tokens: number): void {
    if (tokens <= 0) return;
    const uses = this.#recent(keyId);
    uses.push({ atMs: this.#clock.now(), tokens });
    if (!this.#uses.has(keyId) && this.#uses.size >= mostKeys) this.#uses.clear();
    this.#uses.set(keyId, uses);
  }

  #recent(keyId: string): { atMs: number; tokens: number }[] {
    const since = this.#clock.now() - windowMs;
    return (this.#uses.get(keyId) ?? []).filter(({ atMs }) => atMs > since);
  }
}
