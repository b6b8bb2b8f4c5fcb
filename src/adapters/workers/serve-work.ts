import { createHash } from "node:crypto";
import { deserialize } from "node:v8";
import { newId } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import { packageVersion } from "../../platform/package-root.ts";
import type { Bus, BusMessage, BusSubscription } from "../../ports/bus.ts";
import { type Catalog, type EngineName, lanesOf } from "./catalog.ts";
import { type Beat, type Load, pack, type Start, subjects, type ToNode, type ToWorker, unpack } from "./protocol.ts";
import { beatMs } from "./roster.ts";
import { ServedJob } from "./served-job.ts";

/** One method of an engine, as callers from elsewhere use it. */
export interface Operation {
  readonly engine: EngineName;
  run(input: never, signal: AbortSignal): AsyncIterable<unknown>;
}

export interface WorkerParts {
  readonly bus: Bus;
  readonly name: string;
  readonly log: Log;
  readonly operations: Readonly<Record<string, Operation>>;
  /** Changes when a model arrives. */
  catalog(): Catalog;
  load(engine: EngineName): Load;
}

export interface Worker {
  readonly id: string;
  readonly jobs: number;
  /** Takes nothing new; resolves when everything is done or the time is over. */
  drain(withinMs: number): Promise<void>;
  close(): void;
}

/** Catalogs and lanes are looked at anew this often. */
const refreshMs = 2000;
/** Nodes with jobs here are asked this often whether they are still there. */
const lookAfterNodesMs = 2000;
/** A worker this much slower than one that is free leaves the job to it, unless it is asked by name. */
const tooSlow = 2;

