import { describe, expect, it } from "vitest";
import { createLimiter } from "./limit.ts";
import { measureLoudness, measureTruePeak } from "./loudness.ts";
import { joinSamples, scaleSamples } from "./pcm.ts";

const tone = (seconds: number, rate: number, hertz: number, level: number) =>
  Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, i) => level * Math.sin((2 * Math.PI * hertz * i) / rate),
  );

describe("loudness", () => {
  // BS.1770: a full-scale 997 Hz sine in one channel is -3.01 LUFS.
  it.each([16000, 24000, 48000])("a full-scale sine at %i Hz reads -3.01 LUFS", (rate) => {
    expect(measureLoudness(tone(3, rate, 997, 1), rate)).toBeCloseTo(-3.01, 1);
  });

  it("pauses do not count", () => {
    const spoken = tone(3, 24000, 997, 0.1);
    const paused = joinSamples([spoken, new Float32Array(24000 * 5), spoken]);
    expect(measureLoudness(paused, 24000)).toBeCloseTo(measureLoudness(spoken, 24000), 0);
  });

  it("silence and nothing have none, and a short word has some", () => {
    expect(measureLoudness(new Float32Array(24000), 24000)).toBe(Number.NEGATIVE_INFINITY);
    expect(measureLoudness(new Float32Array(0), 24000)).toBe(Number.NEGATIVE_INFINITY);
    expect(measureLoudness(tone(0.2, 24000, 997, 0.5), 24000)).toBeGreaterThan(-20);
  });

  it("a peak between two samples is seen", () => {
    // A quarter of the rate, 45 degrees off: every sample is 0.707, the wave between them reaches 1.
    const samples = Float32Array.from({ length: 4800 }, (_, i) => Math.sin((Math.PI * i) / 2 + Math.PI / 4));
    expect(measureTruePeak(samples.slice(500, -500), 24000)).toBeGreaterThan(-0.6);
  });
});

describe("the limiter", () => {
  const speech = Float32Array.from({ length: 48000 }, (_, i) => Math.sin(i * 0.05) * Math.sin(i * 0.0007) ** 2 * 1.6);

  it("holds the ceiling and keeps every sample's place", () => {
    const limiter = createLimiter(24000, -1);
    const limited = joinSamples([limiter.process(speech), limiter.flush()]);
    expect(limited.length).toBe(speech.length);
    expect(measureTruePeak(limited, 24000)).toBeLessThan(-0.95);
    // Where nothing is loud, nothing changes.
    expect(limited.slice(0, 400)).toEqual(speech.slice(0, 400));
  });

  it("leaves quiet audio exactly as it was", () => {
    const quiet = scaleSamples(speech, 0.1);
    const limiter = createLimiter(24000, -1);
    expect(joinSamples([limiter.process(quiet), limiter.flush()])).toEqual(quiet);
  });

  it("does the same however the stream is cut", () => {
    const whole = createLimiter(24000, -1);
    const expected = joinSamples([whole.process(speech), whole.flush()]);
    const cut = createLimiter(24000, -1);
    const parts: Float32Array[] = [];
    for (let start = 0; start < speech.length; start += 777)
      parts.push(cut.process(speech.subarray(start, start + 777)));
    parts.push(cut.flush());
    const got = joinSamples(parts);
    expect(got.length).toBe(expected.length);
    for (let i = 0; i < got.length; i += 13) expect(got[i]).toBeCloseTo(expected[i]!, 5);
  });

  it("ends even when there was next to nothing to limit", () => {
    const limiter = createLimiter(24000, -1);
    expect(joinSamples([limiter.process(Float32Array.of(2)), limiter.flush()]).length).toBe(1);
    expect(createLimiter(24000, -1).flush().length).toBe(0);
  });
});
