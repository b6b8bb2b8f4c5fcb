/** How a key stands in its window. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window is as empty as it will get without further requests. */
  readonly resetSeconds: number;
  /** Seconds until the oldest of what counts leaves the window. */
  readonly nextSeconds: number;
  /** Whole seconds after which the same is allowed; 0 when it was allowed. */
  readonly retryAfterSeconds: number;
}

/** What a store holds of a key, in milliseconds of the store's own clock. */
export interface WindowUse {
  readonly used: number;
  readonly oldestMs: number | undefined;
  readonly newestMs: number | undefined;
  /** When the use that must leave the window before the cost fits was counted. */
  readonly inTheWayMs: number | undefined;
  readonly nowMs: number;
}

export interface WindowTake extends WindowUse {
  readonly isTaken: boolean;
}

/** Keeps what was used when. A store belongs to one window. */
export interface WindowStore {
  readonly windowMs: number;
  /** Counts the cost if it fits below the limit. Of two servers that share a store never both get the last place. */
  take(key: string, cost: number, limit: number): Promise<WindowTake>;
  /** Counts what was used already, also beyond any limit. */
  add(key: string, cost: number): Promise<void>;
  look(key: string, cost: number, limit: number): Promise<WindowUse>;
  /** What is known here, without asking anybody. */
  lastSeen(key: string, cost: number, limit: number): WindowUse | undefined;
}

/** Opens the window that a service counts in. `isPlan` for what a plan includes, which all servers count together. */
export type OpenWindow = (name: string, windowMs: number, isPlan?: boolean) => SlidingWindow;

/** A true sliding window: no stretch of its length ever holds more than the limit, wherever it begins. What is refused does not
 *  count, so a client that waits as long as it was told succeeds. */
export class SlidingWindow {
  readonly #store: WindowStore;

  constructor(store: WindowStore) {
    this.#store = store;
  }

  async take(key: string, limit: number, cost = 1): Promise<RateVerdict> {
    const taken = await this.#store.take(key, cost, limit);
    return this.#judge(taken, limit, taken.isTaken);
  }

  add(key: string, cost = 1): Promise<void> {
    return this.#store.add(key, cost);
  }

  /** Whether the cost would be taken. */
  async look(key: string, limit: number, cost = 1): Promise<RateVerdict> {
    const use = await this.#store.look(key, cost, limit);
    return this.#judge(use, limit, use.used + cost <= limit);
  }

  /** The same as far as is known here, at once. */
  lastSeen(key: string, limit: number, cost = 1): RateVerdict {
    const use = this.#store.lastSeen(key, cost, limit);
    if (use) return this.#judge(use, limit, use.used + cost <= limit);
    const untouched = { limit, remaining: limit, resetSeconds: 0, nextSeconds: 0, retryAfterSeconds: 0 };
    return { isAllowed: cost <= limit, ...untouched };
  }

  #judge({ used, oldestMs, newestMs, inTheWayMs, nowMs }: WindowUse, limit: number, isAllowed: boolean): RateVerdict {
    const { windowMs } = this.#store;
    const secondsUntilGone = (time: number | undefined) =>
      time === undefined ? 0 : Math.max(0, Math.ceil((time + windowMs - nowMs) / 1000));
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, limit - used),
      resetSeconds: secondsUntilGone(newestMs),
      nextSeconds: secondsUntilGone(oldestMs),
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, secondsUntilGone(inTheWayMs ?? newestMs)),
    };
  }
}
