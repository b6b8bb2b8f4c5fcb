import { expect, it } from "vitest";
import { trimSilence, trimStart } from "./trim.ts";

const rateHz = 1000;
/** A tenth of a second each of silence, a soft sound, a loud one and silence. */
const sound = Float32Array.from({ length: 400 }, (_, i) => [0, 0.002, 0.5, 0][Math.floor(i / 100)]!);

it("the silence on both sides of a sound is cut off, but for a little", () => {
  expect(trimSilence(sound, rateHz).length).toBe(250);
});

it("what is softer than the floor counts as silence", () => {
  expect(trimSilence(sound, rateHz, { floorDecibels: -40, marginMs: 10 }).length).toBe(120);
});

it("only the beginning is cut off where only that is wanted", () => {
  const cut = trimStart(sound, rateHz, { floorDecibels: -40, marginMs: 10 });
  expect([cut.length, cut.at(-1)]).toEqual([210, 0]);
});

it("a beginning without any sound stays", () => {
  expect(trimStart(new Float32Array(100), rateHz).length).toBe(100);
});
