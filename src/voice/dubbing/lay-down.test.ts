import { describe, expect, it } from "vitest";
import { chooseVoices } from "./choose-voices.ts";
import { keepBackground } from "./keep-background.ts";
import { layInOrder, layInTime } from "./lay-down.ts";

const rate = 24_000;
const tone = (seconds: number, hertz = 200) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => 0.3 * Math.sin((2 * Math.PI * hertz * i) / rate));
const line = (startMs: number, endMs: number, seconds: number) => ({
  text: "source",
  translation: "target",
  language: "es",
  speaker: 0,
  startMs,
  endMs,
  samples: tone(seconds),
});
const isSilent = (samples: Float32Array) => samples.every((value) => Math.abs(value) < 1e-6);

describe("laying a dub down", () => {
  it("in order: lines follow each other with pauses like those of the source", () => {
    const { samples, segments } = layInOrder([line(1000, 2000, 1), line(2600, 4000, 2)], rate);
    expect(segments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 1000],
      [1600, 3600],
    ]);
    expect(samples.length).toBe(3.6 * rate);
    expect(isSilent(samples.subarray(1.01 * rate, 1.59 * rate))).toBe(true);
  });

  it("in time: lines begin when their sources did, and the whole is as long as the source", async () => {
    const { samples, segments } = await layInTime([line(500, 1500, 1), line(3000, 4000, 1.4)], rate, 5000);
    expect(samples.length).toBe(5 * rate);
    expect(segments.map(({ startMs }) => startMs)).toEqual([500, 3000]);
    expect(isSilent(samples.subarray(0, 0.5 * rate))).toBe(true);
    expect(isSilent(samples.subarray(0.5 * rate, 0.6 * rate))).toBe(false);
    expect(isSilent(samples.subarray(1.7 * rate, 3 * rate))).toBe(true);
  });

  it("a line without anything to say takes no time", async () => {
    const empty = { ...line(500, 1500, 1), samples: new Float32Array(0) };
    expect((await layInTime([empty], rate, 2000)).samples.length).toBe(2 * rate);
    expect(layInOrder([empty], rate).samples.length).toBe(0);
  });
});

describe("the background", () => {
  const hum = (seconds: number) => Float32Array.from({ length: seconds * 16_000 }, (_, i) => 0.02 * Math.sin(i / 20));
  const source = hum(6);
  for (let i = 2 * 16_000; i < 4 * 16_000; i++) source[i]! += 0.3 * Math.sin(i / 3);

  it("lies under the whole dub, and nothing of the old voice with it", () => {
    const bed = keepBackground(new Float32Array(6 * rate), rate, source, [{ startMs: 2000, endMs: 4000 }]);
    expect(bed.length).toBe(6 * rate);
    for (const second of [0.5, 2.5, 3.5, 5.5]) {
      const part = bed.subarray(second * rate, (second + 0.2) * rate);
      const level = Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length);
      expect(level, `at ${second} s`).toBeGreaterThan(0.001);
      expect(level, `at ${second} s`).toBeLessThan(0.05);
    }
  });

  it("stays away where somebody speaks all the time", () => {
    const dub = tone(2);
    expect(keepBackground(dub, rate, source, [{ startMs: 0, endMs: 6000 }])).toBe(dub);
  });
});

describe("choosing voices", () => {
  const spanish = {
    code: "es",
    label: "Spanish",
    engine: "engine_a" as const,
    voices: [
      { id: "ef_dora", label: "Dora, female" },
      { id: "em_alex", label: "Alex, male" },
      { id: "em_santa", label: "Santa, male" },
    ],
  };
  const speaker = (medianHz: number | undefined) => ({ samples: new Float32Array(0), medianHz });

  it("goes by how high people speak, and gives each a voice of their own while there are any", () => {
    expect(chooseVoices(spanish, [speaker(110)], undefined)).toEqual(["em_alex"]);
    expect(chooseVoices(spanish, [speaker(220), speaker(110), speaker(100)], undefined)).toEqual([
      "ef_dora",
      "em_alex",
      "em_santa",
    ]);
    expect(chooseVoices(spanish, [speaker(110), speaker(115), speaker(120), speaker(220)], undefined)).toHaveLength(4);
  });

  it("the named voice is for whoever speaks first", () => {
    expect(chooseVoices(spanish, [speaker(110), speaker(110)], "ef_dora")).toEqual(["ef_dora", "em_alex"]);
    expect(chooseVoices(spanish, [speaker(undefined)], undefined)).toEqual(["ef_dora"]);
  });
});
