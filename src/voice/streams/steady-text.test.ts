import { describe, expect, it } from "vitest";
import { SteadyText } from "./steady-text.ts";

function show(...guesses: string[]): string[] {
  const steady = new SteadyText();
  return guesses.map((guess) => steady.update(guess));
}

describe("interim text", () => {
  it("is shown with the first guess, but for the word the speaker may be in", () => {
    expect(show("He could way")).toEqual(["He could"]);
    expect(show("He")).toEqual(["He"]);
  });

  it("grows by what two guesses agree on", () => {
    expect(show("He could way", "He could wait no", "He could wait no longer")).toEqual([
      "He could",
      "He could",
      "He could wait no",
    ]);
  });

  it("does not flicker when one guess strays", () => {
    const shown = show("I have a", "I have a dream", "I have a dream that", "Eye of", "I have a dream that one");
    expect(shown.at(-2)).toBe("I have a dream");
    expect(shown.at(-1)).toBe("I have a dream");
  });

  it("is revised when two guesses agree that it was wrong", () => {
    expect(show("Eye have a", "I have a dream", "I have a dream that").at(-1)).toBe("I have a dream");
  });

  it("does not care about case and marks, and shows no mark after the last word", () => {
    expect(show("hello there.", "Hello, there.", "Hello, there. You").at(-1)).toBe("Hello, there");
  });
});
