import { describe, expect, it } from "vitest";
import { listenInputs } from "./listen-inputs.ts";

const positions = (samples: Float32Array, window: Parameters<typeof listenInputs>[1]) =>
  Array.from(listenInputs(samples, window).feeds.tail.data as BigInt64Array, Number);

describe("what the encoder is given", () => {
  const second = new Float32Array(16_000).fill(0.1);

  it("is what was spoken and two seconds of silence, with a few rows of the silence up to 30 s", () => {
    const { rows, spokenRows, feeds } = listenInputs(second, "spoken");
    const tail = positions(second, "spoken");
    expect(spokenRows).toBe(50);
    expect(rows).toBe(150 + tail.length);
    expect(feeds.samples.dims).toEqual([1, 1, 150 * 320 + 240]);
    expect([tail[0], tail[1]! - tail[0]!, tail.at(-1)! < 1500]).toEqual([154, 8, true]);
  });

  it("is less of the silence where somebody waits, and all of it for the whole window", () => {
    expect(positions(second, "quick").length).toBeLessThan(positions(second, "spoken").length * 0.6);
    expect(positions(second, "whole")).toEqual([]);
    expect(listenInputs(second, "whole").rows).toBe(1500);
  });

  it("never exceeds 30 s", () => {
    const long = listenInputs(new Float32Array(40 * 16_000), "spoken");
    expect([long.rows, long.spokenRows]).toEqual([1500, 1500]);
  });

  it("begins with the mirrored beginning, and takes no sample at all", () => {
    const rising = Float32Array.from({ length: 16_000 }, (_, i) => i);
    const padded = listenInputs(rising, "spoken").feeds.samples.data as Float32Array;
    expect([padded[198], padded[199], padded[200], padded[201]]).toEqual([2, 1, 0, 1]);
    expect(listenInputs(new Float32Array(0), "spoken").spokenRows).toBe(0);
  });
});
