import { describe, expect, it } from "vitest";
import { isAcknowledgement } from "./acknowledgement.ts";
import { silenceThatEnds } from "./end-of-turn.ts";

describe("the silence that ends a turn", () => {
  it("is decided by the sound where somebody can tell", () => {
    expect(silenceThatEnds("I would like to go and", 0.9)).toBe(400);
    expect(silenceThatEnds("I would like a ticket.", 0.1)).toBe(1800);
  });

  it.each([
    ["What time is it?", 400],
    ["I would like a ticket.", 640],
    ['He said "no".', 640],
    ["¿Qué hora es?", 400],
    ["यह क्या है।", 640],
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
    expect(silenceThatEnds(heard)).toBe(expected);
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
