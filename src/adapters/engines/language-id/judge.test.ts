import { describe, expect, it } from "vitest";
import { judge } from "./judge.ts";

const eld = (language: string, isReliable: boolean) => ({ language, isReliable });
const fasttext = (language: string, probability: number) => ({ language, probability });

describe("telling the language of a text", () => {
  it("believes the first opinion where it is reliable", () => {
    const opinion = judge("Where is the station?", eld("en", true), fasttext("nl", 0.4));
    expect(opinion).toEqual({ language: "en", isSure: true });
  });

  it("asks the second about a word or two, and is sure only when both agree or it is very likely", () => {
    expect(judge("Hello", eld("it", false), fasttext("en", 0.23))).toEqual({ language: "en", isSure: false });
    expect(judge("Ciao", eld("", false), fasttext("it", 0.92))).toEqual({ language: "it", isSure: true });
  });

  it("does not fall for languages the platform does not deal with, and tells nothing from digits", () => {
    expect(judge("Bom dia", eld("pt", false), fasttext("mg", 0.35))).toEqual({ language: "pt", isSure: false });
    expect(judge("12345 🎉", eld("", false), fasttext("en", 0.1))).toBeUndefined();
  });
});
