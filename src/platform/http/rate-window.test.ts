import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RateWindow } from "./rate-window.ts";

function windowAt(start = 1_000_000) {
  const clock = { time: start, now: () => clock.time };
  return { clock, window: new RateWindow(60_000, clock) };
}

describe("a rate window", () => {
  it("lets the limit through and refuses the next", () => {
    const { window } = windowAt();
    for (let n = 1; n <= 60; n++) expect(window.take("a", 60)).toMatchObject({ isAllowed: true, remaining: 60 - n });
    expect(window.take("a", 60)).toMatchObject({ isAllowed: false, remaining: 0, retryAfterSeconds: 60 });
  });

  it("lets a client in again that waited exactly as long as it was told", () => {
    const { clock, window } = windowAt();
    window.take("a", 2);
    clock.time += 12_345;
    window.take("a", 2);
    clock.time += 1;
    const { retryAfterSeconds } = window.take("a", 2);
    expect(retryAfterSeconds).toBe(48);
    clock.time += retryAfterSeconds * 1000;
    expect(window.take("a", 2).isAllowed).toBe(true);
  });

  it("does not punish anybody for a clock that was set back", () => {
    const { clock, window } = windowAt();
    window.take("a", 1);
    clock.time -= 3_600_000;
    expect(window.take("a", 1).isAllowed).toBe(true);
    expect(window.take("a", 1)).toMatchObject({ isAllowed: false, retryAfterSeconds: 60 });
  });

  it("can be looked at without taking a turn", () => {
    const { window } = windowAt();
    expect(window.look("a", 2)).toMatchObject({ isAllowed: true, remaining: 2, resetSeconds: 0 });
    window.take("a", 2);
    expect(window.look("a", 2)).toMatchObject({ remaining: 1, resetSeconds: 60 });
    expect(window.look("a", 2)).toMatchObject({ remaining: 1 });
  });

  it("keeps keys apart", () => {
    const { window } = windowAt();
    window.take("a", 1);
    expect(window.take("b", 1).isAllowed).toBe(true);
  });

  it("follows a limit that is raised or lowered", () => {
    const { window } = windowAt();
    for (let n = 0; n < 5; n++) window.take("a", 5);
    expect(window.take("a", 10).isAllowed).toBe(true);
    expect(window.take("a", 3).isAllowed).toBe(false);
  });

  it("never lets more than the limit through in any minute, and its advice is always right", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 9 }),
        (gaps, limit) => {
          const { clock, window } = windowAt();
          const allowed: number[] = [];
          for (const gap of gaps) {
            clock.time += gap;
            const verdict = window.take("a", limit);
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
