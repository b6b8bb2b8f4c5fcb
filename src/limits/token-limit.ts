import { Problem } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { SlidingWindow } from "./sliding-window.ts";

/** Counts the tokens that keys with such a limit used in the last minute. What a request takes is known when it is over, so one that
 *  begins below the limit may end above it; the next one waits. */
export class TokenLimit {
  readonly #window: SlidingWindow;
  readonly #log: Log;

  /** The window is of a minute. */
  constructor(window: SlidingWindow, log: Log) {
    this.#window = window;
    this.#log = log;
  }

  /** Throws `rate_limited` until enough of the minute has passed. */
  async admit(keyId: string, limit: number): Promise<void> {
    const { isAllowed, retryAfterSeconds } = await this.#window.look(keyId, limit);
    if (isAllowed) return;
    throw new Problem(
      "rate_limited",
      `This key's limit of ${limit} tokens a minute is used up. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }

  add(keyId: string, tokens: number): void {
    if (tokens <= 0) return;
    this.#window
      .add(keyId, tokens)
      .catch((error) => this.#log.warn({ error: String(error) }, "tokens of a key could not be counted"));
  }
}
