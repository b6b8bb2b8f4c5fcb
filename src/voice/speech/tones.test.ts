import { describe, expect, it } from "vitest";
import { combineManners, PLAIN } from "./manner.ts";
import { readStyle } from "./read-style.ts";
import { checkTone, mannerOf, TONES, wordingOf } from "./tones.ts";

describe("tones", () => {
  it("an unknown one is refused with the list, whatever it is called", () => {
    for (const name of ["grumpy", "__proto__", "constructor", ""]) {
      expect(() => checkTone(name)).toThrow(/must be one of: neutral, warm, friendly/);
    }
  });

  it("neutral changes nothing, and every other tone changes the sound and the wording", () => {
    expect(mannerOf("neutral", null)).toEqual(PLAIN);
    expect(mannerOf(null, undefined)).toEqual(PLAIN);
    for (const name of Object.keys(TONES).filter((one) => one !== "neutral")) {
      expect(mannerOf(name, null)).not.toEqual(PLAIN);
      expect(wordingOf(name, null)).not.toBe("");
    }
  });

  it("a tone and a style add up and stay within what a voice can do", () => {
    const both = mannerOf("excited", "very fast, extremely loud, with a really high voice");
    expect(both.rate).toBeLessThanOrEqual(1.4);
    expect(both.energyDecibels).toBe(4);
    expect(both.pitchSemitones).toBe(4);
    expect(combineManners([])).toEqual(PLAIN);
  });

  it("the wording holds the style as it was written", () => {
    expect(wordingOf("calm", "Call everybody captain.")).toMatch(/calm[\s\S]*Call everybody captain\.$/);
    expect(wordingOf(null, null)).toBe("");
  });
});

describe("a style in words", () => {
  it.each([
    ["Speak slowly", "rate", -1],
    ["a quick, upbeat delivery", "rate", 1],
    ["in a deep voice", "pitchSemitones", -1],
    ["a high-pitched cartoon voice", "pitchSemitones", 1],
    ["whispering", "energyDecibels", -1],
    ["LOUD and clear", "energyDecibels", 1],
    ["a flat monotone", "range", -1],
    ["very expressive", "range", 1],
    ["with long pauses", "pauses", 1],
  ] as const)("“%s” moves %s", (style, part, direction) => {
    expect(Math.sign(readStyle(style)[part] - PLAIN[part])).toBe(direction);
  });

  it("words that say nothing about a voice change nothing", () => {
    expect(readStyle("A pirate captain from Bristol who loves cheese.")).toEqual(PLAIN);
    expect(readStyle("")).toEqual(PLAIN);
    expect(readStyle("a steadfast breakfast in the highlands")).toEqual(PLAIN);
  });

  it("what is denied does not count, and what is stressed counts more", () => {
    expect(readStyle("not too fast, and never shout")).toEqual(PLAIN);
    expect(readStyle("very slowly").rate).toBeLessThan(readStyle("slowly").rate);
    expect(readStyle("a bit slower").rate).toBeGreaterThan(readStyle("slower").rate);
  });

  it("said twice is said once", () => {
    expect(readStyle("slow, slow, slowly")).toEqual(readStyle("slow"));
  });

  it("4000 characters of anything are read at once", () => {
    for (const text of ["slow ".repeat(800), "not ".repeat(1000), "\u0000\ud800".repeat(2000)]) {
      expect(readStyle(text).rate).toBeGreaterThan(0.6);
    }
  });
});
