import { describe, expect, it } from "vitest";
import { countCharacters, fitCharacters, splitCharacters } from "./characters.ts";

describe("characters", () => {
  it.each([
    ["héllo", 5],
    ["e\u0301", 1],
    ["👩‍👩‍👧‍👦", 1],
    ["🇩🇪🇫🇷", 2],
    ["👍🏽!", 2],
    ["नमस्ते", 3],
    ["a\r\nb", 3],
    ["\ud800\udc00\ud800", 2],
    ["", 0],
  ])("of %s are %d", (text, count) => {
    expect(countCharacters(text)).toBe(count);
    expect(splitCharacters(text).join("")).toBe(text);
  });

  it("are counted up to the limit and not past it", () => {
    expect(fitCharacters(["é".repeat(3000)], 3000)).toBe(true);
    expect(fitCharacters(["e\u0301".repeat(3000)], 3000)).toBe(true);
    expect(fitCharacters(["e\u0301".repeat(3001)], 3000)).toBe(false);
    expect(fitCharacters(["👩‍👩‍👧‍👦".repeat(20), "a".repeat(20)], 40)).toBe(true);
    expect(fitCharacters(["a".repeat(21), "a".repeat(20)], 40)).toBe(false);
  });

  it("do not let a megabyte of combining marks pass", () => {
    expect(fitCharacters([`e${"\u0301".repeat(1_000_000)}`], 3000)).toBe(false);
  });
});
