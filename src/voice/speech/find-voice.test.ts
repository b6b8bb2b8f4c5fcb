import { describe, expect, it } from "vitest";
import type { SpokenLanguage } from "../../ports/speech-engine.ts";
import { findLanguage, getLanguage, getVoice } from "./find-voice.ts";

const languages: SpokenLanguage[] = "en-us en-gb es pt-br pt-pt nb hi".split(" ").map((code) => ({
  code,
  label: code,
  engine: code === "hi" ? "engine_b" : "engine_a",
  voices: [
    { id: `${code}_ann`, label: "Ann" },
    { id: `${code}_bob`, label: "Bob" },
  ],
}));

describe("finding a language", () => {
  it.each([
    ["en-us", "en-us"],
    ["EN_US", "en-us"],
    ["en", "en-us"],
    ["en-GB", "en-gb"],
    ["en-AU", "en-gb"],
    ["en-CA", "en-us"],
    ["es-MX", "es"],
    ["pt", "pt-br"],
    ["pt-PT", "pt-pt"],
    ["pt-AO", "pt-br"],
    ["no", "nb"],
    ["hi-IN", "hi"],
    [" es ", "es"],
  ])("%s is %s", (wanted, code) => {
    expect(findLanguage(languages, wanted)?.code).toBe(code);
  });

  it.each(["xx", "", "-", "e", "english"])('"%s" is none', (wanted) => {
    expect(findLanguage(languages, wanted)).toBeUndefined();
    expect(() => getLanguage(languages, wanted)).toThrow("en-us, en-gb, es");
  });

  it("without any model the answer says how to get one", () => {
    expect(() => getLanguage([], "en-us")).toThrow("./parlance models pull");
  });
});

describe("finding a voice", () => {
  it("the first is the default, and case is forgiven", () => {
    expect(getVoice(languages[0]!, undefined)).toBe("en-us_ann");
    expect(getVoice(languages[0]!, "EN-US_Bob")).toBe("en-us_bob");
  });

  it("an unknown voice names the voices there are", () => {
    expect(() => getVoice(languages[0]!, "zed")).toThrow(
      'There is no voice "zed" for "en-us". Voices: en-us_ann, en-us_bob.',
    );
  });

  it("a voice of another language says which", () => {
    expect(() => getVoice(languages[0]!, "ES_Ann", languages)).toThrow(
      'There is no voice "ES_Ann" for "en-us". Voices: en-us_ann, en-us_bob. That voice speaks: es.',
    );
    expect(() => getVoice(languages[0]!, "zed", languages)).toThrow(/en-us_bob\.$/);
  });
});
