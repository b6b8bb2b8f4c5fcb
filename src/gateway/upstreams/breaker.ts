import type { Clock } from "../../platform/clock.ts";

const failuresToOpen = 5;
const openMs = 10_000;

/** Stops asking an upstream that keeps failing. After a while one request tries again. */
export class Breaker {
  readonly #clock: Clock;
  #failures = 0;
  #openUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return this.#failures >= failuresToOpen && this.#clock.now() < this.#openUntilMs;
  }

  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((this.#openUntilMs - this.#clock.now()) / 1000));
  }

  /** Before each try. While it is open one gets through after each wait; a single one that takes its time, as long answers do,
   *  must not keep everybody out. */
  admit(): boolean {
    if (this.#failures < failuresToOpen) return true;
    if (this.isOpen) return false;
    this.#openUntilMs = this.#clock.now() + openMs;
    return true;
  }

  succeed(): void {
    this.#failures = 0;
  }

  fail(): void {
    this.#failures += 1;
    if (this.#failures >= failuresToOpen) this.#openUntilMs = this.#clock.now() + openMs;
  }

  /** The try ended without a verdict on the upstream, such as when the client hung up. */
  forget(): void {
    this.#openUntilMs = 0;
  }
}
