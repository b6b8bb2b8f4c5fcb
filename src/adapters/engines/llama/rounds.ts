/** Keeps conversations in step. The runtime evaluates whatever is waiting the moment it becomes free, and a conversation whose
 *  last word is still being chosen then misses that evaluation: of four, three take part each time. Here a step begins only when
 *  everybody who takes part is ready for it, and all then share one evaluation. */
export class Rounds {
  #members = 0;
  #waiting: { place: number; proceed: () => void }[] = [];

  /** How many take part. */
  get members(): number {
    return this.#members;
  }

  /** Takes part from now on. Call what it returns once, at the end. */
  join(): () => void {
    this.#members += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#members -= 1;
      this.#begin();
    };
  }

  /** Resolves when everybody is ready for the next step. Only for those who take part, one call at a time each. They go on in the
   *  order of their places in the model's memory: neighbours that come in order are computed together, which for four takes half
   *  as long. */
  ready(place: number): Promise<void> {
    return new Promise((proceed) => {
      this.#waiting.push({ place, proceed });
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#waiting.length < this.#members) return;
    const everybody = this.#waiting.sort((a, b) => a.place - b.place);
    this.#waiting = [];
    // In a turn of its own: the runtime, which looks for work once more at the end of this one, would begin with the first alone.
    setImmediate(() => {
      for (const { proceed } of everybody) proceed();
    });
  }
}
