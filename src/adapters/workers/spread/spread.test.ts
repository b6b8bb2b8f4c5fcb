import { describe, expect, it } from "vitest";
import { Problem } from "../../../platform/errors.ts";
import { ANY, type Load } from "../protocol.ts";
import { Declined } from "../remote-job.ts";
import type { Work, WorkerPool } from "../worker-pool.ts";
import { createSpread } from "./spread.ts";

const idle: Load = { queued: 0, active: 0, places: 1, meanJobMs: 100, oldestWaitMs: 0 };
const work: Work = {
  lane: { engine: "chat", model: ANY, language: ANY },
  operation: "chat.answer",
  input: {},
  signal: new AbortController().signal,
};

/** A machine with this load beside workers that are free, busy or not there. */
function machine(here: Partial<Load>, workers: "free" | "busy" | "none") {
  const pool = {
    roster: { catalogs: () => [], load: () => (workers === "none" ? undefined : { ...idle, workers: 1 }) },
    tellAll() {},
    async *run(_work: Work, { onlyIfFree = false } = {}) {
      if (workers === "none") throw new Problem("engine_unavailable", "Nobody is there.");
      if (workers === "busy" && onlyIfFree) {
        throw new Declined({ type: "decline", worker: "w", waitMs: 5, retryAfterSeconds: 1 });
      }
      yield workers === "busy" ? "queued elsewhere" : "elsewhere";
    },
  } as unknown as WorkerPool;
  return createSpread(pool, () => ({ ...idle, ...here }));
}

const here = async () => "here";
const full = async (): Promise<string> => {
  throw new Problem("engine_busy", "Full.", { retryAfterSeconds: 3 });
};

describe("work of an engine", () => {
  it("is done here while there is room, whoever else is free", async () => {
    expect(await machine({}, "free").ask(work, here)).toBe("here");
  });

  it("goes to a free worker when this machine is busy", async () => {
    expect(await machine({ active: 1 }, "free").ask(work, here)).toBe("elsewhere");
  });

  it("waits here when all are busy, and elsewhere when the queue here is full", async () => {
    expect(await machine({ active: 1, queued: 2 }, "busy").ask(work, here)).toBe("here");
    expect(await machine({ active: 1, queued: 2 }, "busy").ask(work, full)).toBe("queued elsewhere");
  });

  it("is done by workers where this machine has no such engine", async () => {
    expect(await machine({}, "free").ask(work, undefined)).toBe("elsewhere");
    await expect(machine({}, "none").ask(work, undefined)).rejects.toMatchObject({ kind: "engine_unavailable" });
  });

  it("is refused as this machine refuses it when there are no workers", async () => {
    await expect(machine({ active: 1 }, "none").ask(work, full)).rejects.toMatchObject({ retryAfterSeconds: 3 });
  });
});
