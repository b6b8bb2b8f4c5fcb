import { describe, expect, it } from "vitest";
import type { TranslationEngine } from "../../ports/translation-engine.ts";
import { languageName } from "../languages.ts";
import { translate } from "./translate.ts";

const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: null };
const engine = (fields: Partial<TranslationEngine> = {}): TranslationEngine => ({
  directions: () => [
    { source: "en-us", target: "es", quality: "good" },
    { source: "es", target: "en-us", quality: "good" },
    { source: "es", target: "pt-br", quality: "preview" },
  ],
  translate: async ({ text, source, target }) => ({ text: `${source}>${target}: ${text}`, usage }),
  ...fields,
});
const detecting = (language: string | undefined) => ({
  detect: async () => (language ? { language, isSure: true } : undefined),
});
const run = (wanted: { text: string; target: string; source?: string }, using = engine(), heard?: string) =>
  translate(
    { translation: using, detector: detecting(heard) },
    wanted,
    { key: "k", flow: "f" },
    new AbortController().signal,
  );

describe("a translation", () => {
  it("finds the codes of the catalog for what clients write", async () => {
    expect(await run({ text: "Hi", source: "EN_gb", target: "es-MX" })).toMatchObject({
      source: "en-us",
      target: "es",
    });
    expect(await run({ text: "Hola", target: "pt" }, engine(), "es")).toMatchObject({
      source: "es",
      target: "pt-br",
      quality: "preview",
    });
  });

  it("into British English is told to be that, by engines that know one English", async () => {
    expect(await run({ text: "Hola", source: "es", target: "en_GB" })).toMatchObject({
      text: "es>en-us: Hola",
      target: "en-gb",
    });
    expect((await run({ text: "Hola", source: "es", target: "en" })).target).toBe("en-us");
  });

  it("of a text already in the language asked for is the text, and costs nothing", async () => {
    const same = await run({ text: "Hi", source: "en-us", target: "en-gb" });
    expect(same.text).toBe("Hi");
    expect(same.usage.inputTokens).toBe(0);
    expect(same.target).toBe("en-gb");
  });

  it("that nobody can make is refused with those that can be made", async () => {
    await expect(run({ text: "Hi", source: "es", target: "ja" })).rejects.toThrow(
      /Spanish into Japanese.*en-us, pt-br/,
    );
    await expect(run({ text: "Hi", source: "xx", target: "es" })).rejects.toThrow(/"xx".*en-us into es/);
    await expect(run({ text: "12", target: "es" })).rejects.toThrow(/source_language/);
    const some = engine({ missing: () => "Install the rest with: get it" });
    await expect(run({ text: "Hi", source: "es", target: "ja" }, some)).rejects.toThrow(
      /Install the rest with: get it$/,
    );
    const none = engine({ directions: () => [], missing: () => "Install it." });
    await expect(run({ text: "Hi", source: "en", target: "es" }, none)).rejects.toMatchObject({
      kind: "engine_unavailable",
      message: "Install it.",
    });
  });

  it.each(["x\u0000", "xx-anything", "my secret words", "en\ud800"])(
    "between two of %j, which is no language, is refused",
    async (code) => {
      await expect(run({ text: "Hi", source: code, target: code })).rejects.toMatchObject({ kind: "invalid_request" });
    },
  );

  it("goes to an engine that takes any direction as it was asked for", async () => {
    const any = engine({ directions: () => [], takesAnyDirection: true });
    expect((await run({ text: "Hi", source: "en", target: "ja" }, any)).text).toBe("en>ja: Hi");
  });
});

describe("names of languages", () => {
  it("are those of the catalog", () => {
    expect(["bn", "pt-pt"].map(languageName)).toEqual(["Bengali", "Portuguese (Portugal)"]);
  });

  it("are English, with a region only where it is written differently", () => {
    expect(["en-us", "es", "pt-br", "nb", "hi"].map(languageName)).toEqual([
      "English",
      "Spanish",
      "Portuguese (Brazil)",
      "Norwegian",
      "Hindi",
    ]);
  });
});
