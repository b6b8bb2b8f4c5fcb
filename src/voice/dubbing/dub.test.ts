import { describe, expect, it } from "vitest";
import { pretendHearing } from "../../../tests/support/pretend-hearing.ts";
import type { SpeechRequest } from "../../ports/speech-engine.ts";
import { type DubProgress, dub } from "./dub.ts";

/** A dub of a minute by engines that only pretend, given up at the second step of a stage; what was begun after that is counted. */
async function giveUpAt(stage: DubProgress["stage"]): Promise<{ begunAfter: number; error: unknown }> {
  const abort = new AbortController();
  let begunAfter = 0;
  const note = () => {
    if (abort.signal.aborted) begunAfter += 1;
  };
  const hearing = pretendHearing(1, true, "es", "Hola a todos.");
  const { hear } = hearing.transcription;
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: null };
  const parts = {
    hearing: {
      ...hearing,
      transcription: {
        ...hearing.transcription,
        hear: async () => {
          note();
          return hear();
        },
      },
    },
    translation: {
      directions: () => [{ source: "es", target: "en-us", quality: "good" as const }],
      translate: async () => {
        note();
        return { text: "Hello everybody.", usage };
      },
    },
    detector: { detect: async () => [] },
    speech: {
      languages: () => [
        { code: "en-us", label: "English", engine: "engine_a" as const, voices: [{ id: "en_nora", label: "Nora" }] },
      ],
      sampleRateHz: () => 16_000,
      async *speak(_request: SpeechRequest, signal: AbortSignal) {
        note();
        await new Promise((resolve) => setTimeout(resolve, 1));
        signal.throwIfAborted();
        yield { samples: new Float32Array(16_000).fill(0.1), sampleRateHz: 16_000 };
      },
    },
  };
  const wanted = {
    bytes: new Uint8Array(0),
    target: "en-us",
    source: "es",
    voice: undefined,
    persona: undefined,
    speed: 1,
    preservesVoice: false,
    isTimed: true,
    keepsBackground: false,
  };
  let steps = 0;
  const onProgress = (progress: DubProgress) => {
    if (progress.stage === stage && ++steps === 2) abort.abort(new Error("the caller hung up"));
  };
  const error = await dub(parts as never, wanted, { workspaceId: "w", keyId: "k" }, abort.signal, onProgress).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { begunAfter, error };
}

describe("a dub whose caller hangs up", () => {
  it.each(["transcribing", "translating", "speaking"] as const)(
    "while %s begins no further sentence",
    async (stage) => {
      const { begunAfter, error } = await giveUpAt(stage);
      expect(error).toBeInstanceOf(Error);
      expect(begunAfter).toBe(0);
    },
  );
});
