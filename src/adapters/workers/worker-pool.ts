import { serialize } from "node:v8";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import type { Bus } from "../../ports/bus.ts";
import type { EngineName } from "./catalog.ts";
import { type Lane, pack, partBytes, split, subjects, type ToNode, type ToWorker, unpack } from "./protocol.ts";
import { Declined, NobodyThere, RemoteJob, retryAfterSeconds, WorkerLost } from "./remote-job.ts";
import { createRoster, type Roster } from "./roster.ts";

export interface Work {
  readonly lane: Lane & { engine: EngineName };
  /** The method that is called. */
  readonly operation: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
}

export interface WorkerPool {
  readonly roster: Roster;
  /** Runs it on a worker. Throws a Problem as the engine itself would: `engine_busy` when every worker's queue is full,
   *  `engine_unavailable` when there is none, or when one is lost after its first result. One that is lost before costs the
   *  caller nothing but time. With `onlyIfFree` it throws `Declined` instead of waiting in a queue. */
  run<Result>(work: Work, options?: { onlyIfFree?: boolean }): AsyncIterable<Result>;
  /** Tells every worker something that needs no answer. */
  tellAll(operation: string, input: unknown): void;
  close(): void;
}

/** How often a job is begun anew after its worker was lost. */
const mostTries = 3;
/** Workers that are asked whether they are free, before the better of them is told to queue it. */
const mostOffers = 2;
/** A worker answers within a millisecond; one that stands still, or was lost with the question in its hands, never does. */
const answerMs = 1000;
/** Of these, one after the other. */
const mostSilent = 4;
const checkEveryMs = 500;
/** A worker that holds a connection and says nothing for this long is lost. One that lost its connection is noticed at once. */
const silenceMs = 6000;
/** While the bus is away, jobs that have not begun wait this long for it. */
const busAwayMs = 5000;
/** After the bus came back, workers come back within this time; until then nobody there means: not yet. */
const gatheringMs = 5000;
const askAgainMs = 100;

