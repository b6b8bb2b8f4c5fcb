import { describe, expect, it } from "vitest";
import { type TranscriptionEngine, UNKNOWN_LANGUAGE } from "./transcription-engine.ts";

export interface SpokenFixture {
  readonly samples: Float32Array;
  readonly language: string;
  /** What must be heard in it. */
  readonly words: RegExp;
}

/** What every recogniser promises. */
export function transcriptionEngineContract(
  name: string,
  open: () => TranscriptionEngine,
  spoken: readonly SpokenFixture[],
): void {
  const signal = new AbortController().signal;
  const request = { speechMs: 1500, isInterim: false, key: "key", flow: "flow" };

  describe(`${name} as a transcription engine`, () => {
    it.each(spoken.map((fixture) => [fixture.language, fixture] as const))(
      "hears %s, pinned or not",
      async (_, fixture) => {
        for (const language of [fixture.language, undefined]) {
          const heard = await open().hear({ ...request, samples: fixture.samples, language }, signal);
          expect(heard.text).toMatch(fixture.words);
          expect(heard.language).toBe(fixture.language);
          expect(heard.confidence).toBeGreaterThan(0.5);
          expect(heard.confidence).toBeLessThanOrEqual(1);
        }
      },
    );

    it("invents nothing in noise", async () => {
      const samples = Float32Array.from({ length: 32_000 }, () => (Math.random() - 0.5) * 0.05);
      const heard = await open().hear({ ...request, speechMs: 0, samples, language: undefined }, signal);
      expect([heard.text, heard.language]).toEqual(["", UNKNOWN_LANGUAGE]);
    });

    it("guesses at speech that still goes on", async () => {
      const { samples, language } = spoken[0]!;
      const heard = await open().hear({ ...request, samples, language, isInterim: true }, signal);
      expect(heard.text).not.toBe("");
    });

    it("stops when it is told to", async () => {
      const abort = new AbortController();
      const hearing = open().hear({ ...request, samples: spoken[0]!.samples, language: undefined }, abort.signal);
      abort.abort(new Error("enough"));
      await expect(hearing).rejects.toThrow();
    });
  });
}
