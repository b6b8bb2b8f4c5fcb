import { describe, expect, it } from "vitest";
import { RefusalPace } from "./refusal-pace.ts";

const megabyte = 1e6;

function startPace() {
  const time = { ms: 0 };
  return { time, pace: new RefusalPace(() => time.ms) };
}

describe("refusals", () => {
  it("of a few large uploads and of a burst of small requests come at once", () => {
    const { pace } = startPace();
    expect(pace.delayMs("one", 25 * megabyte)).toBe(0);
    expect(pace.delayMs("one", 25 * megabyte)).toBe(0);
    expect(Array.from({ length: 1000 }, () => pace.delayMs("two", 100)).every((delay) => delay === 0)).toBe(true);
  });

  it("come later and later to whoever goes on, and never later than five seconds", () => {
    const { pace } = startPace();
    const delays = Array.from({ length: 100 }, () => pace.delayMs("one", megabyte));
    expect(delays[32]).toBe(0);
    expect(delays[33]).toBe(500);
    expect(delays[34]).toBe(1000);
    expect(delays[99]).toBe(5000);
  });

  it("come at once to everybody else", () => {
    const { pace } = startPace();
    for (let count = 0; count < 100; count++) pace.delayMs("one", megabyte);
    expect(pace.delayMs("two", megabyte)).toBe(0);
  });

  it("come at once again after a while", () => {
    const { pace, time } = startPace();
    for (let count = 0; count < 1000; count++) pace.delayMs("one", megabyte);
    time.ms += 4000;
    expect(pace.delayMs("one", megabyte)).toBe(1000);
    time.ms += 2000;
    expect(pace.delayMs("one", megabyte)).toBe(0);
  });
});
