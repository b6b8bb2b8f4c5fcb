import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SpeechEngine, SpeechRequest } from "./speech-engine.ts";

/** What every speech engine promises. `create` brings one up and says how to take it down. */
export function speechEngineContract(
  name: string,
  create: () => Promise<{ engine: SpeechEngine; close(): Promise<void> }>,
): void {
  describe(`${name} as a speech engine`, () => {
    let engine: SpeechEngine;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ engine, close } = await create());
    });
    afterAll(() => close());

    const request = (fields: Partial<SpeechRequest> = {}): SpeechRequest => {
      const language = engine.languages()[0]!;
      return {
        text: "Good morning, everybody.",
        language: language.code,
        voice: language.voices[0]!.id,
        speed: 1,
        key: "contract",
        flow: "contract",
        ...fields,
      };
    };
    const collect = async (wanted: SpeechRequest, signal = new AbortController().signal) => {
      const chunks = [];
      for await (const chunk of engine.speak(wanted, signal)) chunks.push(chunk);
      return chunks;
    };

    it("has languages, each with a voice", () => {
      expect(engine.languages().length).toBeGreaterThan(0);
      for (const { voices } of engine.languages()) expect(voices.length).toBeGreaterThan(0);
    });

    it("speaks at the rate it says, audibly", async () => {
      const chunks = await collect(request());
      expect(chunks.length).toBeGreaterThan(0);
      for (const { sampleRateHz } of chunks) expect(sampleRateHz).toBe(engine.sampleRateHz(request().language));
      const loudest = Math.max(
        ...chunks.map(({ samples }) => samples.reduce((top, value) => Math.max(top, Math.abs(value)), 0)),
      );
      expect(loudest).toBeGreaterThan(0.01);
    });

    it("ends when the signal aborts", async () => {
      const abort = new AbortController();
      const spoken = collect(request({ text: "This will be stopped before it is over. ".repeat(6) }), abort.signal);
      setTimeout(() => abort.abort(new Error("enough")), 50);
      await expect(spoken).rejects.toThrow();
    });

    it("does not begin when the signal was aborted before", async () => {
      await expect(collect(request(), AbortSignal.abort(new Error("never")))).rejects.toThrow();
    });
  });
}
