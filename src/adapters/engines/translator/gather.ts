import { setMaxListeners } from "node:events";

/** One sentence of some request. */
export interface Gathered<Item> {
  readonly item: Item;
  /** Pieces, so that sentences of about one length go together. */
  readonly length: number;
  /** Sentences of one request share a flow; flows take turns. */
  readonly flow: string;
  /** Never beside another: its translation then depends on nothing but itself. */
  readonly isAlone: boolean;
}

interface Waiting<Item, Result> extends Gathered<Item> {
  readonly signal: AbortSignal;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface GatherLimits {
  readonly sentences: number;
  /** Of all sentences together, each as long as the longest. */
  readonly pieces: number;
}

/** Brings together the sentences that wait, of one request or of many, since eight at once cost less than eight in turn. */
export class Gather<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #limits: GatherLimits;
  readonly #flows = new Map<string, Waiting<Item, Result>[]>();
  #isRunning = false;

  constructor(run: (items: readonly Item[]) => Promise<readonly Result[]>, limits: GatherLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  add(gathered: Gathered<Item>, signal: AbortSignal): Promise<Result> {
    // A request has as many sentences as it likes, and each listens.
    setMaxListeners(0, signal);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const waiting = { ...gathered, signal, resolve, reject };
      const flow = this.#flows.get(gathered.flow);
      if (flow) flow.push(waiting);
      else this.#flows.set(gathered.flow, [waiting]);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (!this.#isRunning) void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    this.#isRunning = true;
    // The other sentences of the request are added in this turn, and other requests may have arrived with it.
    await new Promise((resolve) => setImmediate(resolve));
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      try {
        const results = await this.#run(batch.map(({ item }) => item));
        for (const [index, waiting] of batch.entries()) waiting.resolve(results[index]!);
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** One sentence of each flow in turn, as long as they fit beside the first. */
  #take(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    let longest = 0;
    for (let hasMore = true; hasMore && batch.length < this.#limits.sentences; ) {
      hasMore = false;
      for (const [flow, list] of [...this.#flows]) {
        const place = this.#findFitting(list, batch, longest);
        if (place < 0) continue;
        const [taken] = list.splice(place, 1);
        // To the end of the line.
        this.#flows.delete(flow);
        if (list.length > 0) this.#flows.set(flow, list);
        if (taken!.signal.aborted) {
          hasMore = true;
          continue;
        }
        batch.push(taken!);
        longest = Math.max(longest, taken!.length);
        hasMore = true;
        if (taken!.isAlone || batch.length >= this.#limits.sentences) return batch;
      }
    }
    return batch;
  }

  #findFitting(
    list: readonly Waiting<Item, Result>[],
    batch: readonly Waiting<Item, Result>[],
    longest: number,
  ): number {
    if (batch.length === 0) return list.length > 0 ? 0 : -1;
    return list.findIndex(({ length, isAlone, signal }) => {
      const most = Math.max(longest, length);
      const isSimilar = most <= 2 * Math.min(...batch.map((one) => one.length), length) + 8;
      return signal.aborted || (!isAlone && isSimilar && most * (batch.length + 1) <= this.#limits.pieces);
    });
  }
}
