import { setMaxListeners } from "node:events";
import { sql } from "drizzle-orm";
import { describeError } from "../../platform/database-error.ts";
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
  /** Who was served when, as a counter: among those with equally many running jobs, whoever waited longest is next. */
  served: Map<string, number>;
  turns: number;
  /** Jobs of each that run in this process: another one has places of its own. */
  own: Map<string, number>;
  /** Claims of one worker follow one another: two at once would each count the other's job as waiting still. */
  claiming: Promise<unknown>;
}

interface Claimed extends Job<never> {
  readonly turnOf: string | null;
  readonly maxAttempts: number;
}

/** Whoever was served longer ago than this many others counts as new. */
const rememberedTurns = 200;

/** A jobs table: claimed in turns with SKIP LOCKED, held by a lease, fenced by the attempt number, woken by NOTIFY. */
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
    while (!stopping.signal.aborted && worker.options.canWork() && worker.running.size < worker.options.concurrency) {
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
      const claimed = worker.claiming.then(() => (stopping.signal.aborted ? undefined : tryToClaim(worker)));
      worker.claiming = claimed;
      const job = await claimed;
      if (!job) return leave();
      void run(worker, job)
        // The database is gone: the lease runs out, and whoever claims the job then goes on with it.
        .catch((error) =>
          log.error({ kind: worker.kind, job: job.id, error: describeError(error) }, "job left to its lease"),
        )
        .finally(() => {
          if (job.turnOf !== null) countOwn(worker, job.turnOf, -1);
          leave();
          void fill(worker);
        });
    }
  }

  function tryToClaim(worker: Worker): ReturnType<typeof claim> {
    return claim(worker).catch((error) => {
      log.error({ kind: worker.kind, error: describeError(error) }, "jobs cannot be claimed");
      return undefined;
    });
  }

  async function claim(worker: Worker): Promise<Claimed | undefined> {
    const { rows } = await queries.execute<{
      id: string;
      workspace_id: string | null;
      turn_of: string | null;
      payload: never;
      attempt: number;
      max_attempts: number;
    }>(sql`
      WITH busy AS (
        SELECT turn_of, count(*) AS jobs FROM jobs
        WHERE kind = ${worker.kind} AND state = 'running' AND lease_until >= now() GROUP BY turn_of
      )
      UPDATE jobs SET state = 'running', attempt = attempt + 1, lease_until = now() + ${worker.options.leaseMs} * interval '1 millisecond'
      WHERE id = (
        SELECT waiting.id FROM jobs waiting LEFT JOIN busy ON busy.turn_of = waiting.turn_of
        WHERE waiting.kind = ${worker.kind}
          AND ((waiting.state = 'queued' AND waiting.run_at <= now()) OR (waiting.state = 'running' AND waiting.lease_until < now()))
          AND coalesce((${JSON.stringify(Object.fromEntries(worker.own))}::jsonb ->> waiting.turn_of)::int, 0) < ${worker.options.mostPerTurn}
        ORDER BY coalesce(busy.jobs, 0), coalesce((${JSON.stringify(Object.fromEntries(worker.served))}::jsonb ->> waiting.turn_of)::int, 0), waiting.run_at LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED
      )
      RETURNING id, workspace_id, turn_of, payload, attempt, max_attempts`);
    const row = rows[0];
    if (!row) return undefined;
    if (row.turn_of !== null) {
      noteTurn(worker, row.turn_of);
      countOwn(worker, row.turn_of, 1);
    }
    const payload = typeof row.payload === "string" ? (JSON.parse(row.payload) as never) : row.payload;
    const { id, workspace_id: workspaceId, turn_of: turnOf, attempt, max_attempts: maxAttempts } = row;
    return { id, workspaceId, turnOf, payload, attempt, maxAttempts };
  }

  function countOwn(worker: Worker, turnOf: string, change: 1 | -1): void {
    const count = (worker.own.get(turnOf) ?? 0) + change;
    if (count > 0) worker.own.set(turnOf, count);
    else worker.own.delete(turnOf);
  }

  function noteTurn(worker: Worker, turnOf: string): void {
    worker.served.delete(turnOf);
    worker.served.set(turnOf, ++worker.turns);
    const oldest = worker.served.keys().next();
    if (worker.served.size > rememberedTurns && !oldest.done) worker.served.delete(oldest.value);
  }

  async function run(worker: Worker, job: Claimed): Promise<void> {
    const abort = new AbortController();
    const onStop = () => abort.abort(new Error("the worker stops"));
    stopping.signal.addEventListener("abort", onStop, { once: true });
    const renewal = setInterval(() => {
      renew(worker, job).then(
        (isOurs) => isOurs || abort.abort(new Error("another worker has taken the job")),
        (error) => log.warn({ kind: worker.kind, job: job.id, error: describeError(error) }, "job lease not renewed"),
      );
    }, worker.options.leaseMs / 3);
    try {
      // The workers of all its attempts have vanished over it.
      if (job.attempt > job.maxAttempts) throw new Error(`its worker ended ${job.maxAttempts} times`);
      await worker.handler(job, abort.signal);
      await finish(job, "completed", null);
    } catch (error) {
      await handleFailure(worker, job, error as Error);
    } finally {
      clearInterval(renewal);
      stopping.signal.removeEventListener("abort", onStop);
    }
  }

  async function handleFailure(worker: Worker, job: Claimed, error: Error): Promise<void> {
    if (stopping.signal.aborted) {
      // Interrupted, not failed, and so not counted: another process, or the next start, takes it at once.
      await queries.execute(sql`UPDATE jobs SET state = 'queued', attempt = attempt - 1, run_at = now(), lease_until = NULL
        WHERE id = ${job.id} AND attempt = ${job.attempt} AND state = 'running'`);
    } else if (job.attempt >= job.maxAttempts) {
      // Whoever has taken the job meanwhile says how it ends.
      if (!(await renew(worker, job))) return;
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

  /** False when the job is another worker's by now. */
  async function renew(worker: Worker, job: Job<never>): Promise<boolean> {
    const { rows } = await queries.execute(sql`
      UPDATE jobs SET lease_until = now() + ${worker.options.leaseMs} * interval '1 millisecond'
      WHERE id = ${job.id} AND attempt = ${job.attempt} AND state = 'running' RETURNING id`);
    return rows.length > 0;
  }

  return {
    async enqueue({ kind, payload, workspaceId, turnOf, runAt, maxAttempts = 3, within = queries }) {
      const id = newId("job_");
      await within.execute(sql`INSERT INTO jobs (id, kind, workspace_id, turn_of, payload, run_at, max_attempts)
        VALUES (${id}, ${kind}, ${workspaceId ?? null}, ${turnOf ?? null}, ${JSON.stringify(payload)}::jsonb, ${(runAt ?? new Date()).toISOString()}, ${maxAttempts})`);
      await within.execute(sql`SELECT pg_notify(${channel}, ${kind})`);
      return id;
    },
    work(kind, handler, options = {}) {
      const worker: Worker = {
        kind,
        handler: handler as Handler,
        onFailed: options.onFailed as Worker["onFailed"],
        options: {
          concurrency: 1,
          mostPerTurn: 1e6,
          leaseMs: 15_000,
          canWork: () => true,
          retryAfterMs: (attempt) => attempt ** 2 * 1000,
          ...options,
        },
        running: new Set(),
        served: new Map(),
        own: new Map(),
        turns: 0,
        claiming: Promise.resolve(),
      };
      workers.push(worker);
      listening ??= database.listen(channel, (woken) => {
        for (const one of workers) if (one.kind === woken) void fill(one);
      });
      listening.catch((error) => log.warn({ error: describeError(error) }, "jobs are polled, not notified"));
      void fill(worker);
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.allSettled(workers.flatMap(({ running }) => [...running]));
    },
  };
}
