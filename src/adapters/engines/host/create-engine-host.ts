import { randomUUID } from "node:crypto";
import { list, Problem } from "../../../platform/errors.ts";
import type { EngineHost, EngineState, EngineStatus, JobOptions } from "../../../ports/engine-host.ts";
import type { ChildOptions } from "./engine-child.ts";
import { FairQueue, type Ticket } from "./fair-queue.ts";
import { BusyTime, RunningMean } from "./job-times.ts";
import { PendingJob } from "./pending-job.ts";
import { Slot } from "./slot.ts";

export interface EngineHostOptions
  extends Omit<ChildOptions, "memoryLimitMb" | "loadDeadlineMs" | "niceness" | "isReplacedOften">,
    Partial<Pick<ChildOptions, "memoryLimitMb" | "loadDeadlineMs" | "niceness">> {
  /** How many children run side by side. Default 1. */
  children?: number;
  /** Jobs that one child runs at the same time. Default 1. */
  jobsPerChild?: number;
  /** Jobs up to this size find one more place in each child, beside those that take long. Default: none do. */
  shortUpTo?: number;
  /** A child is replaced after this many jobs: 1 gives every job a fresh process. */
  retireAfterJobs?: number;
  /** A child above this resident size is replaced as soon as it has no job. */
  retireAboveMb?: number;
  /** Jobs of one key that run at the same time. Default: as many as there are places. */
  placesPerKey?: number;
  /** Jobs that may wait, half of them of one workspace. Default 64. */
  queueLimit?: number;
  /** Time for one job from its start. Default 60 s. */
  deadlineMs?: number;
  /** After an abort the child has this long to stop by itself. Default 5 s. */
  cancelGraceMs?: number;
  /** What is missing before a child can load, as one line that says what to do; undefined when nothing is. */
  missing?: () => string | undefined;
}

