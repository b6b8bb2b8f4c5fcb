import { describe, expect, it } from "vitest";
import { ShortFirst } from "./short-first.ts";

const never = new AbortController().signal;

/** Jobs of so many steps, each of which leaves its name. */
function start() {
  const turns = new ShortFirst();
  const steps: string[] = [];
  const run = (name: string, size: number, signal = never) =>
    turns.run(size, signal, async (between) => {
      for (let step = 0; step < size; step++) {
        if (step > 0) await between();
        steps.push(name);
      }
    });
  return { steps, run };
}

describe("steps of an engine's jobs", () => {
  it("of a short job come before the rest of a long one", async () => {
    const { steps, run } = start();
    const long = run("long", 6);
    await run("short", 2);
    expect(steps).toEqual(["long", "short", "short"]);
    await long;
    expect(steps.filter((name) => name === "long")).toHaveLength(6);
  });

  it("of a long job go on while short ones never end coming", async () => {
    const { steps, run } = start();
    const long = run("long", 5);
    let isDone = false;
    void long.then(() => {
      isDone = true;
    });
    let passed = 0;
    while (!isDone && passed < 100) {
      await run("short", 1);
      await run("short", 2);
      passed += 1;
    }
    await long;
    expect(passed).toBeLessThan(10);
    expect(steps.filter((name) => name === "long")).toHaveLength(5);
  });

  it("end with a job that is given up", async () => {
    const { steps, run } = start();
    const abort = new AbortController();
    const given = run("given up", 50, abort.signal);
    await run("other", 1);
    abort.abort(new Error("nobody waits"));
    await expect(given).rejects.toThrow("nobody waits");
    expect(steps.length).toBeLessThan(10);
  });
});
