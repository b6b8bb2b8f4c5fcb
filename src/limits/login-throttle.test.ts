import { describe, expect, it } from "vitest";
import { createMemoryBus } from "../adapters/bus/memory-bus.ts";
import { LoginThrottle } from "./login-throttle.ts";

function throttle() {
  const clock = { time: 1_000_000, now: () => clock.time };
  const one = new LoginThrottle(clock);
  /** Tries, and tells how many seconds to wait; 0 when it was let through. */
  const attempt = (account: string, address: string, isKnown = false): number => {
    try {
      one.attempt(account, address, isKnown);
      return 0;
    } catch (error) {
      return (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
  };
  return { clock, one, attempt };
}

describe("failed sign-ins", () => {
  it("count at every server", async () => {
    const bus = createMemoryBus();
    const { one, attempt } = throttle();
    const other = throttle();
    one.share(bus, "test");
    other.one.share(bus, "test");
    for (let n = 0; n < 5; n++) expect(attempt("ada", "192.0.2.1")).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(other.attempt("ada", "192.0.2.1")).toBe(1);
    other.one.succeed("ada", "192.0.2.1");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(attempt("ada", "192.0.2.1")).toBe(0);
  });

  it("slow the next ones from the same place down, each pause twice the last", () => {
    const { clock, attempt } = throttle();
    for (let n = 0; n < 5; n++) expect(attempt("ada", "192.0.2.1")).toBe(0);
    expect(attempt("ada", "192.0.2.1")).toBe(1);
    expect(attempt("ada", "192.0.2.1")).toBe(1);
    clock.time += 1000;
    expect(attempt("ada", "192.0.2.1")).toBe(0);
    expect(attempt("ada", "192.0.2.1")).toBe(2);
    expect(attempt("ada", "192.0.2.9")).toBe(0);
  });

  it("of strangers never keep the owner out where the owner has signed in before", () => {
    const { attempt } = throttle();
    for (let n = 0; n < 500; n++) attempt("ada", `198.51.100.${n % 250}`, true);
    expect(attempt("ada", "203.0.113.7")).toBeGreaterThan(0);
    expect(attempt("ada", "203.0.113.7", true)).toBe(0);
  });

  it("never stop anybody for longer than a quarter of an hour", () => {
    const { clock, attempt } = throttle();
    for (let n = 0; n < 1000; n++) {
      attempt(`account ${n}`, "192.0.2.1");
      clock.time += 500;
    }
    expect(attempt("new", "192.0.2.1")).toBeGreaterThan(0);
    clock.time += 15 * 60_000;
    expect(attempt("new", "192.0.2.1")).toBe(0);
  });

  it("are forgotten after a success", () => {
    const { one, attempt } = throttle();
    for (let n = 0; n < 5; n++) attempt("ada", "192.0.2.1");
    one.succeed("ada", "192.0.2.1");
    expect(attempt("ada", "192.0.2.1")).toBe(0);
  });
});
