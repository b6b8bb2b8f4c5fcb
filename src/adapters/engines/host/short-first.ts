import { setImmediate as lookUp } from "node:timers/promises";

interface Job {
  readonly size: number;
  readonly done: Promise<void>;
  /** It has just let another one pass, and goes on first. */
  hasYielded: boolean;
}

/** Lets a short job of an engine child pass a long one, between two steps of the long one. */
export class ShortFirst {
  readonly #jobs = new Set<Job>();

  /** Runs a job of this size, which waits for `between` whenever it can be interrupted. Throws there when the signal has aborted. */
  async run<Result>(
    size: number,
    signal: AbortSignal,
    work: (between: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const job: Job = { size, done, hasYielded: false };
    this.#jobs.add(job);
    try {
      return await work(() => this.#between(job, signal));
    } finally {
      this.#jobs.delete(job);
      finish();
    }
  }

  async #between(job: Job, signal: AbortSignal): Promise<void> {
    // Jobs and cancellations that came while the runtime held the process are read here.
    await lookUp();
    signal.throwIfAborted();
    const shorter = job.hasYielded ? undefined : [...this.#jobs].find(({ size }) => size < job.size);
    job.hasYielded = shorter !== undefined;
    await shorter?.done;
    signal.throwIfAborted();
  }
}
