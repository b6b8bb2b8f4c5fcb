/** Work that would hold up everybody if it were done in one go. Each `yield` is a place to let others pass. */
export type Steps<Result> = Generator<void, Result, void>;

interface Work {
  /** Does one step; true when it was the last. */
  step(): boolean;
}

/** Does long work a step at each turn of the event loop, and each turn for another holder: whoever brings much of it waits for
 *  their own, and a short request never waits for more than one step. */
export class Turns {
  readonly #waiting = new Map<string, Work[]>();
  #isGoing = false;

  run<Result>(holder: string, steps: Steps<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const work: Work = {
        step() {
          try {
            const { done, value } = steps.next();
            if (done) resolve(value);
            return done === true;
          } catch (error) {
            reject(error);
            return true;
          }
        },
      };
      const before = this.#waiting.get(holder);
      if (before) before.push(work);
      else this.#waiting.set(holder, [work]);
      if (!this.#isGoing) this.#goOn();
    });
  }

  #goOn(): void {
    this.#isGoing = true;
    setImmediate(() => {
      const [holder, list] = this.#waiting.entries().next().value!;
      if (list[0]!.step()) list.shift();
      // To the end of the row.
      this.#waiting.delete(holder);
      if (list.length > 0) this.#waiting.set(holder, list);
      this.#isGoing = this.#waiting.size > 0;
      if (this.#isGoing) this.#goOn();
    });
  }
}
