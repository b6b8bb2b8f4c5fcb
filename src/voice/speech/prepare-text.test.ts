import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";
import { prepareText } from "./prepare-text.ts";
import { splitText } from "./split-text.ts";

const texts = (text: string, language = "en-us", isUrgent = false) =>
  prepareText(text, language, { isUrgent }).map((piece) => piece.text);

describe("cleaning", () => {
  it("leaves no controls, no half characters, no marks of direction", () => {
    expect(cleanText("a\u0000b\ud83d c\u202e d\r\ne\u00a0f")).toBe("a b c d\ne f");
  });

  it("keeps the joiners that shape letters", () => {
    expect(cleanText("క్‌ష")).toBe("క్‌ష");
  });
});

describe("splitting", () => {
  it("sentences are pieces, and a word alone joins its neighbour", () => {
    expect(texts("Yes. The first sentence is here now. The second one follows right after it.")).toEqual([
      "Yes. The first sentence is here now.",
      "The second one follows right after it.",
    ]);
  });

  it("a long sentence is cut at its clauses", () => {
    const pieces = texts(
      "When the sun had finally set behind the far mountains, which took a while, the whole village gathered in the square, lit hundreds of small lanterns, and sang until the morning came.",
    );
    expect(pieces.length).toBe(2);
    expect(pieces[0]!.endsWith(",")).toBe(true);
  });

  it("the first piece is short when somebody waits for it", () => {
    const text = "First of all, let me tell you something about the long history of this small town. Then we walk.";
    expect(texts(text, "en-us", true)[0]!.length).toBeLessThanOrEqual(70);
    expect(texts(text, "en-us", false)[0]!.length).toBeGreaterThan(70);
  });

  it("paragraphs pause longer than sentences, and the end not at all", () => {
    const pauses = splitText(
      "This is the first paragraph here.\n\nThis is the second one. And this is another sentence.",
      "en-us",
    ).map(({ pauseMs }) => pauseMs);
    expect(pauses[0]).toBeGreaterThan(pauses[1]!);
    expect(pauses.at(-1)).toBe(0);
  });

  it("3000 letters without a blank are cut between letters", () => {
    const pieces = texts("a".repeat(3000));
    expect(pieces.join("")).toBe("a".repeat(3000));
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(184);
  });

  it("a given pronunciation stays in one piece", () => {
    const text = `${"word ".repeat(30)}[San José](/ˌsæn hoʊˈzeɪ/) ${"word ".repeat(20)}`;
    expect(texts(text).filter((piece) => piece.includes("[San José](/ˌsæn hoʊˈzeɪ/)")).length).toBe(1);
  });

  it("loses no letter, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        const clean = cleanText(text);
        const letters = (value: string) => (value.match(/\p{L}/gu) ?? []).join("");
        expect(
          letters(
            splitText(clean, "en-us")
              .map((piece) => piece.text)
              .join(" "),
          ),
        ).toBe(letters(clean));
      }),
    );
  });
});

describe("preparing", () => {
  it("never fails otherwise than by saying that there is nothing to say", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.constantFrom("en-us", "fr", "hi", "ar", "nl"),
        (text, language) => {
          try {
            expect(prepareText(text, language).length).toBeGreaterThan(0);
          } catch (error) {
            expect((error as { kind?: string }).kind).toBe("invalid_request");
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(["...", "?!", "—", "«»", "\u200b."])("%s has nothing to pronounce", (text) => {
    expect(() => prepareText(text, "en-us")).toThrow("nothing that can be pronounced");
  });

  it.each(["1,", "a.", "1-", "@a", "A ", "[a](", "$1", "12:", "http://", "5 ", "Dr."])(
    "3000 characters of %s end in an answer",
    (unit) => {
      const text = unit.repeat(Math.floor(3000 / unit.length));
      for (const language of ["en-us", "de", "hi"]) {
        try {
          prepareText(text, language);
        } catch (error) {
          expect((error as { kind?: string }).kind).toBe("invalid_request");
        }
      }
    },
  );
});

describe("scripts", () => {
  it("text of another script is refused, mixed text is spoken without the foreign words", () => {
    expect(() => prepareText("namaste", "hi")).toThrow("Devanagari");
    expect(texts("मेरा iPhone नया है।", "hi")).toEqual(["मेरा नया है।"]);
  });

  it("digits alone are spoken in every language", () => {
    for (const language of ["hi", "bn", "ar", "ta", "ru", "el", "en-us"]) expect(texts("42", language)).toHaveLength(1);
    expect(() => prepareText("...", "hi")).toThrow("nothing that can be pronounced");
  });

  it("units and numbers are read in the language before anything is left out", () => {
    expect(texts("दूरी 5 km है।", "hi")).toEqual(["दूरी पाँच किलोमीटर है।"]);
  });
});
