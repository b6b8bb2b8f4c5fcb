import { describe, expect, it } from "vitest";
import { findLoop, isSaidTwice, lengthWithoutLoop } from "./repetition.ts";

describe("loops of tokens", () => {
  it.each([
    ["one word six times", [9, 1, 1, 1, 1, 1, 1], 1, 2],
    ["a pair four times", [9, 1, 2, 1, 2, 1, 2, 1, 2], 2, 3],
    ["a phrase three times", [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5], 5, 5],
  ])("%s is a loop and is kept once", (_name, tokens, period, kept) => {
    expect(findLoop(tokens)).toBe(period);
    expect(lengthWithoutLoop(tokens, period)).toBe(kept);
  });

  it.each([
    ["no, no, no", [1, 1, 1]],
    ["a sentence", [1, 2, 3, 4, 5, 6, 7, 8]],
    ["a refrain said twice", [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]],
  ])("%s is not", (_name, tokens) => {
    expect(findLoop(tokens)).toBe(0);
  });
});

describe("a text", () => {
  it.each([
    ["Madame la baronne. Madame la baronne.", true],
    ["Non, non!", false],
    ["Come here. Come here.", false],
    ["Madame la baronne. Madame le baron.", false],
    ["Madame la baronne. Madame la baronne. Oui.", false],
  ])("%s is the same thing twice: %s", (text, isTwice) => {
    expect(isSaidTwice(text)).toBe(isTwice);
  });
});
