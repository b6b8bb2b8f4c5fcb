import type { Clock } from "../../platform/clock.ts";

/** Names of models come from outside; so many that failed are remembered. */
const mostModels = 1_000;
const failuresToOpen = 5;
/** What one caller asks for, or one request, may be what fails. */
const requestsToOpen = 3;
const tenantsToOpen = 2;
const openMs = 10_000;

/** Whose request it is that failed. */
export interface Asker {
  readonly requestId: string;
  readonly tenant: string;
}

/** Stops asking what keeps failing. After a while one request tries again. */
class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  readonly #requests = new Set<string>();
  readonly #tenants = new Set<string>();
  #openUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get #hasTripped(): boolean {
    const isShared = this.#tenants.size >= tenantsToOpen || this.#requests.size >= requestsToOpen;
    return this.#failures >= failuresToOpen && isShared;
  }

  get isOpen(): boolean {
    return this.#hasTripped && this.#clock.now() < this.#openUntilMs;
  }

  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((this.#openUntilMs - this.#clock.now()) / 1000));
  }

  /** Before each try. While it is open one gets through after each wait; a single one that takes its time, as long answers do,
   *  must not keep everybody out. */
  admit(): boolean {
    if (!this.#hasTripped) return true;
    if (this.isOpen) return false;
    this.#openUntilMs = this.#clock.now() + openMs;
    return true;
  }

  succeed(): void {
    this.#failures = 0;
    this.#requests.clear();
    this.#tenants.clear();
  }

  fail({ requestId, tenant }: Asker): void {
    this.#failures += 1;
    if (this.#requests.size < requestsToOpen) this.#requests.add(requestId);
    if (this.#tenants.size < tenantsToOpen) this.#tenants.add(tenant);
    if (this.#hasTripped) this.#openUntilMs = this.#clock.now() + openMs;
  }

  /** The try ended without a verdict, such as when the caller hung up: the next one is the probe. */
  forget(): void {
    this.#openUntilMs = 0;
  }
}

/** The breakers of one upstream and its credential: one for whether it can be reached at all, and one for each model, so that a model
 *  that is broken keeps nobody from the others. */
export class CircuitBreakers {
  readonly #clock: Clock;
  readonly #reach: CircuitBreaker;
  readonly #models = new Map<string, CircuitBreaker>();
  /** When a model will take requests again, by what the upstream said. */
  readonly #limitedUntilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#reach = new CircuitBreaker(clock);
  }

  /** Before each try, which then ends in exactly one of `succeed`, `fail`, `unreachable` and `forget`. */
  admit(model: string): boolean {
    const breaker = this.#models.get(model);
    // Neither may spend its probe on a request that the other keeps back.
    if (this.#reach.isOpen || breaker?.isOpen) return false;
    return this.#reach.admit() && (breaker?.admit() ?? true);
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

  unreachable(asker: Asker): void {
    this.#reach.fail(asker);
  }

  succeed(model: string): void {
    if (this.#models.size > 0) this.#models.delete(model);
  }

  fail(model: string, asker: Asker): void {
    let breaker = this.#models.get(model);
    if (!breaker) {
      if (this.#models.size >= mostModels) this.#models.clear();
      breaker = new CircuitBreaker(this.#clock);
      this.#models.set(model, breaker);
    }
    breaker.fail(asker);
  }

  /** The try ended without a verdict on the upstream, or on the model. */
  forget(model: string): void {
    this.#reach.forget();
    this.#models.get(model)?.forget();
  }
}
