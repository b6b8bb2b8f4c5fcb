import { describe, expect, it } from "vitest";
import { isAcknowledgement } from "./acknowledgement.ts";
import { learnPatience, silenceThatEnds } from "./end-of-turn.ts";

describe("the silence that ends a turn", () => {
  it("is decided by the sound where somebody can tell", () => {
    expect(silenceThatEnds("I would like to go and", 700, 0.9)).toBe(400);
    expect(silenceThatEnds("I would like a ticket.", 700, 0.1)).toBe(1800);
  });

  it.each([
    ["What time is it?", 400],
    ["I would like a ticket.", 400],
    ['He said "no".', 400],
    ["¿Qué hora es?", 400],
    ["यह क्या है।", 400],
    ["Tuesday", 900],
    ["I would like to go and.", 1800],
    ["It was the", 1800],
    ["Well, I think,", 1800],
    ["I was thinking...", 1800],
    ["Ich möchte einen Termin und", 1800],
    ["Um.", 1800],
    // A question is one, whatever its last word.
    ["Where are you from?", 400],
  ])("after %j is %i ms", (heard, expected) => {
    expect(silenceThatEnds(heard, 400)).toBe(expected);
  });

  it("after a sentence is what the caller needs, and after other words what it was", () => {
    expect(["I would like a ticket.", "Where to?", "Tuesday"].map((heard) => silenceThatEnds(heard, 700))).toEqual([
      700, 700, 900,
    ]);
  });
});

describe("the patience with a caller", () => {
  it("grows with the pauses after which they went on, to 800 ms", () => {
    expect([250, 560, 880].map((pausedMs) => learnPatience(400, pausedMs))).toEqual([400, 560, 800]);
  });

  it("stays when they began anew after a second: that is another turn, or an interruption", () => {
    expect(learnPatience(400, 1100)).toBe(400);
  });

  it("never shrinks in a call", () => {
    expect(learnPatience(700, 450)).toBe(700);
  });
});

describe("an acknowledgement", () => {
  it.each(["Mhm.", "Okay, okay.", "Yeah, right.", "Sí, claro.", "Uh huh", "हाँ जी"])("is %j", (text) => {
    expect(isAcknowledgement(text)).toBe(true);
  });

  it.each(["", "Stop.", "No.", "Okay, but wait.", "Yes yes yes yes yes", "Actually"])("is not %j", (text) => {
    expect(isAcknowledgement(text)).toBe(false);
  });
});
