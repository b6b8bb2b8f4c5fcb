/** Where a job comes from and what it may cost, so that the queue can be fair. */
export interface JobOptions {
  /** Whose turn this takes: usually the id of the API key. Turns are shared evenly between keys. */
  key: string;
  /** Jobs of one request share a flow; flows of one key take turns. Defaults to a flow of its own. */
  flow?: string;
  /** How much work this is, in any unit the engine's callers agree on (characters, samples). Default 1. */
  size?: number;
  /** Overrides the engine's own deadline for one job, counted from when it starts to run. */
  deadlineMs?: number;
  signal?: AbortSignal;
}

export type EngineState = "idle" | "loading" | "ready" | "missing" | "failed";

export interface EngineStatus {
  name: string;
  /** `idle` has its model and loads at the first job; `missing` lacks something a person must fetch or install. */
  state: EngineState;
  /** Why it is not ready and what to do, in one line. */
  reason?: string;
  /** Fraction between 0 and 1 while something long is under way. */
  progress?: number;
  queued: number;
  active: number;
  /** Jobs that can run side by side. */
  places: number;
  /** How long a job has taken lately. */
  meanJobMs: number;
  /** How long the first in the queue has waited. */
  oldestWaitMs: number;
  /** How much of its places was in use since it was made, in seconds of one place. */
  busySeconds: number;
  restarts: number;
  rssBytes: number;
}

/** Runs jobs of one engine outside this process's event loop. */
export interface EngineHost {
  readonly name: string;
  /** Yields the task's results in order and with back-pressure. Throws a Problem: `engine_busy` when the queue is full,
   *  `engine_unavailable` when the engine died or took too long, or whatever Problem the task itself threw.
   *  Ends soon after `signal` aborts, and leaving the loop early cancels the job. */
  run<Result>(task: string, input: unknown, options: JobOptions): AsyncIterable<Result>;
  /** The one result of a task that yields exactly once. */
  ask<Result>(task: string, input: unknown, options: JobOptions): Promise<Result>;
  status(): EngineStatus;
  close(): Promise<void>;
}
