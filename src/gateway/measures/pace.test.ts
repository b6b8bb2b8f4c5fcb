import { expect, it } from "vitest";
import { Pace } from "./pace.ts";

it("what usually takes a moment is given less time, and more again after it took longer", () => {
  const pace = new Pace();
  expect(pace.limitMs(60_000)).toBe(60_000);
  for (let n = 0; n < 20; n++) pace.note(400 + (n % 3) * 100);
  expect(pace.limitMs(60_000)).toBe(10_000);
  expect(pace.limitMs(300)).toBe(300);
  pace.note(20_000);
  expect(pace.limitMs(60_000)).toBeGreaterThan(30_000);
  for (let n = 0; n < 10; n++) pace.note(8_000);
  expect(pace.limitMs(60_000)).toBeGreaterThan(24_000);
});