/** Lets other machines use the engines of this one. */
export function serveWork({ bus, name, log, operations, catalog, load }: WorkerParts): Worker {
  const id = newId("", 12);
  const to = subjects(name);
  /** By the subject that their results go to. */
  const jobs = new Map<string, ServedJob>();
  const lanes = new Map<string, BusSubscription>();
  /** Jobs by engine. */
  const running = new Map<EngineName, number>();
  let known = { text: "", hash: "", engines: [] as EngineName[] };
  let isDraining = false;

  refresh();
  const own = bus.subscribe(to.worker(id), take);
  const everybody = bus.subscribe(to.everybody, take);
  // Where it is told that a node is not there.
  const echoes = bus.subscribe(`${to.worker(id)}.echo.>`, ({ subject, isNobody }) => {
    const job = isNobody ? jobs.get(subject.slice(to.worker(id).length + 6)) : undefined;
    job?.cancel();
  });
  const hello = bus.subscribe(to.hello, () => beat());
  bus.onUp(() => beat());
  // Results on their way were lost, and whoever waited for them begins anew elsewhere.
  bus.onDown(() => {
    for (const job of jobs.values()) job.cancel();
  });
  const timers = [
    setInterval(beat, beatMs),
    setInterval(refresh, refreshMs),
    setInterval(() => {
      for (const job of jobs.keys()) bus.publish(job, pack({ type: "pong" }), `${to.worker(id)}.echo.${job}`);
    }, lookAfterNodesMs),
  ];
  for (const timer of timers) timer.unref();
  beat();

  function refresh(): void {
    if (isDraining) return;
    const now = catalog();
    const text = JSON.stringify(now);
    if (text === known.text) return;
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    known = { text, hash, engines: Object.keys(now) as EngineName[] };
    const wanted = new Set(lanesOf(now).map((lane) => to.lane(lane)));
    for (const [subject, subscription] of lanes) {
      if (wanted.has(subject)) continue;
      subscription.stop();
      lanes.delete(subject);
    }
    for (const subject of wanted) {
      if (!lanes.has(subject)) lanes.set(subject, bus.subscribe(subject, take, "workers"));
    }
    log.info({ engines: known.engines, lanes: lanes.size }, "the worker serves");
  }

  function beat(): void {
    const loads = Object.fromEntries(known.engines.map((engine) => [engine, load(engine)]));
    const sign: Beat = { worker: id, version: packageVersion(), catalog: known.hash, isDraining, loads };
    bus.publish(to.beat, pack(sign));
  }

  function take({ data, replyTo }: BusMessage): void {
    const message = unpack<ToWorker>(data);
    if (!message) return;
    if (message.type === "start") {
      if (replyTo !== undefined) begin(message.start, replyTo);
    } else if (message.type === "catalog") {
      if (replyTo !== undefined) answer(replyTo, { type: "catalog", text: known.text });
    } else if (message.type === "ping") {
      const job = replyTo === undefined ? undefined : jobs.get(replyTo);
      job?.acknowledge(message.count);
      if (replyTo !== undefined) answer(replyTo, { type: job ? "pong" : "unknown" });
    } else if (message.type === "tell") {
      void hearOut(message.operation, message.input);
    } else {
      steer(message);
    }
  }

  async function hearOut(operation: string, input: unknown): Promise<void> {
    try {
      const nothing = operations[operation]?.run(input as never, new AbortController().signal);
      if (nothing) for await (const _ of nothing) break;
    } catch (error) {
      log.warn({ operation, error: String(error) }, "what another machine told was not done");
    }
  }

  function steer(message: Extract<ToWorker, { type: "input" | "ack" | "cancel" }>): void {
    const job = jobs.get(message.job);
    if (message.type === "input") job?.takeInput(message.bytes, message.isLast);
    else if (message.type === "ack") job?.acknowledge(message.count);
    else job?.cancel();
  }

  function begin({ operation, input, isInsisted, bestMs }: Start, replyTo: string): void {
    const wanted = operations[operation];
    if (!wanted || isDraining) {
      decline(replyTo, Number.MAX_SAFE_INTEGER, 1);
      return;
    }
    const { queued, active: atWork, places, meanJobMs, oldestWaitMs } = load(wanted.engine);
    // A job of several steps is in no queue between two of them.
    const active = Math.max(atWork, running.get(wanted.engine) ?? 0);
    const waitMs = (meanJobMs * (queued + Math.max(0, active + 1 - places))) / Math.max(1, places);
    const isBusy = queued > 0 || active >= places;
    const isSlow = bestMs !== undefined && meanJobMs > tooSlow * bestMs;
    if (!isInsisted && (isBusy || isSlow)) {
      const retryAfterSeconds = Math.max(1, Math.ceil(Math.max(waitMs, oldestWaitMs) / 1000));
      decline(replyTo, isBusy ? waitMs : meanJobMs - bestMs!, retryAfterSeconds);
      return;
    }
    const job = new ServedJob((messages) => bus.publish(replyTo, pack(messages)));
    jobs.set(replyTo, job);
    count(wanted.engine, 1);
    job.answer({ type: "accept", worker: id });
    if (input) job.takeInput(input, true);
    void job
      .run((bytes, signal) => wanted.run(deserialize(bytes) as never, signal))
      .catch((error) => log.warn({ operation, error: String(error) }, "a job for another machine failed"))
      .finally(() => {
        jobs.delete(replyTo);
        count(wanted.engine, -1);
      });
  }

  function count(engine: EngineName, change: number): void {
    running.set(engine, (running.get(engine) ?? 0) + change);
  }

  function decline(replyTo: string, waitMs: number, retryAfterSeconds: number): void {
    answer(replyTo, { type: "decline", worker: id, waitMs, retryAfterSeconds });
  }

  function answer(replyTo: string, message: ToNode): void {
    bus.publish(replyTo, pack(message));
  }

  return {
    id,
    get jobs() {
      return jobs.size;
    },
    async drain(withinMs) {
      isDraining = true;
      for (const subscription of lanes.values()) subscription.stop();
      lanes.clear();
      beat();
      const until = performance.now() + withinMs;
      while (jobs.size > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    close() {
      for (const timer of timers) clearInterval(timer);
      for (const subscription of [own, everybody, echoes, hello, ...lanes.values()]) subscription.stop();
      for (const job of jobs.values()) job.cancel();
    },
  };
}
