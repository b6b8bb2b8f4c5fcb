import { describe, expect, it } from "vitest";
import type { TranscriptionEngine } from "../../ports/transcription-engine.ts";
import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";
import type { HearingParts } from "../transcription/transcribe.ts";
import { translateSpeech } from "./translate-speech.ts";

const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: null };

/** Two seconds of speech, whatever the bytes are, heard as `language`. */
function hearing(language: string, translates: boolean): HearingParts {
  const transcription: TranscriptionEngine = {
    languages: () => ["es", "en-us"],
    translates,
    hear: async ({ isTranslated }) => ({ text: isTranslated ? "in English" : "palabras", language, confidence: 0.9 }),
  };
  return {
    decoder: {
      async *decode() {
        yield new Int16Array(32_000).fill(1000);
      },
    },
    activity: {
      detect: async ({ samples }) => ({
        probabilities: new Float32Array(Math.ceil(samples.length / FRAME_SAMPLES)).fill(0.9),
        state: { memory: new Float32Array(0), context: new Float32Array(0), quietFrames: 0 },
      }),
    },
    transcription,
  };
}

const words = {
  translation: {
    directions: () => [{ source: "es", target: "en-us", quality: "good" as const }],
    translate: async ({ text, key }: { text: string; key: string }) => {
      expect(key).toBe("w/key");
      return { text: `[${text}]`, usage };
    },
  },
  detector: { detect: async () => undefined },
};

async function run(language: string, translates: boolean): Promise<string> {
  const signal = new AbortController().signal;
  const done = await translateSpeech(
    hearing(language, translates),
    words,
    new Uint8Array(),
    { workspaceId: "w", keyId: "key" },
    signal,
  );
  expect(done.segments.map(({ text }) => text).join(" ")).toBe(done.text);
  return done.text;
}

describe("speech into English", () => {
  it("is the recogniser's own work where it can", async () => {
    expect(await run("es", true)).toBe("in English");
  });

  it("goes by way of its words where it cannot, and leaves English alone", async () => {
    expect(await run("es", false)).toBe("[palabras]");
    expect(await run("en-us", false)).toBe("palabras");
  });

  it("says which languages can be translated when this one cannot", async () => {
    await expect(run("xx", false)).rejects.toThrow(/xx/);
  });
});
