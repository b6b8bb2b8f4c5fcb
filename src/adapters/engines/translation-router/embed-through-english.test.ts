import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { TranslationRequest } from "../../../ports/translation-engine.ts";
import { embedThroughEnglish, quickestFirst } from "./embed-through-english.ts";

describe("embedding through English", () => {
  const asked: TranslationRequest[] = [];
  const embedded: string[][] = [];
  const engine = embedThroughEnglish({
    embeddings: {
      async embed({ texts }) {
        embedded.push([...texts]);
        return { vectors: texts.map(() => new Float32Array(1)), inputTokens: texts.length };
      },
    },
    translation: {
      directions: () => [
        { source: "de", target: "en-us", quality: "good" },
        { source: "pt-br", target: "en-us", quality: "good" },
        { source: "nl", target: "en-us", quality: "good" },
      ],
      async translate(request) {
        asked.push(request);
        return { text: `en(${request.text})`, usage: { inputTokens: 1, outputTokens: 1, cachedTokens: null } };
      },
    },
    detector: {
      detect: async (text) => ({ language: text.slice(0, 2), isSure: !text.includes("?") }),
    },
    languages: ["de", "pt-br"],
  });

  it("translates the texts of languages that gain by it, always to the same words, and leaves the others alone", async () => {
    const texts = ["de Hallo", "en hello", "nl hallo", "pt olá", "de?"];
    await engine.embed({ texts, key: "k", flow: "f" }, new AbortController().signal);
    expect(embedded).toEqual([["en(de Hallo)", "en hello", "nl hallo", "en(pt olá)", "de?"]]);
    expect(asked.map(({ source, isSteady }) => [source, isSteady])).toEqual([
      ["de", true],
      ["pt-br", true],
    ]);
  });

  it("listens once to whether the caller is still there, however many texts there are, and stops every one of them", async () => {
    const caller = new AbortController();
    const stopped: unknown[] = [];
    const slow = embedThroughEnglish({
      embeddings: { embed: () => Promise.reject(new Error("never")) },
      translation: {
        directions: () => [{ source: "de", target: "en-us", quality: "good" }],
        translate: () => Promise.reject(new Error("never")),
      },
      detector: {
        detect: (_text, _turn, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              stopped.push(signal.reason);
              reject(signal.reason);
            });
          }),
      },
      languages: ["de"],
    });
    const texts = Array.from({ length: 64 }, (_, index) => `de ${index}`);
    const embedding = slow.embed({ texts, key: "k", flow: "f" }, caller.signal);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(1);
    const gone = new Error("gone");
    caller.abort(gone);
    await expect(embedding).rejects.toBe(gone);
    expect(stopped).toEqual(Array(64).fill(gone));
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("takes the quicker of two ways that serve as well", () => {
    const way = (engine: string, flores: number) => ({ engine, chrf: flores, flores, dev: null });
    const rows = quickestFirst([
      { source: "es", target: "en-us", ways: [way("translator", 50), way("apertium", 46)] },
      { source: "es", target: "fr", ways: [way("translator", 50)] },
    ]);
    expect(rows.map(({ source, ways }) => [source, ways[0]!.engine])).toEqual([["es", "apertium"]]);
  });
});
