import { describe, expect, it } from "vitest";
import { BANDS, FRAMES, turnFeatures } from "./features.ts";

describe("what the end of a turn is told by", () => {
  it("is Whisper's log mel spectrogram", () => {
    const samples = Float32Array.from({ length: 48_000 }, (_, i) => {
      const t = i / 16_000;
      return Math.sin(2 * Math.PI * 440 * t) * Math.exp(-t) + 0.3 * Math.sin(2 * Math.PI * 3000 * t * t);
    });
    const mel = turnFeatures(samples);
    expect(mel).toHaveLength(BANDS * FRAMES);
    // Computed with numpy's Fourier transform by the same recipe.
    const expected: [band: number, frame: number, value: number][] = [
      [0, 0, 0.1319],
      [10, 600, 1.6106],
      [20, 520, -0.0513],
      [79, 799, -0.0513],
      [13, 501, 0.838],
    ];
    for (const [band, frame, value] of expected) expect(mel[band * FRAMES + frame]).toBeCloseTo(value, 3);
  });

  it("is the last eight seconds, and bears silence", () => {
    const long = Float32Array.from({ length: 200_000 }, (_, i) => Math.sin(i / 5));
    expect(turnFeatures(long)).toEqual(turnFeatures(long.slice(-128_000)));
    expect(turnFeatures(new Float32Array(0)).every(Number.isFinite)).toBe(true);
  });
});
