import { describe, expect, it } from "vitest";
import { UnknownKeyLimit } from "./unknown-key-limit.ts";

function strangers() {
  const clock = { time: 1_000_000, now: () => clock.time };
  const one = new UnknownKeyLimit(clock);
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

  it("is its whole IPv6 network", () => {
    const { come, check } = strangers();
    for (let n = 0; n < 120; n++) come(1, `2001:db8:1:2::${n.toString(16)}`);
    expect(() => check("2001:db8:1:2:ffff::1")).toThrow("Try again in 60 s.");
    expect(() => check("2001:db8:1:3::1")).not.toThrow();
  });

  it("is not forgotten because many others come", () => {
    const { come, check } = strangers();
    for (let n = 0; n < 9_999; n++) come(1, `other ${n}`);
    come(120, "guesser");
    for (let n = 0; n < 5_000; n++) come(1, `friend ${n}`);
    expect(() => check("guesser")).toThrow("Try again in 60 s.");
  });
});
