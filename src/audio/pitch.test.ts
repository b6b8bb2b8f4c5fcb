import { describe, expect, it } from "vitest";
import { hum, HUM_RATE_HZ as rate } from "../../tests/support/hum.ts";
import { fromSemitones, summarizePitch, toSemitones, trackPitch } from "./pitch.ts";
import { shiftPitch } from "./shift-pitch.ts";

function noise(seconds: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: seconds * rate }, () => {
    state = (state * 48271) % 2147483647;
    return (state / 2147483647 - 0.5) * 0.2;
  });
}

describe("pitch", () => {
  it.each([80, 120, 220, 400])("a hum of %i Hz is followed to within a tenth of a semitone", (hertz) => {
    const summary = summarizePitch(
      trackPitch(
        hum(1, () => hertz),
        rate,
      ),
    )!;
    expect(Math.abs(toSemitones(summary.medianHz / hertz))).toBeLessThan(0.1);
    expect(summary.rangeSemitones).toBeLessThan(0.3);
    expect(summary.voicedShare).toBeGreaterThan(0.9);
  });

  it("a melody that moves an octave has a range of nearly that", () => {
    const summary = summarizePitch(
      trackPitch(
        hum(3, (second) => 150 * 2 ** (second / 3)),
        rate,
      ),
    )!;
    expect(summary.rangeSemitones).toBeGreaterThan(8.5);
    expect(summary.rangeSemitones).toBeLessThan(11);
  });

  it("silence and noise have none", () => {
    expect(summarizePitch(trackPitch(new Float32Array(rate), rate))).toBeUndefined();
    expect(summarizePitch(trackPitch(noise(1), rate))?.voicedShare ?? 0).toBeLessThan(0.2);
  });
});

describe("shifting the pitch", () => {
  it.each([-5, -2, 2, 5])("moves it by %i semitones and keeps length and level", (semitones) => {
    const before = hum(1, () => 140);
    const after = shiftPitch(before, rate, (hertz) => hertz * fromSemitones(semitones));
    expect(after.length).toBe(before.length);
    const { medianHz } = summarizePitch(trackPitch(after, rate))!;
    expect(Math.abs(toSemitones(medianHz / 140) - semitones)).toBeLessThan(0.25);
    const level = (samples: Float32Array) =>
      Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
    expect(Math.abs(20 * Math.log10(level(after) / level(before)))).toBeLessThan(3);
  });

  it("leaves what does not hum as it is", () => {
    const before = noise(0.5);
    const after = shiftPitch(before, rate, (hertz) => hertz * 2);
    const error = after.reduce((sum, value, i) => sum + (value - before[i]!) ** 2, 0);
    expect(error / before.reduce((sum, value) => sum + value * value, 0)).toBeLessThan(0.05);
  });

  it("bears clips that are empty or shorter than a period", () => {
    for (const length of [0, 1, 50]) {
      expect(shiftPitch(new Float32Array(length), rate, (hertz) => hertz * 2).length).toBe(length);
    }
  });
});
