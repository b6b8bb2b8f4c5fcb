const fewestSamples = 10;
/** Nobody is given up sooner (guess). */
const leastMs = 10_000;
/** Beyond what is usual (guess). */
const margin = 3;
/** Of so many the median is taken: what an upstream was like an hour ago says little. */
const mostRecent = 64;

/** How long something usually takes, as TCP reckons its round trips: a running mean and four times the running deviation (RFC 6298);
 *  and the median of the last ones, to compare. */
export class Pace {
  #samples = 0;
  #meanMs = 0;
  #deviationMs = 0;
  readonly #recent: number[] = [];
  #median: number | undefined;

  note(ms: number): void {
    const isFirst = this.#samples === 0;
    this.#recent[this.#samples % mostRecent] = ms;
    this.#median = undefined;
    this.#samples += 1;
    this.#deviationMs = isFirst ? ms / 2 : (this.#deviationMs * 3 + Math.abs(this.#meanMs - ms)) / 4;
    this.#meanMs = isFirst ? ms : (this.#meanMs * 7 + ms) / 8;
  }

  /** Undefined as long as there is nothing to go by. */
  get medianMs(): number | undefined {
    if (this.#samples === 0) return undefined;
    this.#median ??= [...this.#recent].sort((one, other) => one - other)[Math.floor(this.#recent.length / 2)];
    return this.#median;
  }

  /** After which it takes unusually long; `mostMs` as long as too little is known. */
  limitMs(mostMs: number): number {
    if (this.#samples < fewestSamples) return mostMs;
    return Math.min(mostMs, Math.max(leastMs, margin * (this.#meanMs + 4 * this.#deviationMs)));
  }
}
