import { describe, expect, it } from "vitest";
import { Problem } from "../../../platform/errors.ts";
import type { HearingRequest, TranscriptionEngine } from "../../../ports/transcription-engine.ts";
import { routeByLanguage } from "./route-by-language.ts";

const signal = new AbortController().signal;
const request: HearingRequest = {
  samples: new Float32Array(1),
  speechMs: 1,
  language: undefined,
  isInterim: false,
  key: "k",
  flow: "f",
};

function engine(
  name: string,
  languages: string[],
  spoken: string,
  more: Partial<TranscriptionEngine> = {},
): TranscriptionEngine {
  return {
    languages: () => languages,
    async hear({ language }) {
      const told = language ?? spoken;
      return { text: told === "und" ? "" : name, language: told, confidence: 1 };
    },
    ...more,
  };
}

describe("several recognisers", () => {
  const german = engine("german only", ["de"], "de", { tellsLanguage: false });
  const many = engine("many", ["en-us", "de", "fr"], "de", { guessesQuickly: true });

  it("add their languages up, and the first that serves one hears it", async () => {
    const both = routeByLanguage([german, many]);
    expect(both.languages()).toEqual(["de", "en-us", "fr"]);
    expect((await both.hear({ ...request, language: "de" }, signal)).text).toBe("german only");
    expect((await both.hear({ ...request, language: "fr" }, signal)).text).toBe("many");
  });

  it("without a language ask one that can tell, and the first that serves it has the last word", async () => {
    expect(await routeByLanguage([german, many]).hear(request, signal)).toMatchObject({
      text: "german only",
      language: "de",
    });
    const french = engine("many", ["de", "fr"], "fr");
    expect(await routeByLanguage([german, french]).hear(request, signal)).toMatchObject({
      text: "many",
      language: "fr",
    });
    expect(
      (await routeByLanguage([german, engine("x", ["sv"], "sv", { tellsLanguage: false })]).hear(request, signal)).text,
    ).toBe("german only");
  });

  it("keep the first opinion when the better one cannot be had", async () => {
    const down = { ...german, hear: () => Promise.reject(new Problem("engine_busy", "busy")) };
    expect((await routeByLanguage([down, many]).hear(request, signal)).text).toBe("many");
    expect((await routeByLanguage([down, many]).hear({ ...request, language: "de" }, signal)).text).toBe("many");
  });

  it("guess with whoever is quick", async () => {
    const both = routeByLanguage([german, many]);
    expect((await both.hear({ ...request, language: "de", isInterim: true }, signal)).text).toBe("many");
    expect((await both.hear({ ...request, isInterim: true }, signal)).text).toBe("many");
  });
});
