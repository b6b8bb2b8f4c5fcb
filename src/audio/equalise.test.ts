import { expect, it } from "vitest";
import { equalise, measureTimbre, timbreDifference } from "./equalise.ts";

const rate = 24_000;

function noise(seconds: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: seconds * rate }, () => {
    state = (state * 48271) % 2147483647;
    return (state / 2147483647 - 0.5) * 0.3;
  });
}

it("a sound that was given another colour can be given its own again", () => {
  const plain = noise(2);
  const own = measureTimbre(plain, rate)!;
  const dark = { hertz: own.hertz, decibels: own.decibels.map((_, band) => 5 - band / 2) };
  const darkened = equalise(plain, rate, dark);
  const off = timbreDifference(measureTimbre(darkened, rate)!, own, 12);
  const restored = measureTimbre(equalise(darkened, rate, off), rate)!;
  const error = (timbre: typeof own) =>
    Math.max(...timbre.decibels.map((level, band) => Math.abs(level - own.decibels[band]!)));
  expect(error(measureTimbre(darkened, rate)!)).toBeGreaterThan(3);
  expect(error(restored)).toBeLessThan(1.2);
  expect(darkened.length).toBe(plain.length);
});

it("no gain changes nothing, and moves nothing in time", () => {
  const own = measureTimbre(noise(1), rate)!;
  const click = new Float32Array(1000);
  click[500] = 1;
  const same = equalise(click, rate, { hertz: own.hertz, decibels: own.decibels.map(() => 0) });
  expect(same.indexOf(Math.max(...same))).toBe(500);
  expect(same[500]).toBeCloseTo(1, 1);
});

it("differences are limited, and silence has no colour", () => {
  const own = measureTimbre(noise(1), rate)!;
  const far = { hertz: own.hertz, decibels: own.decibels.map((level) => level + 40) };
  expect(Math.max(...timbreDifference(own, far, 6).decibels)).toBe(6);
  expect(measureTimbre(new Float32Array(rate), rate)).toBeUndefined();
  expect(measureTimbre(new Float32Array(10), rate)).toBeUndefined();
});
