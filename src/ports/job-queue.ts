import type { Queries } from "./database.ts";

export interface Job<Payload = unknown> {
  id: string;
  workspaceId: string | null;
  payload: Payload;
  /** 1 for the first try. */
  attempt: number;
}

export interface NewJob {
  kind: string;
  /** Names and numbers only: what people said or wrote never goes into a job. */
  payload: unknown;
  workspaceId?: string;
  /** Whose turn it takes: those with the fewest running jobs of a kind go first. Default: everybody's. */
  turnOf?: string;
  /** Not before this moment. */
  runAt?: Date;
  maxAttempts?: number;
  /** A transaction that the job belongs to: it exists only if that commits. */
  within?: Queries;
}

export interface WorkOptions {
  /** How many jobs of this kind run at once in this process. Default 1. */
  concurrency?: number;
  /** How many of those in this process may belong to one `turnOf`, so that a long job of another never waits for all of these. */
  mostPerTurn?: number;
  /** How long a job belongs to its worker without a sign of life. Default 15 s. */
  leaseMs?: number;
  /** Whether this process can do such work now; while it cannot, it leaves the jobs to others. Default: always. */
  canWork?(): boolean;
  /** When to try again after failure number `attempt`. Default: 1, 4, 9 ... seconds. */
  retryAfterMs?(attempt: number): number;
}

/** Work that outlives the process that accepted it. A job runs at least once: its worker may die after the work and before
 *  the note of it, so handlers must bear repetition. */
export interface JobQueue {
  enqueue(job: NewJob): Promise<string>;
  /** Runs jobs of a kind until stopped. A handler that throws, or whose process dies, is tried again until `maxAttempts`;
   *  then the job is `failed`, and `onFailed` is told by whoever has claimed it last. `signal` aborts when the worker stops or has lost the job to another. */
  work<Payload>(
    kind: string,
    handler: (job: Job<Payload>, signal: AbortSignal) => Promise<void>,
    options?: WorkOptions & { onFailed?(job: Job<Payload>, error: Error): Promise<void> },
  ): void;
  stop(): Promise<void>;
}