/** Keeps engine children alive and gives them jobs: a crash, a hang or a leak costs one request, never the server. */
export function createEngineHost(given: EngineHostOptions): EngineHost {
  const options = {
    children: 1,
    jobsPerChild: 1,
    shortUpTo: 0,
    placesPerKey: Number.POSITIVE_INFINITY,
    retireAfterJobs: Number.POSITIVE_INFINITY,
    retireAboveMb: Number.POSITIVE_INFINITY,
    deadlineMs: 60_000,
    cancelGraceMs: 5_000,
    memoryLimitMb: 4096,
    loadDeadlineMs: 120_000,
    niceness: 5,
    isReplacedOften: Number.isFinite(given.retireAfterJobs ?? Number.POSITIVE_INFINITY),
    ...given,
  };
  const queue = new FairQueue<PendingJob>(options.queueLimit ?? 64);
  const slots = Array.from({ length: options.children }, () => new Slot());
  const meanJobMs = new RunningMean(2000);
  const busy = new BusyTime();
  /** Jobs that run, by key and by flow. */
  const running = new Map<string, number>();
  const runningFlows = new Map<string, number>();
  let restarts = 0;
  let isClosed = false;

  return { name: options.name, run, ask, status, close };

  async function* run<Result>(task: string, input: unknown, job: JobOptions): AsyncIterable<Result> {
    const pending = admit(task, input, job);
    try {
      yield* pending.results<Result>();
    } finally {
      pending.cancel();
    }
  }

  async function ask<Result>(task: string, input: unknown, job: JobOptions): Promise<Result> {
    try {
      return await askOnce(task, input, job);
    } catch (error) {
      if (job.signal?.aborted || !wasKilled(error)) throw error;
      return askOnce(task, input, job);
    }
  }

  async function askOnce<Result>(task: string, input: unknown, job: JobOptions): Promise<Result> {
    let answer: { result: Result } | undefined;
    for await (const result of run<Result>(task, input, job)) answer ??= { result };
    if (answer) return answer.result;
    job.signal?.throwIfAborted();
    throw new Problem("engine_unavailable", `The ${options.name} engine gave no answer. Try again.`);
  }

  function admit(task: string, input: unknown, job: JobOptions): PendingJob {
    job.signal?.throwIfAborted();
    if (isClosed) throw new Problem("engine_unavailable", "The server is shutting down. Try again in a moment.");
    const missing = options.missing?.();
    if (missing) throw new Problem("engine_unavailable", missing);
    if (!queue.hasRoom(job.key)) {
      // A queue moves no faster than its first has seen it move, whatever jobs took before.
      const waitMs = Math.max((meanJobMs.value * (queue.length + 1)) / capacity(), oldestWaitMs());
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
      throw new Problem(
        "engine_busy",
        `The ${options.name} engine has ${queue.length} requests waiting. Try again in ${retryAfterSeconds} s.`,
        {
          retryAfterSeconds,
        },
      );
    }
    const pending = new PendingJob(task, input, job.deadlineMs ?? options.deadlineMs, options.cancelGraceMs);
    const ticket = queue.push(pending, job.key, job.flow ?? randomUUID(), job.size ?? 1);
    pending.onCancelWhileWaiting = () => queue.remove(ticket);
    pending.follow(job.signal);
    queueMicrotask(dispatch);
    return pending;
  }

  function oldestWaitMs(): number {
    return queue.oldestMs === undefined ? 0 : performance.now() - queue.oldestMs;
  }

  function capacity(): number {
    return options.children * options.jobsPerChild;
  }

  function dispatch(): void {
    while (queue.length > 0 && !isClosed) {
      const free = pickSlot(options.jobsPerChild);
      const slot = free ?? (options.shortUpTo > 0 ? pickSlot(options.jobsPerChild + 1) : undefined);
      if (!slot) return;
      const mayRun = (key: string) => (running.get(key) ?? 0) < options.placesPerKey;
      const next = queue.shift(mayRun, free ? undefined : isShort);
      if (!next) return;
      slot.reserved += 1;
      busy.change(1);
      void serve(slot, next);
    }
  }

  /** A request that already has a place leaves the one for short jobs to others. */
  function isShort({ size, flow }: Ticket<PendingJob>): boolean {
    return size <= options.shortUpTo && !runningFlows.has(flow);
  }

  /** The least busy slot with fewer jobs than this, preferring one whose child is already loaded. */
  function pickSlot(places: number): Slot | undefined {
    return slots
      .filter((slot) => slot.reserved < places && !slot.isRetiring)
      .sort((a, b) => a.reserved - b.reserved || Number(b.isReady) - Number(a.isReady))[0];
  }

  async function serve(slot: Slot, { item: pending, key, flow }: Ticket<PendingJob>): Promise<void> {
    count(running, key, 1);
    count(runningFlows, flow, 1);
    try {
      const child = await slot.ensure(options, () => {
        restarts += 1;
      });
      if (pending.isOver) return;
      slot.served += 1;
      const startedMs = performance.now();
      await pending.runOn(child);
      meanJobMs.add(performance.now() - startedMs);
    } catch (error) {
      pending.fail(error);
    } finally {
      slot.reserved -= 1;
      busy.change(-1);
      count(running, key, -1);
      count(runningFlows, flow, -1);
      await retireIfDue(slot);
      dispatch();
    }
  }

  async function retireIfDue(slot: Slot): Promise<void> {
    const child = slot.child;
    if (!child || child.isDead || slot.isRetiring) return;
    const isSpent = slot.served >= options.retireAfterJobs || child.rssBytes > options.retireAboveMb * 1024 * 1024;
    if (!isSpent || slot.reserved > 0) return;
    slot.isRetiring = true;
    child.kill("was replaced");
    await child.exited;
    slot.isRetiring = false;
    // Single-use children start their successor ahead of time, so that the next job does not wait for it.
    if (Number.isFinite(options.retireAfterJobs) && !isClosed) slot.ensure(options, () => {}).catch(() => {});
  }

  function status(): EngineStatus {
    const { state, reason } = describe();
    return {
      name: options.name,
      state,
      ...(reason ? { reason } : {}),
      queued: queue.length,
      // Also those whose child is still loading.
      active: slots.reduce((sum, slot) => sum + slot.reserved, 0),
      places: capacity(),
      meanJobMs: meanJobMs.value,
      oldestWaitMs: oldestWaitMs(),
      busySeconds: busy.seconds,
      restarts,
      rssBytes: slots.reduce((sum, slot) => sum + (slot.child && !slot.child.isDead ? slot.child.rssBytes : 0), 0),
    };
  }

  function describe(): { state: EngineState; reason?: string } {
    const missing = options.missing?.();
    if (missing) return { state: "missing", reason: missing };
    if (slots.some((slot) => slot.isReady)) return { state: "ready" };
    if (slots.some((slot) => slot.child && !slot.child.isDead)) return { state: "loading" };
    const failures = slots.map((slot) => slot.lastFailure).filter((text) => text !== undefined);
    return failures.length > 0 ? { state: "failed", reason: list(failures) } : { state: "idle" };
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (let next = queue.shift(); next; next = queue.shift()) {
      next.item.fail(new Problem("engine_unavailable", "The server is shutting down. Try again in a moment."));
    }
    await Promise.all(
      slots.map(async ({ child }) => {
        child?.kill("was stopped");
        await child?.exited;
      }),
    );
  }
}

/** From outside (by a person, or for lack of memory), which says nothing about the job. */
export function wasKilled(error: unknown): boolean {
  return error instanceof Problem && /ended unexpectedly \((SIGKILL|SIGTERM)\)/.test(error.message);
}

function count(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const now = (counts.get(name) ?? 0) + by;
  if (now === 0) counts.delete(name);
  else counts.set(name, now);
}
