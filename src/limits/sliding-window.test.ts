import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "./memory-store.ts";
import { SlidingWindow } from "./sliding-window.ts";

function windowAt(start = 1_000_000) {
  const clock = { time: start, now: () => clock.time };
  return { clock, window: new SlidingWindow(new MemoryStore(60_000, clock)) };
}

describe("a sliding window", () => {
  it("lets the limit through and refuses the next", async () => {
    const { window } = windowAt();
    for (let n = 1; n <= 60; n++)
      expect(await window.take("a", 60)).toMatchObject({ isAllowed: true, remaining: 60 - n });
    expect(await window.take("a", 60)).toMatchObject({ isAllowed: false, remaining: 0, retryAfterSeconds: 60 });
  });

  it("lets a client in again that waited exactly as long as it was told", async () => {
    const { clock, window } = windowAt();
    await window.take("a", 2);
    clock.time += 12_345;
    await window.take("a", 2);
    clock.time += 1;
    const { retryAfterSeconds } = await window.take("a", 2);
    expect(retryAfterSeconds).toBe(48);
    clock.time += retryAfterSeconds * 1000;
    expect((await window.take("a", 2)).isAllowed).toBe(true);
  });

  it("does not punish anybody for a clock that was set back", async () => {
    const { clock, window } = windowAt();
    await window.take("a", 1);
    clock.time -= 3_600_000;
    expect((await window.take("a", 1)).isAllowed).toBe(true);
    expect(await window.take("a", 1)).toMatchObject({ isAllowed: false, retryAfterSeconds: 60 });
  });

  it("can be looked at without taking a turn", async () => {
    const { window } = windowAt();
    expect(await window.look("a", 2)).toMatchObject({ isAllowed: true, remaining: 2, resetSeconds: 0 });
    await window.take("a", 2);
    expect(await window.look("a", 2)).toMatchObject({ remaining: 1, resetSeconds: 60 });
    expect(await window.look("a", 2)).toMatchObject({ remaining: 1 });
  });

  it("takes a cost whole or not at all, and waits until enough of the others has left", async () => {
    const { clock, window } = windowAt();
    await window.take("a", 10, 4);
    clock.time += 30_000;
    await window.take("a", 10, 5);
    expect(await window.take("a", 10, 3)).toMatchObject({ isAllowed: false, remaining: 1, retryAfterSeconds: 30 });
    expect(await window.take("a", 10, 7)).toMatchObject({ isAllowed: false, remaining: 1, retryAfterSeconds: 60 });
    expect(await window.take("a", 10, 1)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it("counts what was used already, also beyond the limit", async () => {
    const { window } = windowAt();
    await window.add("a", 25);
    expect(await window.look("a", 10)).toMatchObject({ isAllowed: false, remaining: 0, retryAfterSeconds: 60 });
  });

  it("keeps keys apart", async () => {
    const { window } = windowAt();
    await window.take("a", 1);
    expect((await window.take("b", 1)).isAllowed).toBe(true);
  });

  it("follows a limit that is raised or lowered", async () => {
    const { window } = windowAt();
    for (let n = 0; n < 5; n++) await window.take("a", 5);
    expect((await window.take("a", 10)).isAllowed).toBe(true);
    expect((await window.take("a", 3)).isAllowed).toBe(false);
  });

  it("never lets more than the limit through in any minute, and its advice is always right", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 9 }),
        async (gaps, limit) => {
          const { clock, window } = windowAt();
          const allowed: number[] = [];
          for (const gap of gaps) {
            clock.time += gap;
            const verdict = await window.take("a", limit);
            if (verdict.isAllowed) allowed.push(clock.time);
            else
              expect(
                allowed.filter((time) => time > clock.time - 60_000 + verdict.retryAfterSeconds * 1000).length,
              ).toBeLessThan(limit);
          }
          for (const time of allowed) {
            expect(allowed.filter((other) => other > time - 60_000 && other <= time).length).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });
});
