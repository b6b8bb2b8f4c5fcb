import { describe, expect, it } from "vitest";
import { joinSamples } from "./pcm.ts";
import { createResampler, resample } from "./resample.ts";

const tone = (seconds: number, rate: number, hertz: number) =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate));

describe("resampling", () => {
  it.each([
    [22050, 24000],
    [24000, 16000],
    [44100, 16000],
    [8000, 24000],
  ])("a tone from %i to %i Hz is the tone that rate would have recorded", (from, to) => {
    const got = resample(tone(0.5, from, 1000), from, to);
    const want = tone(0.5, to, 1000);
    let error = 0;
    let power = 0;
    // The first and last 40 ms see the edge of the recording.
    for (let i = to * 0.04; i < want.length - to * 0.04; i++) {
      error += (got[Math.round(i)]! - want[Math.round(i)]!) ** 2;
      power += want[Math.round(i)]! ** 2;
    }
    expect(10 * Math.log10(power / error)).toBeGreaterThan(90);
  });

  it("what the lower rate cannot carry is removed, not folded down", () => {
    const got = resample(tone(0.5, 24000, 11000), 24000, 16000).slice(1000, -1000);
    expect(Math.max(...got.map(Math.abs))).toBeLessThan(1e-4);
  });

  it("the length is exact and the same however the stream is cut", () => {
    const samples = tone(0.3337, 22050, 300);
    const whole = resample(samples, 22050, 24000);
    expect(whole.length).toBe(Math.ceil((samples.length * 24000) / 22050));
    const resampler = createResampler(22050, 24000);
    const parts: Float32Array[] = [];
    for (let start = 0, size = 1; start < samples.length; start += size, size = (size * 7) % 997) {
      parts.push(resampler.process(samples.subarray(start, start + size)));
    }
    parts.push(resampler.flush());
    expect(joinSamples(parts)).toEqual(whole);
  });

  it("equal rates pass through, impossible ones are refused", () => {
    const samples = tone(0.01, 24000, 100);
    expect(resample(samples, 24000, 24000)).toBe(samples);
    expect(() => createResampler(44101, 48000)).toThrow("cannot resample");
  });
});
