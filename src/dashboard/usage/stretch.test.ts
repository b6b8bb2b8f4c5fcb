import { describe, expect, it } from "vitest";
import { listPeriods, readStretch } from "./stretch.ts";

const now = Date.parse("2026-11-17T15:00:00Z");

describe("a stretch of days", () => {
  it("is the last thirty when nothing is said", () => {
    expect(readStretch({}, now)).toEqual({ from: "2026-10-19", to: "2026-11-17" });
    expect(readStretch({ to: "2026-03-30" }, now)).toEqual({ from: "2026-03-01", to: "2026-03-30" });
  });

  it("that ends before it begins, or lasts for years, is refused", () => {
    expect(() => readStretch({ from: "2026-02-02", to: "2026-02-01" }, now)).toThrow("is after");
    expect(() => readStretch({ from: "2020-02-02" }, now)).toThrow("At most 400 days");
  });

  it("has every period, by its first day", () => {
    const days = { from: "2026-10-30", to: "2026-11-03" };
    expect(listPeriods(days, "day")).toEqual(["2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02", "2026-11-03"]);
    expect(listPeriods(days, "week")).toEqual(["2026-10-26", "2026-11-02"]);
    expect(listPeriods(days, "month")).toEqual(["2026-10-01", "2026-11-01"]);
  });
});
