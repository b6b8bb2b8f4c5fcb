import { describe, expect, it } from "vitest";
import { measureUsage } from "./measure-usage.ts";
import { Tally } from "./tally.ts";
import type { DayTally } from "./tally-days.ts";

function requests(day: string, count: number, about: Partial<DayTally> = {}): DayTally {
  const tally = new Tally();
  const durations = `{${Array.from({ length: count }, () => 10)}}`;
  tally.addGroup({ status: about.status ?? 200, durations, input: null, output: null, cached: null, audio: null });
  const plain = { keyId: "k", service: "voice", route: "r", status: 200, voice: "", language: "", model: "" };
  return { ...plain, ...about, day, tally };
}

const stretch = { from: "2026-11-01", to: "2026-11-03" };

describe("usage", () => {
  it("has every period of its stretch, also those without requests", () => {
    const days = [requests("2026-11-01", 2), requests("2026-11-03", 1, { status: 500 })];
    const { periods, groups, totals } = measureUsage(days, { stretch, step: "day", split: "none", filter: {} });
    expect(periods).toEqual(["2026-11-01", "2026-11-02", "2026-11-03"]);
    expect(groups).toHaveLength(1);
    expect(groups[0]!.points.map((point) => [point.requests, point.errors])).toEqual([
      [2, 0],
      [0, 0],
      [1, 1],
    ]);
    expect(totals.requests).toBe(3);
  });

  it("is split by what requests have in common, and filtered", () => {
    const days = [requests("2026-11-01", 2, { model: "a" }), requests("2026-11-02", 5, { model: "b", keyId: "z" })];
    const byModel = measureUsage(days, { stretch, step: "month", split: "model", filter: {} });
    expect(byModel.groups.map(({ value, totals }) => [value, totals.requests])).toEqual([
      ["b", 5],
      ["a", 2],
    ]);
    const ofKey = measureUsage(days, { stretch, step: "day", split: "model", filter: { keyId: "k" } });
    expect(ofKey.totals.requests).toBe(2);
  });

  it("shows twenty groups at most: the rest is one", () => {
    const days = Array.from({ length: 40 }, (_, n) => requests("2026-11-01", 100 - n, { voice: `v${n}` }));
    const { groups } = measureUsage(days, { stretch, step: "day", split: "voice", filter: {} });
    expect(groups).toHaveLength(20);
    expect(groups[0]!.value).toBe("v0");
    expect(groups.at(-1)!.value).toBe("other");
  });
});
