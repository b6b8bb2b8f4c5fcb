import { describe, expect, it } from "vitest";
import { RefusalPacer } from "./refusal-pacer.ts";

const megabyte = 1e6;

/** A pace with a clock that the test sets. `refuse` tells the delay of a refusal; `end` ends all that wait. */
function startPace() {
  const time = { ms: 0 };
  const waiting: { ms: number; end(): void }[] = [];
  const wait = (ms: number) => new Promise<void>((end) => waiting.push({ ms, end }));
  const pace = new RefusalPacer(() => time.ms, wait);
  return {
    time,
    refuse(key: string, bytes: number) {
      const before = waiting.length;
      void pace.next(key, bytes);
      return waiting.length > before ? waiting.at(-1)!.ms : 0;
    },
    async end() {
      for (const { end } of waiting) end();
      await Promise.resolve();
    },
  };
}

describe("refusals", () => {
  it("of a few large uploads and of a burst of small requests come at once", () => {
    const { refuse } = startPace();
    expect(refuse("one", 25 * megabyte)).toBe(0);
    expect(refuse("one", 25 * megabyte)).toBe(0);
    expect(Array.from({ length: 1000 }, () => refuse("two", 100)).every((delay) => delay === 0)).toBe(true);
  });

  it("come later and later to whoever goes on, for one that waits no later than five seconds", async () => {
    const { refuse, end } = startPace();
    const delays: number[] = [];
    for (let count = 0; count < 100; count++) {
      delays.push(refuse("one", megabyte));
      await end();
    }
    expect(delays.slice(32, 35)).toEqual([0, 500, 1000]);
    expect(delays[99]).toBe(5000);
  });

  it("come up to twenty seconds late to whoever waits for many at once", () => {
    const { refuse } = startPace();
    for (let count = 0; count < 1000; count++) refuse("one", megabyte);
    expect(refuse("one", megabyte)).toBe(20_000);
  });

  it("come at once to everybody else", () => {
    const { refuse } = startPace();
    for (let count = 0; count < 100; count++) refuse("one", megabyte);
    expect(refuse("two", megabyte)).toBe(0);
  });

  it("come at once again after a while", async () => {
    const { refuse, end, time } = startPace();
    for (let count = 0; count < 1000; count++) refuse("one", megabyte);
    await end();
    time.ms += 19_000;
    expect(refuse("one", megabyte)).toBe(1000);
    time.ms += 2000;
    expect(refuse("one", megabyte)).toBe(0);
  });
});
