import { afterEach, describe, expect, it, vi } from "vitest";
import { rememberFor } from "./remember-for.ts";

describe("what is remembered for a while", () => {
  afterEach(() => vi.useRealTimers());

  it("is looked for once in that while, and again after it", () => {
    vi.useFakeTimers();
    const look = vi.fn(() => look.mock.calls.length);
    const seen = rememberFor(1000, look);
    expect([seen(), seen()]).toEqual([1, 1]);
    vi.advanceTimersByTime(1001);
    expect(seen()).toBe(2);
  });

  it("is looked for again when the clock was set back", () => {
    vi.useFakeTimers();
    const seen = rememberFor(1000, () => Date.now());
    seen();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(seen()).toBe(Date.now());
  });
});