/** Calls engines on other machines. */
export function createWorkerPool({ bus, name, log }: { bus: Bus; name: string; log: Log }): WorkerPool {
  const node = newId("", 12);
  const to = subjects(name);
  const roster = createRoster(bus, name, node);
  const jobs = new Map<string, RemoteJob>();
  let nextJob = 1;
  let isUp: Promise<void> = Promise.resolve();
  let tellUp: () => void = () => {};
  let upSinceMs = bus.kind === "nats" ? performance.now() : Number.NEGATIVE_INFINITY;

  const inbox = bus.subscribe(`${to.node(node)}.>`, ({ subject, data, isNobody }) => {
    const job = jobs.get(subject.slice(subject.lastIndexOf(".") + 1));
    if (isNobody) return void job?.nobody();
    for (const message of [unpack<ToNode | ToNode[]>(data) ?? []].flat()) {
      if (job) job.take(message);
      // The answer to an offer came too late: its caller has left.
      else if (message.type === "accept") send(message.worker, { type: "cancel", job: subject });
    }
  });
  bus.onDown(() => {
    isUp = new Promise((resolve) => {
      tellUp = resolve;
    });
    for (const job of jobs.values()) job.lose();
  });
  bus.onUp(() => {
    upSinceMs = performance.now();
    tellUp();
  });

  let checkedAtMs = performance.now();
  const check = setInterval(() => {
    const now = performance.now();
    // This process stood still: what the workers sent meanwhile is read first.
    const wasAway = now - checkedAtMs > 2 * checkEveryMs;
    checkedAtMs = now;
    if (wasAway) return;
    for (const [id, job] of jobs) {
      const silentMs = now - job.heardAtMs;
      if (job.worker === undefined || silentMs < checkEveryMs) continue;
      if (silentMs > silenceMs) job.lose();
      else send(job.worker, { type: "ping", count: job.taken }, to.job(node, id));
    }
  }, checkEveryMs);
  check.unref();

  const send = (worker: string, message: ToWorker, replyTo?: string) =>
    bus.publish(to.worker(worker), pack(message), replyTo);

  async function* run<Result>(work: Work, { onlyIfFree = false } = {}): AsyncIterable<Result> {
    const input = serialize(work.input);
    const lost = new Set<string>();
    for (let tries = 1; ; tries++) {
      let isBegun = false;
      try {
        await waitForBus(work.signal);
        for await (const value of attempt(work, input, onlyIfFree, lost)) {
          isBegun = true;
          yield value as Result;
        }
        return;
      } catch (error) {
        if (error instanceof NobodyThere && performance.now() - upSinceMs < gatheringMs) {
          await new Promise((resolve) => setTimeout(resolve, askAgainMs));
          tries -= 1;
          continue;
        }
        if (!(error instanceof WorkerLost)) throw error;
        log.warn({ engine: work.lane.engine, isBegun, tries }, "a worker was lost");
        if (isBegun || tries >= mostTries) {
          const told = isBegun ? "in the middle of this request" : "before it could answer";
          throw new Problem("engine_unavailable", `The machine that worked on this was lost ${told}. Try again.`, {
            retryAfterSeconds,
          });
        }
      }
    }
  }

  async function waitForBus(signal: AbortSignal): Promise<void> {
    if (bus.isUp) return;
    const waited = new Promise<void>((resolve) => setTimeout(resolve, busAwayMs).unref());
    await Promise.race([
      isUp,
      waited,
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
    ]);
    signal.throwIfAborted();
    if (!bus.isUp) {
      throw new Problem("engine_unavailable", "The connection to the machines that do this work is lost. Try again.", {
        retryAfterSeconds,
      });
    }
  }

  async function* attempt(
    work: Work,
    input: Uint8Array,
    onlyIfFree: boolean,
    lost: Set<string>,
  ): AsyncIterable<unknown> {
    const { id, job } = await place(work, input, onlyIfFree, lost);
    const worker = job.worker!;
    const name = to.job(node, id);
    try {
      if (input.length > partBytes) {
        for (const part of split(input)) send(worker, { type: "input", job: name, ...part });
      }
      for await (const value of job.results()) {
        yield value;
        if (!job.isOver) send(worker, { type: "ack", job: name, count: job.taken });
      }
    } catch (error) {
      if (error instanceof WorkerLost) lost.add(worker);
      throw error;
    } finally {
      jobs.delete(id);
      if (!job.isOver) send(worker, { type: "cancel", job: name });
      job.unfollow();
    }
  }

  /** Offers the job to the lane's group until somebody is free; where nobody is, the one with the shortest wait gets it. */
  async function place(
    work: Work,
    input: Uint8Array,
    onlyIfFree: boolean,
    lost: Set<string>,
  ): Promise<{ id: string; job: RemoteJob }> {
    const { lane, operation, signal } = work;
    let best: Declined | undefined;
    let silent = 0;
    for (let offers = 1; ; offers++) {
      signal.throwIfAborted();
      // A group may go on handing work to a member that stands still; after a loss somebody is asked by name who does not.
      const named = lost.size + silent > 0 ? roster.pick(lane, lost) : undefined;
      if (named) lost.add(named);
      const chosen = named ?? (offers > mostOffers ? best?.worker : undefined);
      const isInsisted = chosen !== undefined;
      const id = String(nextJob++);
      const job = new RemoteJob(lane.engine);
      jobs.set(id, job);
      job.follow(signal);
      const start = {
        operation,
        input: input.length > partBytes ? undefined : input,
        isInsisted,
        bestMs: isInsisted ? undefined : roster.bestMs(lane.engine),
      };
      const subject = chosen === undefined ? to.lane(lane) : to.worker(chosen);
      bus.publish(subject, pack({ type: "start", start } satisfies ToWorker), to.job(node, id));
      try {
        await job.accepted(answerMs);
        return { id, job };
      } catch (error) {
        jobs.delete(id);
        job.unfollow();
        if (error instanceof WorkerLost && bus.isUp && ++silent < mostSilent) continue;
        if (!(error instanceof Declined)) throw error;
        if (!best || error.waitMs < best.waitMs) best = error;
        if (onlyIfFree && offers >= mostOffers) throw error;
        if (isInsisted && offers > mostOffers) throw asBusy(lane.engine, best);
      }
    }
  }

  return {
    roster,
    run,
    tellAll: (operation, input) =>
      bus.publish(to.everybody, pack({ type: "tell", operation, input } satisfies ToWorker)),
    close() {
      clearInterval(check);
      inbox.stop();
      roster.close();
      for (const job of jobs.values()) job.lose();
    },
  };
}

function asBusy(engine: string, { retryAfterSeconds }: Declined): Problem {
  return new Problem(
    "engine_busy",
    `Every machine for ${engine} has a full queue. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
