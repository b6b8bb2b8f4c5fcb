import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HearingRequest, TranscriptionEngine } from "../../ports/transcription-engine.ts";
import { FRAME_SAMPLES, type VoiceActivityDetector } from "../../ports/voice-activity.ts";
import type { HearingEvent } from "./hearing-event.ts";
import { LiveHearing } from "./live-hearing.ts";

/** Loud is speech. */
const activity: VoiceActivityDetector = {
  async detect({ samples }) {
    const probabilities = new Float32Array(Math.ceil(samples.length / FRAME_SAMPLES));
    for (const frame of probabilities.keys()) {
      const part = samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES);
      probabilities[frame] = part.some((value) => Math.abs(value) > 0.05) ? 0.9 : 0.01;
    }
    return { probabilities, state: { memory: new Float32Array(0), context: new Float32Array(0), quietFrames: 0 } };
  },
};

/** Seconds of something like speech (positive) and of silence (negative). */
function sound(...seconds: number[]): Int16Array {
  return Int16Array.from(
    seconds.flatMap((length) =>
      Array.from({ length: Math.round(Math.abs(length) * 16_000) }, (_, i) =>
        length > 0 ? 9000 * Math.sin(i / 5) : 0,
      ),
    ),
  );
}

function listen(options: Partial<TranscriptionEngine> & { language?: string } = {}) {
  const asked: HearingRequest[] = [];
  const events: HearingEvent[] = [];
  const transcription: TranscriptionEngine = {
    languages: () => ["en-us"],
    async hear(request, signal) {
      asked.push(request);
      if (options.hear) return options.hear(request, signal);
      return { text: `heard ${asked.length}`, language: "en-us", confidence: 1 };
    },
    ...(options.takesLong ? { takesLong: options.takesLong } : {}),
  };
  const live = new LiveHearing({
    activity,
    transcription,
    key: "key",
    flow: "flow",
    language: "language" in options ? options.language : "en-us",
    onEvent: (event) => events.push(event),
  });
  const finals = () => events.flatMap((event) => (event.type === "final" ? [event] : []));
  return { live, asked, events, finals, finalsAsked: () => asked.filter(({ isInterim }) => !isInterim) };
}

describe("hearing a live stream", () => {
  it("hears each utterance once, although it begins before it is certain that it has ended", async () => {
    const { live, finals, finalsAsked } = listen();
    await live.push(sound(-0.5, 1, -1, 1, -1));
    await live.flush();
    expect(finals().map(({ utterance }) => utterance)).toEqual([1, 2]);
    expect(finalsAsked()).toHaveLength(2);
    expect(finals()[0]!.startMs).toBeLessThan(520);
    expect(finals()[0]!.endMs).toBeGreaterThan(1400);
    expect(finals()[0]!.endMs).toBeLessThan(1600);
  });

  it("hears anew when the speaker had only taken a breath", async () => {
    const { live, finals, finalsAsked } = listen();
    await live.push(sound(1, -0.2, 1, -1));
    await live.flush();
    expect(finals()).toHaveLength(1);
    expect(finalsAsked().at(-1)!.samples.length).toBeGreaterThan(2 * 16_000);
  });

  it("gives finals in the order of speech, however long each takes", async () => {
    let first = true;
    const { live, finals } = listen({
      async hear({ isInterim }) {
        const delayMs = !isInterim && first ? 80 : 1;
        if (!isInterim) first = false;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        return { text: "words", language: "en-us", confidence: 1 };
      },
    });
    await live.push(sound(0.5, -0.6, 0.5, -0.6));
    await live.flush();
    expect(finals().map(({ utterance }) => utterance)).toEqual([1, 2]);
  });

  it("reports an utterance that was lost and hears the next", async () => {
    let calls = 0;
    const { live, events } = listen({
      async hear({ isInterim }) {
        if (!isInterim && ++calls === 1) throw new Error("died");
        return { text: isInterim ? "" : "back", language: "en-us", confidence: 1 };
      },
    });
    await live.push(sound(1, -1, 1, -1));
    await live.flush();
    const told = events.flatMap((event) =>
      event.type === "final" || event.type === "failed" ? [[event.type, event.utterance]] : [],
    );
    expect(told).toEqual([
      ["failed", 1],
      ["final", 2],
    ]);
  });

  it("takes a short word of unknown language to be in the language before", async () => {
    const { live, finals } = listen({
      hear: async ({ language, speechMs }) =>
        language || speechMs > 1500
          ? { text: "yes", language: language ?? "en-us", confidence: 1 }
          : { text: "", language: "und", confidence: 0.1 },
      ...{ language: undefined as unknown as string },
    });
    await live.push(sound(2, -1, 0.4, -1));
    await live.flush();
    expect(finals().map(({ language }) => language)).toEqual(["en-us", "en-us"]);
  });

  it("says nothing more once it was stopped", async () => {
    const { live, events } = listen();
    await live.push(sound(1));
    live.stop();
    const before = events.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(events.length).toBe(before);
  });
});

