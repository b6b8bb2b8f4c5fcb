import { describe, expect, it } from "vitest";
import { raiseFaint } from "./raise-faint.ts";

const peakOf = (samples: Float32Array) => Math.max(...samples.map(Math.abs));

describe("raising faint speech for the recogniser", () => {
  it("makes speech equally loud, however faint it was", () => {
    const peaks = [0.2, 0.02, 0.002].map((level) => peakOf(raiseFaint(Float32Array.of(0, level, -level / 2))));
    for (const peak of peaks) expect(peak).toBeCloseTo(0.9, 5);
  });

  it("leaves speech of ordinary loudness, and silence, as they are", () => {
    const loud = Float32Array.of(0.1, -0.3, 0.2);
    expect(raiseFaint(loud)).toBe(loud);
    expect(raiseFaint(new Float32Array(4))).toEqual(new Float32Array(4));
    expect(raiseFaint(new Float32Array(0))).toEqual(new Float32Array(0));
  });
});
