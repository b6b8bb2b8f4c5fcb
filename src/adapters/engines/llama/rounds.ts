/** Keeps conversations in step. The runtime evaluates whatever is waiting the moment it becomes free, and a conversation whose
 *  last word is still being chosen then misses that evaluation: of four, three take part each time. Here a step begins only when
 *  everybody who takes part is ready for it, and all then share one evaluation. */
export class Rounds {
  #members = 0;
  #waiting: (() => void)[] = [];

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

  /** Resolves when everybody is ready for the next step. Only for those who take part, one call at a time each. */
  ready(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#waiting.length < this.#members) return;
    const everybody = this.#waiting;
    this.#waiting = [];
    for (const proceed of everybody) proceed();
  }
}