describe("hearing a long utterance", () => {
  const takesLong = (language: string) => language === "fr";
  /** A second of it is "1s", and its words are timed. */
  const hear = async ({ samples, language = "fr" }: HearingRequest) => {
    const word = `${(samples.length / 16_000).toFixed(0)}s`;
    return { text: word, language, confidence: 0.9, words: [{ word, startMs: 0, endMs: 500 }] };
  };
  /** At the pace of a speaker. */
  const speak = async (live: LiveHearing, ...seconds: number[]) => {
    const samples = sound(...seconds);
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES)
      await live.push(samples.subarray(at, at + FRAME_SAMPLES));
    await live.flush();
  };

  it("keeps what was heard before a pause, where hearing takes long, and hears only what follows", async () => {
    const { live, finals, finalsAsked } = listen({ hear, takesLong, language: "fr" });
    await speak(live, 4, -0.2, 3.5, -0.2, 1, -1);
    const lengths = finalsAsked().map(({ samples }) => Math.round(samples.length / 16_000));
    expect(lengths).toEqual([4, 4, 1]);
    expect(finals()).toHaveLength(1);
    const { text, words, startMs, endMs } = finals()[0]!;
    expect(text).toBe("4s 4s 1s");
    expect(words.map(({ word }) => word)).toEqual(["4s", "4s", "1s"]);
    expect(words[1]!.startMs).toBeGreaterThanOrEqual(4000);
    expect(words[2]!.startMs).toBeGreaterThanOrEqual(7700);
    for (const word of words) expect(word.endMs).toBeGreaterThan(word.startMs);
    expect(startMs).toBeLessThanOrEqual(words[0]!.startMs);
    expect(endMs).toBeGreaterThanOrEqual(words[2]!.endMs);
  });

  it.each([
    ["another engine is quick", "en-us", [4, -0.2, 1, -1]],
    ["little was said before the pause", "fr", [2, -0.2, 1, -1]],
    ["the pause was within a word", "fr", [4, -0.08, 1, -1]],
  ])("hears all of it at the end when %s", async (_, language, seconds) => {
    const { live, finals, finalsAsked } = listen({ hear, takesLong, language });
    await speak(live, ...seconds);
    expect(finals()).toHaveLength(1);
    expect(finalsAsked().at(-1)!.samples.length).toBeGreaterThan(3 * 16_000);
  });

  it("hears all of it anew when the beginning was lost", async () => {
    let calls = 0;
    const { live, finals } = listen({
      async hear(request) {
        if (!request.isInterim && ++calls === 1) throw new Error("died");
        return hear(request);
      },
      takesLong,
      language: "fr",
    });
    await speak(live, 4, -0.2, 0.7, -1);
    expect(finals().map(({ text }) => text)).toEqual(["5s"]);
  });

  it("hears what follows in the language of the beginning", async () => {
    const { live, finals, finalsAsked } = listen({ hear, takesLong, ...{ language: undefined as unknown as string } });
    await speak(live, 4, -0.2, 1, -1);
    expect(finals().map(({ text, language }) => [text, language])).toEqual([["4s 1s", "fr"]]);
    expect(finalsAsked().map(({ language }) => language)).toEqual([undefined, "fr"]);
  });

  it("shows the beginning before guesses at what follows", async () => {
    const { live, events, asked } = listen({ hear, takesLong, language: "fr" });
    await speak(live, 4, -0.2, 2, -1);
    const shown = events.flatMap((event) => (event.type === "interim" ? [event.text] : []));
    expect(shown.at(-1)).toMatch(/^4s [12]s$/);
    const guesses = asked.filter(({ isInterim }) => isInterim).map(({ samples }) => samples.length / 16_000);
    expect(guesses.at(-1)).toBeLessThan(3);
  });
});

