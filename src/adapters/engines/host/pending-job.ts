import { Problem } from "../../../platform/errors.ts";
import type { EngineChild } from "./engine-child.ts";

/** One job from admission to its last result. */
export class PendingJob {
  isOver = false;
  onCancelWhileWaiting: () => void = () => {};
  readonly #task: string;
  readonly #input: unknown;
  readonly #deadlineMs: number;
  readonly #cancelGraceMs: number;
  readonly #arrived: unknown[] = [];
  #failure: unknown;
  #wake: (() => void) | undefined;
  #steering: { acknowledge(): void; cancel(): void } | undefined;
  #child: EngineChild | undefined;
  #isCancelled = false;
  #unfollow: () => void = () => {};

  constructor(task: string, input: unknown, deadlineMs: number, cancelGraceMs: number) {
    this.#task = task;
    this.#input = input;
    this.#deadlineMs = deadlineMs;
    this.#cancelGraceMs = cancelGraceMs;
  }

  follow(signal: AbortSignal | undefined): void {
    if (!signal) return;
    const onAbort = () => {
      this.#failure ??= signal.reason;
      this.cancel();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#unfollow = () => signal.removeEventListener("abort", onAbort);
  }

  /** Resolves when the child is done with the job, however it went. */
  runOn(child: EngineChild): Promise<void> {
    return new Promise((resolve) => {
      this.#child = child;
      const deadline = setTimeout(() => {
        child.kill(`took longer than ${Math.round(this.#deadlineMs / 1000)} s for one request`);
      }, this.#deadlineMs);
      const finish = (failure?: unknown) => {
        clearTimeout(deadline);
        this.#end(failure);
        resolve();
      };
      this.#steering = child.start(this.#task, this.#input, {
        onChunk: (value) => {
          this.#arrived.push(value);
          this.#wake?.();
        },
        onEnd: () => finish(),
        onError: (problem) => finish(problem),
      });
    });
  }

  async *results<Result>(): AsyncIterable<Result> {
    for (;;) {
      if (this.#isCancelled && this.#failure) throw this.#failure;
      if (this.#arrived.length > 0) {
        const value = this.#arrived.shift() as Result;
        this.#steering?.acknowledge();
        yield value;
      } else if (this.isOver) {
        if (this.#failure) throw this.#failure;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** Called when the caller aborts, or leaves the loop over the results. */
  cancel(): void {
    if (this.isOver || this.#isCancelled) return;
    this.#isCancelled = true;
    if (this.#steering) {
      this.#steering.cancel();
      const child = this.#child;
      setTimeout(() => {
        if (!this.isOver) child?.kill("did not stop when asked");
      }, this.#cancelGraceMs).unref();
    } else {
      this.onCancelWhileWaiting();
      this.#end(this.#failure ?? new Problem("engine_unavailable", "The request was cancelled."));
    }
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#end(error);
  }

  #end(failure: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#failure ??= failure;
    this.#unfollow();
    this.#wake?.();
  }
}
