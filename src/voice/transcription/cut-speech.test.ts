import { describe, expect, it } from "vitest";
import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";
import { SpeechCutter } from "./cut-speech.ts";

/** A recording by its stretches: seconds of speech (positive) and of silence (negative). */
function cut(...seconds: number[]) {
  const cutter = new SpeechCutter();
  const frames = seconds.flatMap((length) => {
    const count = Math.round((Math.abs(length) * 16_000) / FRAME_SAMPLES);
    return Array.from({ length: count }, () => (length > 0 ? 0.9 : 0.01));
  });
  const cuts = [];
  for (let start = 0; start < frames.length; start += 50) {
    const probabilities = Float32Array.from(frames.slice(start, start + 50));
    const samples = new Float32Array(probabilities.length * FRAME_SAMPLES);
    for (const [index, probability] of probabilities.entries()) {
      const amplitude = probability > 0.5 ? 0.3 : 0.001;
      samples.fill(amplitude, index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES);
    }
    cuts.push(...cutter.push(samples, probabilities));
  }
  return [...cuts, ...cutter.finish()];
}

describe("cutting a recording into stretches of speech", () => {
  it("finds nothing in silence", () => {
    expect(cut(-60)).toEqual([]);
  });

  it("keeps a little of what surrounds the speech", () => {
    const [only] = cut(-2, 3, -2);
    expect(only!.startMs).toBeGreaterThan(1600);
    expect(only!.startMs).toBeLessThan(1750);
    expect(only!.endMs).toBeGreaterThan(5250);
    expect(only!.endMs).toBeLessThan(5400);
    expect(only!.samples.length).toBe((only!.endMs - only!.startMs) * 16);
    expect(only!.speechMs).toBeCloseTo(3000, -2);
  });

  it("joins sentences over a short pause and parts them over a long one", () => {
    expect(cut(-1, 3, -0.5, 3, -1)).toHaveLength(1);
    expect(cut(-1, 3, -1.5, 3, -1)).toHaveLength(2);
  });

  it("ignores a click", () => {
    expect(cut(-1, 0.06, -2)).toEqual([]);
  });

  it("never lets a stretch grow much beyond 25 s, and loses nothing of it", () => {
    const cuts = cut(-1, 70, -1);
    for (const { samples } of cuts) expect(samples.length).toBeLessThanOrEqual(25.7 * 16_000);
    const covered = cuts.reduce((sum, { speechMs }) => sum + speechMs, 0);
    expect(covered).toBeGreaterThanOrEqual(69_900);
    for (const [index, one] of cuts.slice(1).entries()) expect(one.startMs - cuts[index]!.endMs).toBeLessThan(40);
  });
});
