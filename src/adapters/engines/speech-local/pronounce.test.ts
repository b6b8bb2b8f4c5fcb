import { describe, expect, it } from "vitest";
import type { Phonemizer } from "../../../ports/phonemizer.ts";
import { pronounce } from "./pronounce.ts";

describe("pronouncing a text", () => {
  /** Spells each word with its own letters. */
  const letters: Phonemizer = {
    phonemize: async (texts) => texts.map((text) => (text.match(/\p{L}+/gu) ?? []).map((word) => [...word])),
  };
  const spelling = { spellWord: (word: readonly string[]) => word.join(""), marks: "?!….:;—," };
  const job = { key: "k", flow: "f", signal: new AbortController().signal };
  const say = (text: string, language = "es") => pronounce(text, language, spelling, letters, job);

  it("keeps the marks that carry melody, one for each run of them", async () => {
    expect(await say("hola, ¿qué?! sí...")).toBe("hola, qué? sí…");
    expect(await say("« hola »")).toBe("hola");
    expect(await say("नम।", "hi")).toBe("नम.");
  });

  it("leaves points and commas inside numbers to the phonemizer", async () => {
    const seen: string[] = [];
    const spy: Phonemizer = {
      async phonemize(texts) {
        seen.push(...texts);
        return texts.map(() => [["a"]]);
      },
    };
    await pronounce("a 3.14, b", "nl", spelling, spy, job);
    expect(seen.filter(Boolean)).toEqual(["a 3.14", "b"]);
  });

  it("says a word the way it is given, in the company of the words before it", async () => {
    expect(await say("una [Nguyen](/ŋwˈiən/) da")).toBe("una ŋwˈiən da");
  });

  it("has nothing to say for marks alone", async () => {
    expect(await say("... !?")).toBe("");
  });
});
