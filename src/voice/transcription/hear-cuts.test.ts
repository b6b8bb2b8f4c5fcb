import { describe, expect, it } from "vitest";
import type { TranscriptionEngine } from "../../ports/transcription-engine.ts";
import type { SpeechCut } from "./cut-speech.ts";
import { hearCuts } from "./hear-cuts.ts";

interface Said {
  text: string;
  seconds: number;
  /** How sure the recogniser is of it in English. */
  confidence: number;
}

/** Knows English, and says so by itself only where it is sure. */
function pretendEngine(said: readonly Said[]): TranscriptionEngine {
  return {
    languages: () => ["en-us"],
    async hear({ samples, language }) {
      const { text, confidence } = said[samples[0]!]!;
      const isKnown = language !== undefined || confidence >= 0.67;
      return { text: isKnown ? text : "", language: isKnown ? "en-us" : "und", confidence };
    },
  };
}

async function hear(said: readonly Said[], engine = pretendEngine(said)): Promise<string[]> {
  async function* cuts(): AsyncGenerator<SpeechCut> {
    let startMs = 0;
    for (const [index, { seconds }] of said.entries()) {
      const endMs = startMs + seconds * 1000;
      yield { startMs, endMs, samples: Float32Array.of(index), isSpeech: [], speechMs: seconds * 1000 };
      startMs = endMs + 1000;
    }
  }
  const texts: string[] = [];
  const turn = { key: "key", flow: "flow" };
  for await (const { cut, heard } of hearCuts(engine, cuts(), undefined, turn, new AbortController().signal)) {
    texts[cut.samples[0]!] = heard.text;
    expect(Object.keys(texts)).toHaveLength(cut.samples[0]! + 1);
  }
  return texts;
}

describe("The beginning of a recording in which no language was recognised", () => {
  const clear = { text: "clear", seconds: 10, confidence: 0.9 };

  it("is heard in the language that is found later", async () => {
    expect(await hear([{ text: "hoarse", seconds: 20, confidence: 0.61 }, clear, clear])).toEqual([
      "hoarse",
      "clear",
      "clear",
    ]);
  });

  it("stays empty where it does not sound like that language either", async () => {
    expect(await hear([{ text: "French", seconds: 20, confidence: 0.5 }, clear])).toEqual(["", "clear"]);
  });

  it("stays empty when the language is found more than a minute later", async () => {
    const hoarse = { text: "hoarse", seconds: 25, confidence: 0.61 };
    expect(await hear([hoarse, hoarse, hoarse, clear])).toEqual(["", "hoarse", "hoarse", "clear"]);
  });

  it("stays empty when there is none", async () => {
    const hoarse = { text: "hoarse", seconds: 5, confidence: 0.61 };
    expect(await hear([hoarse, hoarse, hoarse])).toEqual(["", "", ""]);
  });
});

describe("A speaker who changes the language", () => {
  /** Tells languages apart: a stretch says in which it is. */
  const asked: string[] = [];
  const said = ["de", "de", "fr"].map((text) => ({ text, seconds: 10, confidence: 0.5 }));
  const engine: TranscriptionEngine = {
    languages: () => ["de", "fr"],
    async hear({ samples, language }) {
      const { text } = said[samples[0]!]!;
      asked.push(language ?? "auto");
      const isOtherLanguage = language !== undefined && language !== text;
      const own = { language: language ?? text, confidence: 0.5 };
      return { ...own, text: isOtherLanguage ? "" : text, ...(language ? { isOtherLanguage } : {}) };
    },
  };

  it("is heard in the other one, and nobody else's doubtful words are heard twice", async () => {
    expect(await hear(said, engine)).toEqual(["de", "de", "fr"]);
    expect(asked).toEqual(["auto", "de", "de", "auto"]);
  });
});
