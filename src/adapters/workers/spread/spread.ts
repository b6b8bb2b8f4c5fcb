import { isPassing, Problem } from "../../../platform/errors.ts";
import type { Catalog, EngineName } from "../catalog.ts";
import type { Load } from "../protocol.ts";
import { Declined } from "../remote-job.ts";
import type { Work, WorkerPool } from "../worker-pool.ts";

export interface Spread {
  /** What the workers of now can do, each kind of worker once. */
  catalogs(): readonly Catalog[];
  /** Runs here while there is room, on a free worker when there is none, and else waits here; on a worker where `local` is
   *  undefined. */
  stream<Result>(work: Work, local: (() => AsyncIterable<Result>) | undefined): AsyncIterable<Result>;
  /** The same for what has one result. */
  ask<Result>(work: Work, local: (() => Promise<Result>) | undefined): Promise<Result>;
  /** Tells every worker something that needs no answer. */
  tellAll(operation: string, input: unknown): void;
}

/** Spreads the work of engines over this machine and the workers. */
export function createSpread(pool: WorkerPool, loadHere: (engine: EngineName) => Load): Spread {
  return { catalogs: () => pool.roster.catalogs(), stream, ask, tellAll: pool.tellAll };

  async function* stream<Result>(work: Work, local: (() => AsyncIterable<Result>) | undefined): AsyncIterable<Result> {
    if (!local) return yield* pool.run<Result>(work);
    if (isFreeHere(work.lane.engine) || !pool.roster.load(work.lane.engine)) return yield* local();
    const elsewhere = await first(pool.run<Result>(work, { onlyIfFree: true })).catch(ifElsewhereFails(work.signal));
    if (elsewhere) return yield* elsewhere;
    const here = await first(local()).catch((error: unknown) => {
      if (error instanceof Problem && error.kind === "engine_busy") return undefined;
      throw error;
    });
    yield* here ?? pool.run<Result>(work);
  }

  async function ask<Result>(work: Work, local: (() => Promise<Result>) | undefined): Promise<Result> {
    const here = local && (() => once(local()));
    for await (const result of stream(work, here)) return result;
    work.signal.throwIfAborted();
    throw new Problem("engine_unavailable", "The engine gave no answer. Try again.");
  }

  function isFreeHere(engine: EngineName): boolean {
    const { queued, active, places } = loadHere(engine);
    return queued === 0 && active < places;
  }
}

/** All of it, once it is certain that there is a first one or that it ended well. */
async function first<Value>(values: AsyncIterable<Value>): Promise<AsyncIterable<Value>> {
  const iterator = values[Symbol.asyncIterator]();
  const head = await iterator.next();
  return (async function* () {
    try {
      for (let next = head; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

/** What another machine cannot do now is done here. */
function ifElsewhereFails(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (signal.aborted || !(error instanceof Declined || isPassing(error))) throw error;
    return undefined;
  };
}

/** An answer as a stream of one. */
export async function* once<Value>(answer: Promise<Value>): AsyncIterable<Value> {
  yield await answer;
}
