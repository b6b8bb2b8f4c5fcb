import { setMaxListeners } from "node:events";
import { sql } from "drizzle-orm";
import { newId } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import type { Database } from "../../ports/database.ts";
import type { Job, JobQueue, WorkOptions } from "../../ports/job-queue.ts";

const channel = "jobs";
/** A notification may be lost; nobody waits longer than this for its work to be seen. */
const pollMs = 2000;

type Handler = (job: Job<never>, signal: AbortSignal) => Promise<void>;
interface Worker {
  kind: string;
  handler: Handler;
  options: Required<WorkOptions>;
  onFailed: ((job: Job<never>, error: Error) => Promise<void>) | undefined;
  running: Set<Promise<void>>;
}

/** A jobs table: claimed with SKIP LOCKED, held by a lease, fenced by the attempt number, woken by NOTIFY. */
export function createJobQueue(database: Database, log: Log): JobQueue {
  const { queries } = database;
  const workers: Worker[] = [];
  const stopping = new AbortController();
  // One listener per running job is no leak, however many run.
  setMaxListeners(0, stopping.signal);
  let listening: Promise<void> | undefined;
  const timer = setInterval(() => fillAll(), pollMs);
  timer.unref();

  function fillAll(): void {
    for (const worker of workers) void fill(worker);
  }

  async function fill(worker: Worker): Promise<void> {
    while (!stopping.signal.aborted && worker.running.size < worker.options.concurrency) {
      // Reserve the place before asking, so that two wake-ups do not claim more than fit.
      let release: () => void = () => {};
      const place = new Promise<void>((resolve) => {
        release = resolve;
      });
      worker.running.add(place);
      const leave = () => {
        worker.running.delete(place);
        release();
      };
      const job = await claim(worker).catch((error) => {
        log.error({ kind: worker.kind, error: (error as Error).message }, "jobs cannot be claimed");
        return undefined;
      });
      if (!job) return leave();
      void run(worker, job).finally(() => {
        leave();
        void fill(worker);
      });
    }
  }

  async function claim(worker: Worker): Promise<(Job<never> & { maxAttempts: number }) | undefined> {
    const { rows } = await queries.execute<{
      id: string;
      workspace_id: string | null;
      payload: never;
      attempt: number;
      max_attempts: number;
    }>(sql`
      UPDATE jobs SET state = 'running', attempt = attempt + 1, lease_until = now() + ${worker.options.leaseMs} * interval '1 millisecond'
      WHERE id = (
        SELECT id FROM jobs
        WHERE kind = ${worker.kind}
          AND ((state = 'queued' AND run_at <= now()) OR (state = 'running' AND lease_until < now()))
        ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED
      )
      RETURNING id, workspace_id, payload, attempt, max_attempts`);
    const row = rows[0];
    if (!row) return undefined;
    const payload = typeof row.payload === "string" ? (JSON.parse(row.payload) as never) : row.payload;
    return { id: row.id, workspaceId: row.workspace_id, payload, attempt: row.attempt, maxAttempts: row.max_attempts };
  }

  async function run(worker: Worker, job: Job<never> & { maxAttempts: number }): Promise<void> {
    const abort = new AbortController();
    const onStop = () => abort.abort(new Error("the worker stops"));
    stopping.signal.addEventListener("abort", onStop, { once: true });
    const renewal = setInterval(() => void renew(worker, job, abort), worker.options.leaseMs / 3);
    try {
      await worker.handler(job, abort.signal);
      await finish(job, "completed", null);
    } catch (error) {
      await handleFailure(worker, job, error as Error);
    } finally {
      clearInterval(renewal);
      stopping.signal.removeEventListener("abort", onStop);
    }
  }

  async function handleFailure(worker: Worker, job: Job<never> & { maxAttempts: number }, error: Error): Promise<void> {
    if (stopping.signal.aborted) {
      // Interrupted, not failed: another process, or the next start, takes it at once.
      await queries.execute(sql`UPDATE jobs SET state = 'queued', attempt = attempt - 1, run_at = now(), lease_until = NULL
        WHERE id = ${job.id} AND attempt = ${job.attempt} AND state = 'running'`);
    } else if (job.attempt >= job.maxAttempts) {
      await worker.onFailed?.(job, error);
      await finish(job, "failed", error.message);
    } else {
      await queries.execute(sql`UPDATE jobs SET state = 'queued', lease_until = NULL, error = ${error.message},
        run_at = now() + ${worker.options.retryAfterMs(job.attempt)} * interval '1 millisecond'
        WHERE id = ${job.id} AND attempt = ${job.attempt} AND state = 'running'`);
    }
  }

  /** The attempt number is the fence: a worker that lost its lease can no longer change the job. */
  async function finish(job: Job<never>, state: "completed" | "failed", error: string | null): Promise<void> {
    await queries.execute(sql`UPDATE jobs SET state = ${state}, error = ${error}, finished_at = now(), lease_until = NULL
      WHERE id = ${job.id} AND attempt = ${job.attempt} AND state = 'running'`);
  }

  async function renew(worker: Worker, job: Job<never>, abort: AbortController): Promise<void> {
    const { rows } = await queries.execute(sql`
      UPDATE jobs SET lease_until = now() + ${worker.options.leaseMs} * interval '1 millisecond'
      WHERE id = ${job.id} AND attempt = ${job.attempt} AND state = 'running' RETURNING id`);
    if (rows.length === 0) abort.abort(new Error("another worker has taken the job"));
  }

  return {
    async enqueue({ kind, payload, workspaceId, runAt, maxAttempts = 3, within = queries }) {
      const id = newId("job_");
      await within.execute(sql`INSERT INTO jobs (id, kind, workspace_id, payload, run_at, max_attempts)
        VALUES (${id}, ${kind}, ${workspaceId ?? null}, ${JSON.stringify(payload)}::jsonb, ${(runAt ?? new Date()).toISOString()}, ${maxAttempts})`);
      await within.execute(sql`SELECT pg_notify(${channel}, ${kind})`);
      return id;
    },
    work(kind, handler, options = {}) {
      const worker: Worker = {
        kind,
        handler: handler as Handler,
        onFailed: options.onFailed as Worker["onFailed"],
        options: { concurrency: 1, leaseMs: 30_000, retryAfterMs: (attempt) => attempt ** 2 * 1000, ...options },
        running: new Set(),
      };
      workers.push(worker);
      listening ??= database.listen(channel, (woken) => {
        for (const one of workers) if (one.kind === woken) void fill(one);
      });
      listening.catch((error) => log.warn({ error: (error as Error).message }, "jobs are polled, not notified"));
      void fill(worker);
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.allSettled(workers.flatMap(({ running }) => [...running]));
    },
  };
}
