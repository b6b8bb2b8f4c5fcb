import { afterEach, describe, expect, it } from "vitest";
import { Problem } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { createMemoryBus } from "../bus/memory-bus.ts";
import { ANY, type Load, partBytes, windowSize } from "./protocol.ts";
import { Declined } from "./remote-job.ts";
import { type Operation, serveWork, type Worker } from "./serve-work.ts";
import { createWorkerPool, type Work } from "./worker-pool.ts";

const idle: Load = { queued: 0, active: 0, places: 1, meanJobMs: 100, oldestWaitMs: 0 };
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function start() {
  const bus = createMemoryBus();
  const pool = createWorkerPool({ bus, name: "test", log: silentLog });
  closers.push(() => pool.close());
  const addWorker = (run: Operation["run"], load: () => Partial<Load> = () => ({})): Worker => {
    const worker = serveWork({
      bus,
      name: "test",
      log: silentLog,
      operations: { chat: { engine: "chat", run } },
      catalog: () => ({ chat: {} }),
      load: () => ({ ...idle, ...load() }),
    });
    closers.push(() => worker.close());
    return worker;
  };
  return { pool, addWorker };
}

const ask = (input: unknown, signal = new AbortController().signal): Work => ({
  lane: { engine: "chat", model: ANY, language: ANY },
  operation: "chat",
  input,
  signal,
});

async function* count(to: number) {
  for (let n = 1; n <= to; n++) yield n;
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const got: Value[] = [];
  for await (const value of values) got.push(value);
  return got;
}

describe("work on other machines", () => {
  it("brings every result in order, however many there are", async () => {
    const { pool, addWorker } = start();
    addWorker((to) => count(to));
    expect(await all(pool.run(ask(50)))).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  it("carries inputs and results that are larger than a message", async () => {
    const { pool, addWorker } = start();
    addWorker(async function* (input: Float32Array) {
      yield input.map((value) => value + 1);
    });
    const input = new Float32Array(partBytes).fill(1);
    const [output] = await all(pool.run<Float32Array>(ask(input)));
    expect(output).toHaveLength(partBytes);
    expect(output!.every((value) => value === 2)).toBe(true);
  });

  it("stops a worker a window ahead of its reader", async () => {
    const { pool, addWorker } = start();
    let made = 0;
    addWorker(async function* () {
      for (;;) yield ++made;
    });
    const results = pool.run<number>(ask(0))[Symbol.asyncIterator]();
    await results.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made).toBeLessThanOrEqual(windowSize + 1);
    await results.return!();
  });

  it("tells the worker when the caller has left", async () => {
    const { pool, addWorker } = start();
    const stopped = new Promise<void>((resolve) => {
      addWorker(async function* (_input, signal) {
        yield 1;
        signal.addEventListener("abort", () => resolve());
        await stopped;
      });
    });
    const caller = new AbortController();
    const results = pool.run(ask(0, caller.signal))[Symbol.asyncIterator]();
    await results.next();
    const next = results.next();
    caller.abort(new Error("gone"));
    await expect(next).rejects.toThrow("gone");
    await stopped;
  });

  it("passes on what the engine says is wrong, with its time to come back", async () => {
    const { pool, addWorker } = start();
    // biome-ignore lint/correctness/useYield: it fails first
    addWorker(async function* () {
      throw new Problem("engine_busy", "Full.", { retryAfterSeconds: 7 });
    });
    await expect(all(pool.run(ask(0)))).rejects.toMatchObject({ kind: "engine_busy", retryAfterSeconds: 7 });
  });

  it("says at once when nobody does this work", async () => {
    const { pool } = start();
    await expect(all(pool.run(ask(0)))).rejects.toMatchObject({ kind: "engine_unavailable" });
  });

  it("begins anew elsewhere when a worker is lost before its first result", async () => {
    const { pool, addWorker } = start();
    const lost = addWorker(async function* () {
      setImmediate(() => {
        lost.close();
        addWorker(() => count(2));
      });
      await new Promise(() => {});
      yield 0;
    });
    expect(await all(pool.run(ask(0)))).toEqual([1, 2]);
  });

  it("fails clearly when a worker is lost after its first result", async () => {
    const { pool, addWorker } = start();
    const lost = addWorker(async function* () {
      yield 1;
      setImmediate(() => lost.close());
      await new Promise(() => {});
    });
    addWorker(
      () => count(2),
      () => ({ queued: 5 }),
    );
    const got: number[] = [];
    const reading = (async () => {
      for await (const value of pool.run<number>(ask(0))) got.push(value);
    })();
    await expect(reading).rejects.toMatchObject({ kind: "engine_unavailable", message: /in the middle/ });
    expect(got).toEqual([1]);
  });

  it("gives the job to whoever is free, and to the shortest queue when nobody is", async () => {
    const { pool, addWorker } = start();
    const load = { queued: 0 };
    addWorker(
      () => count(1),
      () => ({ queued: 4 }),
    );
    addWorker(
      async function* () {
        yield "short";
      },
      () => load,
    );
    for (let i = 0; i < 4; i++) expect(await all(pool.run(ask(0)))).toEqual(["short"]);
    load.queued = 2;
    expect(await all(pool.run(ask(0)))).toEqual(["short"]);
    await expect(all(pool.run(ask(0), { onlyIfFree: true }))).rejects.toBeInstanceOf(Declined);
  });

  it("prefers the quicker of two free workers", async () => {
    const { pool, addWorker } = start();
    const named = (name: string): Operation["run"] =>
      async function* () {
        yield name;
      };
    addWorker(named("slow"), () => ({ meanJobMs: 900 }));
    addWorker(named("quick"));
    await expect.poll(() => pool.roster.bestMs("chat")).toBe(100);
    for (let i = 0; i < 4; i++) expect(await all(pool.run(ask(0)))).toEqual(["quick"]);
  });

  it("gives a draining worker nothing new, and lets it finish", async () => {
    const { pool, addWorker } = start();
    let finish = () => {};
    const worker = addWorker(async function* () {
      yield 1;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      yield 2;
    });
    const results = pool.run(ask(0))[Symbol.asyncIterator]();
    expect((await results.next()).value).toBe(1);
    const drained = worker.drain(10_000);
    await expect(all(pool.run(ask(0)))).rejects.toMatchObject({ kind: "engine_unavailable" });
    finish();
    expect((await results.next()).value).toBe(2);
    expect((await results.next()).done).toBe(true);
    await drained;
    expect(worker.jobs).toBe(0);
  });
});
