import { describe, expect, it } from "vitest";
import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";
import { hearSource } from "./hear-source.ts";

/** Pretends to hear: a recording of so many minutes that is all speech or all silence, in this language. */
function pretend(minutes: number, speaks: boolean, language = "es", text = "Hola a todos.") {
  return {
    decoder: {
      async *decode() {
        for (let minute = 0; minute < minutes; minute++) yield new Int16Array(Math.min(1, minutes - minute) * 960_000);
      },
    },
    activity: {
      detect: async ({ samples }: { samples: Float32Array }) => ({
        probabilities: new Float32Array(Math.ceil(samples.length / FRAME_SAMPLES)).fill(speaks ? 1 : 0),
        state: { memory: new Float32Array(0), context: new Float32Array(0), quietFrames: 0 },
      }),
    },
    transcription: { languages: () => ["es"], hear: async () => ({ text, language, confidence: 1 }) },
  };
}

const hear = (parts: ReturnType<typeof pretend>) =>
  hearSource(
    parts,
    { bytes: new Uint8Array(0), language: "auto" },
    { keyId: "k" },
    new AbortController().signal,
    () => {},
  );

describe("hearing what is to be dubbed", () => {
  it("fifteen minutes are taken, and a second more is refused", { timeout: 120_000 }, async () => {
    // Of silence, which is the quickest to listen to.
    await expect(hear(pretend(15, false))).rejects.toThrow(/No speech/);
    await expect(hear(pretend(15 + 1 / 60, false))).rejects.toMatchObject({ kind: "invalid_request" });
  });

  it("no speech and speech in no known language are told apart", async () => {
    await expect(hear(pretend(0.2, false))).rejects.toThrow(/No speech/);
    await expect(hear(pretend(0.2, true, "und", ""))).rejects.toThrow(/none of the languages/);
  });

  it("stops listening when it has heard more than can be dubbed", async () => {
    const { isTruncated, lines, durationMs, samples } = await hear(
      pretend(5, true, "es", "Una frase larga. ".repeat(60)),
    );
    expect(isTruncated).toBe(true);
    expect(lines.map(({ text }) => text).join(" ").length).toBeLessThanOrEqual(3000);
    expect(durationMs).toBe(lines.at(-1)!.endMs);
    expect(samples.length).toBeLessThanOrEqual(durationMs * 16 + 16);
  });
});
