import type { Clock } from "../../platform/clock.ts";
import { Breaker } from "./breaker.ts";

/** Names of models come from outside; so many that failed are remembered. */
const mostModels = 1_000;

/** The breakers of one upstream: one for whether it can be reached at all, and one for each model, so that a model that is
 *  broken keeps nobody from the others. */
export class Breakers {
  readonly #clock: Clock;
  readonly #reach: Breaker;
  readonly #models = new Map<string, Breaker>();
  /** When a model will take requests again, by what the upstream said. */
  readonly #limitedUntilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#reach = new Breaker(clock);
  }

  /** Before each try. */
  admit(model: string): boolean {
    return this.#reach.admit() && (this.#models.size === 0 || (this.#models.get(model)?.admit() ?? true));
  }

  retryAfterSeconds(model: string): number {
    const open = this.#reach.isOpen ? this.#reach : this.#models.get(model);
    return (open ?? this.#reach).retryAfterSeconds;
  }

  isOpen(model?: string): boolean {
    return this.#reach.isOpen || (model !== undefined && this.#models.get(model)?.isOpen === true);
  }

  /** The models that are not asked at the moment. */
  get openModels(): string[] {
    return [...this.#models].filter(([, breaker]) => breaker.isOpen).map(([model]) => model);
  }

  /** It takes no more requests of this model for so long. */
  limit(model: string, seconds: number): void {
    if (this.#limitedUntilMs.size >= mostModels) this.#limitedUntilMs.clear();
    this.#limitedUntilMs.set(model, this.#clock.now() + seconds * 1000);
  }

  limitedForMs(model: string): number {
    if (this.#limitedUntilMs.size === 0) return 0;
    const leftMs = (this.#limitedUntilMs.get(model) ?? 0) - this.#clock.now();
    if (leftMs > 0) return leftMs;
    this.#limitedUntilMs.delete(model);
    return 0;
  }

  /** It answered, whatever it said. */
  reached(): void {
    this.#reach.succeed();
  }

  unreachable(): void {
    this.#reach.fail();
  }

  succeed(model: string): void {
    if (this.#models.size > 0) this.#models.delete(model);
  }

  fail(model: string): void {
    let breaker = this.#models.get(model);
    if (!breaker) {
      if (this.#models.size >= mostModels) this.#models.clear();
      breaker = new Breaker(this.#clock);
      this.#models.set(model, breaker);
    }
    breaker.fail();
  }

  /** The try ended without a verdict on the upstream, such as when the client hung up. */
  forget(model: string): void {
    this.#reach.forget();
    this.#models.get(model)?.forget();
  }
}
