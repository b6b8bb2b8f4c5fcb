import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import { createEngineHost, type EngineHostOptions } from "./create-engine-host.ts";

const child = fileURLToPath(new URL("../../../../tests/support/arithmetic-child.ts", import.meta.url));
const caller = { key: "someone" };
let host: EngineHost;

function start(options: Partial<EngineHostOptions> = {}): EngineHost {
  host = createEngineHost({ name: "arithmetic", module: child, settings: () => ({}), log: silentLog, ...options });
  return host;
}

afterEach(() => host.close());

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const result of results) all.push(result);
  return all;
}

describe("an engine in a child process", () => {
  it("loads at the first job and answers it", async () => {
    start();
    expect(host.status().state).toBe("idle");
    expect(await host.ask("add", { a: 2, b: 3 }, caller)).toBe(5);
    expect(host.status()).toMatchObject({ state: "ready", queued: 0, active: 0, restarts: 0 });
  });

  it("streams results in order", async () => {
    const numbers = await collect(start().run<number>("count", { to: 100 }, caller));
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  it("is not let far ahead of a slow reader", async () => {
    start({ jobsPerChild: 2 });
    const results = host.run<number>("count", { to: 1000 }, caller)[Symbol.asyncIterator]();
    await results.next();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await host.ask("counted", {}, caller)).toBeLessThan(20);
    await results.return?.();
    expect(await host.ask("add", { a: 1, b: 1 }, caller)).toBe(2);
  });

  it("has a place for what is short beside what takes long, and makes what is long wait", async () => {
    start({ shortUpTo: 10 });
    const long = host.run<number>("count", { to: 1000, pauseMs: 5 }, { ...caller, size: 100 })[Symbol.asyncIterator]();
    await long.next();
    const waiting = host.ask("add", { a: 1, b: 1 }, { ...caller, size: 100 });
    expect(await host.ask("add", { a: 2, b: 3 }, { ...caller, size: 5 })).toBe(5);
    expect(host.status()).toMatchObject({ queued: 1, active: 1 });
    await long.return?.();
    expect(await waiting).toBe(2);
  });

  it("passes on a problem the task foresaw, word for word", async () => {
    await expect(start().ask("add", { a: Number.NaN, b: 1 }, caller)).rejects.toMatchObject({
      kind: "invalid_request",
      message: "Numbers only.",
    });
  });

  it("hides the details of a failure nobody foresaw", async () => {
    const failure = start().ask("stumble", {}, caller);
    await expect(failure).rejects.toMatchObject({ kind: "engine_unavailable" });
    await expect(failure).rejects.not.toThrow(/secret/);
  });

  it("that crashes fails its own request and serves the next", async () => {
    start();
    await expect(host.ask("crash", {}, caller)).rejects.toMatchObject({ kind: "engine_unavailable" });
    expect(await host.ask("add", { a: 2, b: 2 }, caller)).toBe(4);
    expect(host.status().restarts).toBe(1);
  });

  it("that somebody kills is asked again in a fresh process, once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlance-killed-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    start();
    expect(await host.ask("killed", { file: join(folder, "once"), times: 1 }, caller)).toEqual(expect.any(Number));
    const twice = join(folder, "twice");
    await expect(host.ask("killed", { file: twice, times: 9 }, caller)).rejects.toMatchObject({
      kind: "engine_unavailable",
    });
    expect(readFileSync(twice, "utf8")).toBe("..");
  });

  it("that hangs is killed at the deadline of its job and serves the next", async () => {
    start();
    await expect(host.ask("hang", {}, { ...caller, deadlineMs: 300 })).rejects.toThrow(/took longer/);
    expect(await host.ask("add", { a: 2, b: 2 }, caller)).toBe(4);
  });

  it("that leaks is killed at its memory ceiling and serves the next", async () => {
    start({ memoryLimitMb: 300 });
    await expect(host.ask("leak", {}, caller)).rejects.toThrow(/300 MB/);
    expect(await host.ask("add", { a: 2, b: 2 }, caller)).toBe(4);
  });

  it("stops a job whose caller has gone and takes the next", async () => {
    start();
    const abort = new AbortController();
    const endless = collect(host.run("count", { to: 1e9, pauseMs: 5 }, { ...caller, signal: abort.signal }));
    endless.catch(() => {});
    await host.ask("add", { a: 0, b: 0 }, { key: "other", signal: AbortSignal.timeout(1) }).catch(() => {});
    abort.abort(new Error("hung up"));
    await expect(endless).rejects.toThrow("hung up");
    expect(await host.ask("add", { a: 2, b: 2 }, caller)).toBe(4);
    expect(host.status().restarts).toBe(0);
  });

  it("kills a child that does not stop when asked", async () => {
    start({ cancelGraceMs: 50 });
    await host.ask("add", { a: 0, b: 0 }, caller);
    const abort = new AbortController();
    const hung = host.ask("hang", {}, { ...caller, signal: abort.signal });
    setTimeout(() => abort.abort(new Error("hung up")), 100);
    await expect(hung).rejects.toThrow("hung up");
    expect(await host.ask("add", { a: 2, b: 2 }, caller)).toBe(4);
  });

  it("turns callers away beyond its queue with a time to come back", async () => {
    start({ queueLimit: 4 });
    await host.ask("add", { a: 0, b: 0 }, caller);
    const abort = new AbortController();
    const busy = Array.from({ length: 3 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 30));
      return collect(host.run("count", { to: 1e9, pauseMs: 5 }, { ...caller, signal: abort.signal }));
    });
    for (const job of busy) job.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 150));
    await expect(host.ask("add", { a: 1, b: 1 }, caller)).rejects.toMatchObject({
      kind: "engine_busy",
      retryAfterSeconds: expect.any(Number),
    });
    abort.abort(new Error("enough"));
    await Promise.allSettled(busy);
  });

  it("says what is missing and what to do, without starting a child", async () => {
    start({ missing: () => "The model is not here. Run: ./parlance models pull" });
    expect(host.status()).toMatchObject({ state: "missing" });
    await expect(host.ask("add", { a: 1, b: 1 }, caller)).rejects.toThrow(/models pull/);
  });

  it("that cannot load says why and is tried again later", async () => {
    start({ settings: () => ({ refuses: true }) });
    await expect(host.ask("add", { a: 1, b: 1 }, caller)).rejects.toMatchObject({ kind: "engine_unavailable" });
    expect(host.status().state).toBe("failed");
  });

  it("whose processes are replaced often is started from another thread, and behaves alike", async () => {
    start({ retireAfterJobs: 100 });
    const numbers = collect(host.run<number>("count", { to: 100 }, caller));
    expect(await numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    const bytes = Buffer.from("as it came");
    expect(await host.ask("echo", { bytes, times: [bytes] }, caller)).toEqual({ bytes, times: [bytes] });
    await expect(host.ask("crash", {}, caller)).rejects.toMatchObject({ kind: "engine_unavailable" });
    expect(await host.ask("add", { a: 2, b: 2 }, caller)).toBe(4);
    expect(host.status().restarts).toBe(1);
  });

  it("can give every job a process of its own", async () => {
    start({ retireAfterJobs: 1 });
    const pids = [await host.ask<number>("whoami", {}, caller), await host.ask<number>("whoami", {}, caller)];
    expect(new Set(pids).size).toBe(2);
  });
});
