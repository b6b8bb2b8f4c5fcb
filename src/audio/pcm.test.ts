import { describe, expect, it } from "vitest";
import { durationMs, fadeEdges, fromPcm16, joinSamples, toPcm16 } from "./pcm.ts";
import { trimSilence } from "./trim.ts";
import { readWav, wavHeader } from "./wav.ts";

const tone = (seconds: number, rate: number, hertz = 440, level = 0.5) =>
  Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, i) => level * Math.sin((2 * Math.PI * hertz * i) / rate),
  );

describe("16-bit PCM", () => {
  it("comes back as it went in, to half a step", () => {
    const samples = tone(0.1, 24000);
    const back = fromPcm16(toPcm16(samples));
    for (let i = 0; i < samples.length; i++) expect(Math.abs(back[i]! - samples[i]!)).toBeLessThan(1 / 16384);
  });

  it("clips what is too loud instead of wrapping it around, and silences what is not a number", () => {
    expect([...fromPcm16(toPcm16(Float32Array.of(3, -3, Number.NaN)))].map((v) => Math.round(v))).toEqual([1, -1, 0]);
  });
});

describe("wav", () => {
  it("says its exact length", () => {
    const data = toPcm16(tone(0.25, 16000));
    const wav = Buffer.concat([wavHeader({ sampleRateHz: 16000 }, data.length), data]);
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    const decoded = readWav(wav)!;
    expect(decoded.sampleRateHz).toBe(16000);
    expect(durationMs(decoded.samples.length, 16000)).toBe(250);
  });

  it("leaves its length open when it is streamed, and is read to its end all the same", () => {
    const header = wavHeader({ sampleRateHz: 24000 });
    expect(Buffer.from(header).readUInt32LE(40)).toBe(0xffffffff);
    expect(readWav(Buffer.concat([header, toPcm16(tone(0.1, 24000))]))!.samples.length).toBe(2400);
  });

  it("is not made out of other bytes", () => {
    expect(readWav(new Uint8Array(100))).toBeUndefined();
    expect(readWav(new Uint8Array(3))).toBeUndefined();
  });
});

describe("edges", () => {
  it("silence around the sound is cut, up to a margin", () => {
    const clip = joinSamples([new Float32Array(24000), tone(1, 24000), new Float32Array(12000)]);
    const length = trimSilence(clip, 24000).length;
    expect(length).toBeGreaterThan(24000);
    expect(length).toBeLessThan(24000 + 2 * 24000 * 0.04);
  });

  it("a silent clip is empty", () => {
    expect(trimSilence(new Float32Array(5000), 24000).length).toBe(0);
    expect(trimSilence(new Float32Array(0), 24000).length).toBe(0);
  });

  it("fades begin and end at nothing and leave the middle alone", () => {
    const faded = fadeEdges(new Float32Array(100).fill(1), 10);
    expect(faded[0]).toBe(0);
    expect(faded[99]).toBe(0);
    expect(faded[50]).toBe(1);
  });
});
