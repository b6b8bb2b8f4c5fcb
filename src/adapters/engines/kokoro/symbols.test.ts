import { describe, expect, it } from "vitest";
import { cutSymbols, isKokoroSymbol, toSymbolIds } from "./symbols.ts";
import { toKokoroSymbols } from "./to-kokoro-symbols.ts";

describe("Kokoro's alphabet", () => {
  it("has the ids of the model's own table", () => {
    expect(toSymbolIds("$;?—I OQ ɐæβɡᵻ")).toEqual([1, 6, 9, 25, 16, 31, 33, 16, 70, 72, 75, 92, 177]);
    expect(isKokoroSymbol("g")).toBe(false);
  });

  it("a line that is too long is cut at spaces, and one without spaces anywhere", () => {
    expect(cutSymbols("aa bb cc", 5)).toEqual(["aa bb", "cc"]);
    expect(cutSymbols("aaaaaaaaaaaa", 5)).toEqual(["aaaaa", "aaaaa", "aa"]);
    expect(cutSymbols("")).toEqual([]);
  });

  it.each([
    [["dʒ", "ˈɔɪ"], "en-us", "ʤˈY"],
    [["ɹ", "ˈiə", "l", "i"], "en-us", "ɹˈiəli"],
    [["b", "ˈʌ", "ɾ", "ɚ"], "en-us", "bˈʌTəɹ"],
    [["w", "ˈɜː", "l", "d"], "en-us", "wˈɜɹld"],
    [["ð", "ˈeə"], "en-gb", "ðˈɛː"],
    [["h", "ə", "l", "ˈəʊ"], "en-gb", "həlˈQ"],
    [["b", "ɔ̃", "ʒ", "ˈu", "ʁ"], "fr", "bɔ̃ʒˈuʁ"],
    [["ħ", "ˈaː", "l"], "ar", "hˈaːl"],
    [["ɪ", "ç"], "de", "ɪç"],
  ])("%j in %s is written %s", (word, language, symbols) => {
    expect(toKokoroSymbols(word, language)).toBe(symbols.replace("ɔ̃", "ɔ\u0303"));
  });
});
