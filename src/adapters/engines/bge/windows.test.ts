import { describe, expect, it } from "vitest";
import { averageWindows, cutWindows } from "./windows.ts";

const count = (length: number) => Array.from({ length }, (_, index) => index);

describe("windows", () => {
  it("leave a text that fits whole, and an empty one empty", () => {
    expect(cutWindows(count(510))).toEqual([count(510)]);
    expect(cutWindows([])).toEqual([[]]);
  });

  it("of a text just past the limit are nearly equal, in order and lose nothing", () => {
    const windows = cutWindows(count(511));
    expect(windows.map((window) => window.length)).toEqual([256, 255]);
    expect(windows.flat()).toEqual(count(511));
  });

  it("weigh by their length, and their average has unit length", () => {
    const average = averageWindows([Float32Array.of(2, 0), Float32Array.of(0, 5)], [3, 1]);
    expect(Math.hypot(...average)).toBeCloseTo(1, 6);
    expect(average[0]! / average[1]!).toBeCloseTo(3, 5);
  });
});
