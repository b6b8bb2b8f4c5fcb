/** Remembers roughly how long jobs take, so that Retry-After is honest. */
export class RunningMean {
  value: number;
  constructor(first: number) {
    this.value = first;
  }
  add(sample: number): void {
    this.value += (sample - this.value) * 0.1;
  }
}

/** Adds up how long places were in use. */
export class BusyTime {
  #places = 0;
  #seconds = 0;
  #sinceMs = performance.now();

  /** Another one is in use (1) or free again (-1). */
  change(by: 1 | -1): void {
    this.#seconds = this.seconds;
    this.#sinceMs = performance.now();
    this.#places += by;
  }

  get seconds(): number {
    return this.#seconds + (this.#places * (performance.now() - this.#sinceMs)) / 1000;
  }
}