describe("hearing a live stream whose time stands still", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Everything that needs no time has happened. */
  async function settle(): Promise<void> {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  }

  it("ends an utterance sooner when its words are a whole sentence", async () => {
    const { live, finals } = listen({
      hear: async () => ({ text: "That is all.", language: "en-us", confidence: 0.9 }),
    });
    await live.push(sound(1, -0.2));
    await settle();
    expect(finals()).toHaveLength(1);
  });

  it.each([
    ["break off", { text: "That is", confidence: 0.9 }],
    ["trail away", { text: "That is...", confidence: 0.9 }],
    ["are unsure", { text: "That is all.", confidence: 0.5 }],
  ])("waits for the speaker to go on when the words %s", async (_, heard) => {
    const { live, finals } = listen({ hear: async () => ({ ...heard, language: "en-us" }) });
    await live.push(sound(1, -0.2));
    await settle();
    expect(finals()).toHaveLength(0);
    await live.push(sound(1, -0.2));
    await live.flush();
    expect(finals()).toHaveLength(1);
  });

  it("tells utterances of a whole file apart by silence alone", async () => {
    const { live, finals } = listen({
      hear: async () => ({ text: "That is all.", language: "en-us", confidence: 0.9 }),
    });
    await live.push(sound(...Array.from({ length: 10 }, () => [1, -0.2]).flat(), -1));
    await live.flush();
    expect(finals()).toHaveLength(1);
  });

  it("ends an utterance when nothing is sent any more", async () => {
    const { live, finals } = listen();
    await live.push(sound(1));
    await settle();
    expect(finals()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1500);
    await settle();
    expect(finals()).toHaveLength(1);
  });

  it("gives up a guess when the speaker pauses, but not one at the first words, and makes it when the speaker goes on", async () => {
    const signals: AbortSignal[] = [];
    let giveFirst = () => {};
    const first = new Promise<void>((resolve) => {
      giveFirst = resolve;
    });
    const { live } = listen({
      async hear({ isInterim }, signal) {
        if (!isInterim) return { text: "an answer", language: "en-us", confidence: 0.5 };
        signals.push(signal);
        // Words are shown once two guesses agree; the third comes only when it is given up.
        if (signals.length <= 2) await first;
        else await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        return { text: "words", language: "en-us", confidence: 1 };
      },
    });
    const isGivenUpAt = async (...seconds: number[]) => {
      const frames = sound(...seconds);
      for (let at = 0; at < frames.length; at += FRAME_SAMPLES) {
        await live.push(frames.subarray(at, at + FRAME_SAMPLES));
        await settle();
      }
      return signals.at(-1)!.aborted;
    };
    expect(await isGivenUpAt(0.55, -0.1)).toBe(false);
    giveFirst();
    expect(await isGivenUpAt(2)).toBe(false);
    expect(signals).toHaveLength(3);
    expect(await isGivenUpAt(-0.1)).toBe(true);
    await isGivenUpAt(0.1);
    expect(signals).toHaveLength(4);
    live.stop();
  });

  it("guesses again soon when there was nothing to show, and less often afterwards", async () => {
    const { live, asked } = listen({
      hear: async ({ speechMs }) => ({ text: speechMs < 600 ? "" : "words", language: "en-us", confidence: 1 }),
    });
    for (let frames = 0; frames < 60; frames++) {
      await live.push(sound(0.032));
      await settle();
    }
    const times = asked.map(({ speechMs }) => speechMs);
    expect(times[1]! - times[0]!).toBeLessThan(250);
    expect(times[2]! - times[1]!).toBeGreaterThan(400);
  });
});
