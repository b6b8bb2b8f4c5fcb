import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createLexicon } from "./lexicon.ts";
import { featuresOfPage, type PageWord } from "./page-features.ts";

const made = JSON.parse(readFileSync(new URL("./page-features.fixture.json", import.meta.url), "utf8")) as {
  vocabulary: { meaning: string; phrase: string }[];
  meanings: string[];
  words: PageWord[];
  inputs: Record<"grams" | "words" | "shapes" | "meanings" | "numbers", number[]>;
};

describe("what the net is told of a page", () => {
  const features = featuresOfPage(made.words, createLexicon(made.meanings, made.vocabulary));

  it.each(["grams", "words", "shapes", "meanings"] as const)("is what it was taught with: %s", (name) => {
    expect([...features[name]].map(Number)).toEqual(made.inputs[name]);
  });

  it("is what it was taught with: numbers", () => {
    const numbers = [...features.numbers];
    expect(numbers).toHaveLength(made.inputs.numbers.length);
    for (const [index, number] of numbers.entries()) expect(number).toBeCloseTo(made.inputs.numbers[index]!, 4);
  });
});
