import { describe, expect, it } from "vitest";
import { measureLoudness, measureTruePeak } from "../../audio/loudness.ts";
import { joinSamples } from "../../audio/pcm.ts";
import { Problem } from "../../platform/errors.ts";
import type { SpeechEngine, SpeechRequest } from "../../ports/speech-engine.ts";
import { finishSpeech, startSpeech } from "./synthesize.ts";

/** Hums: 50 ms for each letter, at a level of its own. Notes what it was asked and what was stopped. */
function humming(options: { level?: number; failsAt?: number; delayMs?: number } = {}) {
  const asked: SpeechRequest[] = [];
  let stopped = 0;
  const engine: SpeechEngine = {
    languages: () => [{ code: "en-us", label: "English", engine: "engine_a", voices: [{ id: "hum", label: "Hum" }] }],
    sampleRateHz: () => 24000,
    async *speak(request, signal) {
      asked.push(request);
      if (asked.length === options.failsAt) throw new Problem("engine_unavailable", "The hum broke.");
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, options.delayMs ?? 1);
        signal.addEventListener("abort", () => {
          stopped++;
          clearTimeout(timer);
          resolve();
        });
      });
      signal.throwIfAborted();
      const length = request.text.length * 1200;
      yield {
        samples: Float32Array.from({ length }, (_, i) => (options.level ?? 0.05) * Math.sin(i * 0.06)),
        sampleRateHz: 24000,
      };
    },
  };
  return { engine, asked, stopped: () => stopped };
}

const caller = { workspaceId: "w", keyId: "key" };
const never = new AbortController().signal;
const story = "This is the first sentence of it. This is the second sentence of it. This is the third sentence of it.";

describe("speaking a text", () => {
  it.each([0.003, 0.05, 0.7])("every voice comes out at -18 LUFS, whatever its own level (%f)", async (level) => {
    const speech = await finishSpeech(humming({ level }).engine, { text: story }, caller, never);
    const expected = level === 0.003 ? -30 : -18;
    expect(measureLoudness(speech.samples, 24000)).toBeGreaterThan(expected - 10);
    if (level > 0.01) expect(measureLoudness(speech.samples, 24000)).toBeCloseTo(-18, 1);
    expect(measureTruePeak(speech.samples, 24000)).toBeLessThan(-0.95);
  });

  it("a voice whose loudness is known gives out its first breath in parts, at the level it had before", async () => {
    const { engine, asked } = humming();
    const loudness = {};
    const speak = async () => {
      const parts: Float32Array[] = [];
      for await (const part of startSpeech(engine, { text: story, loudness }, caller, never).samples) parts.push(part);
      return joinSamples(parts);
    };
    const before = await speak();
    expect(asked.map(({ isStreamed }) => isStreamed)).toEqual([undefined, undefined, undefined]);
    const after = await speak();
    expect(asked.slice(3).map(({ isStreamed }) => isStreamed)).toEqual([true, undefined, undefined]);
    expect(after).toEqual(before);
  });

  it("the duration is that of the samples", async () => {
    const speech = await finishSpeech(humming().engine, { text: story }, caller, never);
    expect(speech.durationMs).toBe(Math.round((speech.samples.length * 1000) / 24000));
  });

  it("pieces keep their order and their flow", async () => {
    const { engine, asked } = humming();
    await finishSpeech(engine, { text: story }, caller, never);
    expect(asked.map(({ text }) => text)).toEqual(story.match(/[^.]+\./g)!.map((sentence) => sentence.trim()));
    expect(new Set(asked.map(({ flow }) => flow)).size).toBe(1);
    expect(asked[0]!.key).toBe("w/key");
  });

  it("a failure of the engine is the failure of the request", async () => {
    await expect(finishSpeech(humming({ failsAt: 2 }).engine, { text: story }, caller, never)).rejects.toThrow(
      "The hum broke.",
    );
  });

  it("the streamed audio is as long as the whole", async () => {
    const parts: Float32Array[] = [];
    for await (const part of startSpeech(humming().engine, { text: story }, caller, never).samples) parts.push(part);
    const whole = await finishSpeech(humming().engine, { text: story }, caller, never);
    expect(Math.abs(joinSamples(parts).length - whole.samples.length)).toBeLessThan(24000);
  });

  it("a reader who leaves stops what was begun, and nothing more is asked for", async () => {
    const { engine, asked, stopped } = humming({ delayMs: 20 });
    for await (const _ of startSpeech(engine, { text: story.repeat(5) }, caller, never).samples) break;
    expect(asked.length).toBeLessThanOrEqual(4);
    const before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked.length).toBe(before);
    expect(stopped()).toBeGreaterThan(0);
  });

  it("an aborted request ends at once", async () => {
    const abort = new AbortController();
    const spoken = finishSpeech(humming({ delayMs: 10_000 }).engine, { text: story }, caller, abort.signal);
    abort.abort(new Error("hung up"));
    await expect(spoken).rejects.toThrow();
  });

  it("mistakes are found before anything is spoken", () => {
    const { engine, asked } = humming();
    expect(() => startSpeech(engine, { text: "Hi", voice: "zed" }, caller, never)).toThrow('no voice "zed"');
    expect(() => startSpeech(engine, { text: "Hi", language: "xx" }, caller, never)).toThrow('no language "xx"');
    expect(asked.length).toBe(0);
  });
});
