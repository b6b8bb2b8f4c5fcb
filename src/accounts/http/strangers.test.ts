import { describe, expect, it } from "vitest";
import { Strangers } from "./strangers.ts";

function strangers() {
  const clock = { time: 1_000_000, now: () => clock.time };
  const one = new Strangers(clock);
  const come = (times: number, address = "192.0.2.1") => {
    for (let n = 0; n < times; n++) one.note(address);
  };
  return { clock, come, check: (address = "192.0.2.1") => one.check(address) };
}

describe("an address that sends unknown keys", () => {
  it("is let through 120 times a minute, then told when to come back", () => {
    const { clock, come, check } = strangers();
    come(119);
    expect(() => check()).not.toThrow();
    come(1);
    expect(() => check()).toThrow("Try again in 60 s.");
    expect(() => check("192.0.2.2")).not.toThrow();
    clock.time += 60_000;
    expect(() => check()).not.toThrow();
  });

  it("is not kept out for longer because the clock was set back", () => {
    const { clock, come, check } = strangers();
    come(120);
    clock.time -= 3_600_000;
    expect(() => check()).not.toThrow();
    come(120);
    expect(() => check()).toThrow("Try again in 60 s.");
  });
});
