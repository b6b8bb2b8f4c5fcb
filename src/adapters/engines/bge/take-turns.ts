/** Runs the pieces of several requests on a few lanes: requests take turns piece by piece, so a request with one short text
 *  never waits for all the pages of another. */
export class TakeTurns {
  readonly #lanes: number;
  readonly #waiting: Flow[] = [];
  #running = 0;

  constructor(lanes: number) {
    this.#lanes = lanes;
  }

  /** Results in the order of the pieces. Pieces that have not begun when `signal` aborts are never run. */
  runAll<Piece, Result>(
    pieces: readonly Piece[],
    run: (piece: Piece) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result[]> {
    if (pieces.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const results = new Array<Result>(pieces.length);
      let next = 0;
      let done = 0;
      const flow: Flow = {
        hasMore: () => next < pieces.length && !signal.aborted,
        async runNext() {
          const index = next++;
          results[index] = await run(pieces[index]!);
          done += 1;
          if (done === pieces.length) resolve(results);
        },
        fail(error) {
          next = pieces.length;
          reject(error);
        },
      };
      signal.addEventListener("abort", () => flow.fail(signal.reason), { once: true });
      this.#waiting.push(flow);
      this.#fill();
    });
  }

  #fill(): void {
    while (this.#running < this.#lanes) {
      const flow = this.#waiting.shift();
      if (!flow) return;
      if (!flow.hasMore()) continue;
      this.#running += 1;
      const turn = flow.runNext().catch((error: unknown) => flow.fail(error));
      this.#waiting.push(flow);
      void turn.finally(() => {
        this.#running -= 1;
        this.#fill();
      });
    }
  }
}

interface Flow {
  hasMore(): boolean;
  runNext(): Promise<void>;
  fail(error: unknown): void;
}
