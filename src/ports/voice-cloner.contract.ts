import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SpeechRequest } from "./speech-engine.ts";
import type { ClonedVoice, VoiceCloner } from "./voice-cloner.ts";

/** What every voice cloner promises. `clip` is some seconds of one person, 16 kHz mono. */
export function voiceClonerContract(
  name: string,
  create: () => Promise<{ cloner: VoiceCloner; clip: Float32Array; close(): Promise<void> }>,
): void {
  describe(`${name} as a voice cloner`, () => {
    let cloner: VoiceCloner;
    let voice: ClonedVoice;
    let clip: Float32Array;
    let close: () => Promise<void>;
    const turn = { key: "contract", flow: "contract" };
    const request: SpeechRequest = { text: "Good morning.", language: "en-us", voice: "nobody", speed: 1, ...turn };
    const collect = async (wanted: SpeechRequest, by: ClonedVoice, signal = new AbortController().signal) => {
      const chunks = [];
      for await (const chunk of cloner.speak(wanted, by, signal)) chunks.push(chunk);
      return chunks;
    };
    beforeAll(async () => {
      ({ cloner, clip, close } = await create());
      const wanted = { samples: clip, text: undefined, effort: "quick" as const, ...turn };
      voice = await cloner.clone(wanted, new AbortController().signal);
    });
    afterAll(() => close());

    it("can work, and says which languages it speaks with the very voice", () => {
      expect(cloner.missing()).toBeUndefined();
      expect(["voice", "nearest"]).toContain(cloner.match("en-us"));
    });

    it("a voice survives JSON and is heard at the rate of the language", async () => {
      const [chunk] = await collect(request, JSON.parse(JSON.stringify(voice)) as ClonedVoice);
      expect(chunk!.sampleRateHz).toBe(24_000);
      expect(Math.max(...chunk!.samples.map(Math.abs))).toBeGreaterThan(0.01);
    });

    it("a voice of another maker is refused", async () => {
      const foreign = { maker: "somebody else", data: {} };
      await expect(collect(request, foreign)).rejects.toMatchObject({ kind: "engine_unavailable" });
    });

    it("nothing is spoken or cloned for somebody who left", async () => {
      const left = AbortSignal.abort(new Error("left"));
      await expect(collect(request, voice, left)).rejects.toThrow();
    });
  });
}
