import { describe, expect, it } from "vitest";
import { placeWords } from "./place-words.ts";

const words = (text: string) => text.split(" ");

describe("placing words between pauses", () => {
  it("gives each stretch of speech as many words as fit its length", () => {
    expect(placeWords(words("one two three four five six"), [10, 20])).toEqual([2, 4]);
    expect(placeWords(words("one two"), [30])).toEqual([2]);
  });

  it("puts a pause after a mark, even where the speaker was a little slower before it", () => {
    expect(placeWords(words("Good morning, all of you here"), [16, 14])).toEqual([2, 4]);
    expect(placeWords(words("Good morning all of you here"), [16, 14])).toEqual([3, 3]);
  });

  it("leaves a stretch without words when it is a breath or a hesitation", () => {
    expect(placeWords(words("considerable differences notwithstanding"), [2, 30, 30, 30])).toEqual([0, 1, 1, 1]);
  });

  it("places every word, once", () => {
    const counts = placeWords(words("a b c d e f g h"), [1, 50, 1, 3, 9]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8);
  });
});
