import { describe, expect, it } from "vitest";
import { foldScript, unfoldScript } from "./fold-script.ts";
import { splitClauses, splitSentences } from "./split-sentences.ts";
import { findHops, translateText } from "./translate-text.ts";

const sentencesOf = (text: string) =>
  splitSentences(text)
    .filter(({ isSentence }) => isSentence)
    .map((one) => one.text);

describe("sentences", () => {
  it("joined together again are the text, whatever it is", () => {
    for (const text of [
      "One.  Two!\n\n  Three?\r\n\tFour\u00a0five.\u2028Six",
      "- first\n- second one. And more.\n 12) third",
      "",
      "   ",
      "...",
      "नमस्ते। आप कैसे हैं? ठीक हूँ।",
    ]) {
      expect(
        splitSentences(text)
          .map((one) => one.text)
          .join(""),
      ).toBe(text);
    }
  });

  it("end at full stops, questions, exclamations and dandas, not at abbreviations, initials and decimals", () => {
    expect(sentencesOf("Dr. J. Smith paid 3.50 on May 1. He left! Why? See e.g. Mr. Brown.")).toEqual([
      "Dr. J. Smith paid 3.50 on May 1. He left!",
      "Why?",
      "See e.g. Mr. Brown.",
    ]);
    expect(sentencesOf('He said "Stop." Then he went. ok then')).toEqual(['He said "Stop."', "Then he went. ok then"]);
    expect(sentencesOf("Das war am 3. Oktober. Danach kam er.")).toEqual(["Das war am 3. Oktober.", "Danach kam er."]);
    expect(sentencesOf("नमस्ते। आप कैसे हैं? ठीक हूँ।")).toEqual(["नमस्ते।", "आप कैसे हैं?", "ठीक हूँ।"]);
    expect(sentencesOf("كيف حالك؟ أنا بخير.")).toEqual(["كيف حالك؟", "أنا بخير."]);
  });

  it("leave list marks, numbers and rules alone", () => {
    expect(sentencesOf("1. Open the box\n2) Take it\n- now\n12.50\n-----")).toEqual(["Open the box", "Take it", "now"]);
  });

  it("that are too long are cut at clauses, else between words, else anywhere", () => {
    const fits = (part: string) => part.trim().length <= 20;
    const cut = (text: string) => splitClauses(text, fits);
    expect(cut("short enough")).toEqual(["short enough"]);
    expect(cut("first part of it here, second part")).toEqual(
      ["first part of it here, ".slice(0, 23), "second part"].flatMap((one) => cut(one)),
    );
    const long = "x".repeat(3000);
    expect(cut(long).join("")).toBe(long);
    expect(cut(long).every(fits)).toBe(true);
  });
});

describe("a text", () => {
  const translator = {
    ask: async (sentence: string, hop: { source: string; target: string }) => [`${hop.target}(${sentence})`],
    fits: () => true,
  };

  it("keeps its line breaks, gaps and blank lines", async () => {
    expect(await translateText("One.  Two.\n\n\tThree\r\n 12 ", "en", "de", translator)).toBe(
      "de(One.)  de(Two.)\n\n\tde(Three)\r\n 12 ",
    );
  });

  it("goes through English between two other languages", async () => {
    expect(findHops("de", "fr")).toEqual([
      { source: "de", target: "en" },
      { source: "en", target: "fr" },
    ]);
    expect(findHops("en", "fr")).toHaveLength(1);
    expect(await translateText("Hallo.", "de", "fr", translator)).toBe("fr(en(Hallo.))");
  });
});

describe("scripts", () => {
  const scripts = { blocks: { bn: 0x980, ta: 0xb80 }, devanagari: 0x900 };

  it("of India are folded onto one and back, dandas aside", () => {
    const bengali = "আমি ভাত খাই।";
    expect(foldScript(bengali, "bn", scripts)).toMatch(/^[\u0900-\u097f ]+$/);
    expect(unfoldScript(foldScript(bengali, "bn", scripts), "bn", scripts)).toBe(bengali.normalize("NFC"));
    expect(foldScript("नमस्ते", "hi", scripts)).toBe("नमस्ते");
  });

  it("are cleaned of what nobody sees", () => {
    expect(foldScript("  a\u200b\u00ad  b\u00a0ﬁ ", "en", scripts)).toBe("a b fi");
  });
});
