import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FASTEST, planTiming, SLOWEST } from "./plan-timing.ts";

const line = (startMs: number, endMs: number, spokenMs: number) => ({ startMs, endMs, spokenMs });

describe("timing", () => {
  it("a line that fits begins when its source did and keeps its pace", () => {
    const plan = planTiming([line(500, 2500, 1900), line(4000, 6000, 2300)], 7000);
    expect(plan.map(({ startMs }) => startMs)).toEqual([500, 4000]);
    expect(plan[0]!.stretch).toBeCloseTo(0.95);
    expect(plan[1]!.stretch).toBeCloseTo(1.15);
  });

  it("a line that is too long is hurried just enough to end before the next", () => {
    const [first] = planTiming([line(0, 2000, 2800), line(2200, 4000, 1800)], 4200);
    expect(first!.lengthMs).toBeLessThanOrEqual(2200);
    expect(first!.stretch).toBeCloseTo(2800 / 2140, 1);
  });

  it("a short line is not drawn out beyond recognition", () => {
    const [only] = planTiming([line(0, 8000, 2000)], 8000);
    expect(only!.stretch).toBe(0.9);
  });

  it("a line that does not fit even at its fastest shares the time with its neighbour", () => {
    const plan = planTiming([line(0, 1000, 4000), line(1100, 6000, 1500), line(9000, 9900, 800)], 10_000);
    expect(plan.map(({ lines }) => lines)).toEqual([[0, 1], [2]]);
    expect(plan[0]!.startMs + plan[0]!.lengthMs).toBeLessThanOrEqual(9000);
  });

  it("whatever is said: no overlap, no stretch beyond the limits, every line once and in order, on time", () => {
    const lines = fc
      .array(
        fc.record({
          gap: fc.nat(3000),
          said: fc.integer({ min: 1, max: 9000 }),
          spoken: fc.integer({ min: 1, max: 15_000 }),
        }),
        {
          minLength: 1,
          maxLength: 20,
        },
      )
      .map((parts) => {
        let at = 0;
        return parts.map(({ gap, said, spoken }) => {
          const startMs = at + gap;
          at = startMs + said;
          return line(startMs, at, spoken);
        });
      });
    fc.assert(
      fc.property(lines, fc.nat(2000), (spoken, tail) => {
        const plan = planTiming(spoken, spoken.at(-1)!.endMs + tail);
        expect(plan.flatMap((one) => one.lines)).toEqual(spoken.map((_, index) => index));
        for (const [index, { startMs, lengthMs, stretch, lines: own }] of plan.entries()) {
          expect(startMs).toBe(spoken[own[0]!]!.startMs);
          expect(stretch).toBeGreaterThanOrEqual(SLOWEST);
          expect(stretch).toBeLessThanOrEqual(FASTEST);
          const next = plan[index + 1];
          if (next) expect(startMs + lengthMs).toBeLessThanOrEqual(next.startMs + 1e-6);
        }
      }),
    );
  });
});
