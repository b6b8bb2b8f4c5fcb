import { afterEach, describe, expect, it } from "vitest";
import { Problem } from "../../../platform/errors.ts";
import { silentLog } from "../../../platform/log.ts";
import type { ChatEvent, ChatRequest } from "../../../ports/chat-engine.ts";
import type { PeerOptions } from "../../../ports/media.ts";
import type { SpeechRequest } from "../../../ports/speech-engine.ts";
import { FRAME_SAMPLES } from "../../../ports/voice-activity.ts";
import { Call } from "./call.ts";

const english = { code: "en-us", label: "English", engine: "engine_a" as const, voices: [{ id: "v", label: "V" }] };
const usage = { inputTokens: 7, outputTokens: 3, cachedTokens: 5 };

/** A call on pretend engines: frames at full level are speech, and the words are what the test says they are. */
class Stage {
  words = "Hello there.";
  reply = "Good morning to you. How can I help you today?";
  chatFailure: Error | undefined;
  asked: ChatRequest[] = [];
  forgotten: string[] = [];
  messages: { type: string; data?: Record<string, unknown> }[] = [];
  clips = new Map<number, number>();
  /** How the voice was steered. */
  steered: string[] = [];
  peer: PeerOptions | undefined;
  isPeerClosed = false;
  readonly call: Call;

  /** Whose turns its jobs took. */
  readonly turns = new Set<string>();

  constructor(mode: "assistant" | "external" = "assistant") {
    const { turns } = this;
    this.call = new Call(
      {
        log: silentLog,
        iceServers: () => [],
        onLatency: () => {},
        media: { open: (options) => this.#open(options), warm() {}, close: async () => {}, load: noLoad },
        hearing: {
          decoder: undefined as never,
          activity: {
            detect: async ({ samples }: { samples: Float32Array }) => ({
              probabilities: Float32Array.from({ length: samples.length / FRAME_SAMPLES }, (_, index) =>
                Math.abs(samples[index * FRAME_SAMPLES + 7]!) > 0.01 ? 0.99 : 0.01,
              ),
              state: { memory: new Float32Array(), context: new Float32Array(), quietFrames: 0 },
            }),
          },
          transcription: {
            languages: () => ["en-us"],
            hear: async ({ key }: { key: string }) => (
              turns.add(key), { text: this.words, language: "en-us", confidence: 0.99 }
            ),
          },
        } as never,
        speech: {
          languages: () => [english],
          sampleRateHz: () => 24_000,
          async *speak({ text, key }: SpeechRequest) {
            turns.add(key);
            yield { samples: new Float32Array(text.length * 1200).fill(0.1), sampleRateHz: 24_000 };
          },
        } as never,
        chat: {
          answer: (request) => this.#answer(request),
          forget: (flow) => this.forgotten.push(flow),
        },
      },
      {
        sessionId: "rts_1",
        caller: { workspaceId: "ws_1", keyId: "key_1" },
        speaks: { language: "en-us", voice: "v" },
        settings: {
          mode,
          voice: "v",
          language: "en-us",
          personaId: undefined,
          hearingLanguage: "en-us",
          tonePreset: undefined,
          styleText: "You sell bread.",
          temperature: undefined,
        },
      },
    );
  }

  async connect(): Promise<this> {
    await this.call.connect("v=0");
    this.receive({ label: "rtvi-ai", type: "client-ready", id: "1", data: { version: "2.1.0" } });
    return this;
  }

  receive(message: object): void {
    this.peer!.onMessage(JSON.stringify(message));
  }

  /** Half a second of voice, then the silence that ends an utterance. */
  say(words: string): void {
    this.words = words;
    const frames = (count: number, level: number) =>
      new Int16Array(count * FRAME_SAMPLES).map((_, index) => (index % 2 === 0 ? level : -level));
    this.peer!.onAudio(frames(16, 8000));
    this.peer!.onAudio(frames(14, 0));
  }

  /** The caller has heard so many milliseconds of a clip. */
  play(clip: number, ms: number, isOver = false): void {
    this.peer!.onPlayed(clip, ms, isOver);
  }

  has(type: string): boolean {
    return this.messages.some((message) => message.type === type);
  }

  questions(): string[] {
    return this.asked.filter(({ maxTokens }) => maxTokens !== 1).map(({ messages }) => messages.at(-1)!.content);
  }

  async *#answer(request: ChatRequest): AsyncGenerator<ChatEvent> {
    this.asked.push(request);
    this.turns.add(request.key);
    if (this.chatFailure) throw this.chatFailure;
    for (const word of this.reply.split(/(?<= )/)) yield { type: "delta", text: word };
    yield { type: "done", usage, finishReason: "stop" };
  }

  async #open(options: PeerOptions) {
    this.peer = options;
    return {
      answer: "v=0 answer",
      renegotiate: async () => "v=0 again",
      addCandidates() {},
      play: (clip: number, samples: Int16Array) => {
        this.clips.set(clip, (this.clips.get(clip) ?? 0) + samples.length / 24);
      },
      endClip() {},
      hold: () => this.steered.push("hold"),
      resume: () => this.steered.push("resume"),
      drop: (clips: readonly number[]) => {
        for (const clip of clips) this.clips.delete(clip);
      },
      send: (text: string) => this.messages.push(JSON.parse(text)),
      stats: () => ({ packetsReceived: 0, packetsLost: 0, route: "host" }),
      close: () => {
        this.isPeerClosed = true;
      },
    };
  }
}

const noLoad = () => ({ peers: 0, lateMs: 0, packetsLost: 0, rssBytes: 0, cpuSeconds: 0 });
const stages: Stage[] = [];
const open = (mode?: "assistant" | "external") => {
  const stage = new Stage(mode);
  stages.push(stage);
  return stage.connect();
};
afterEach(() => {
  for (const { call } of stages.splice(0)) call.end("the test is over");
});
const soon = { timeout: 10_000 };

it("a call takes the turn of its workspace and key, and none that other workspaces share", async () => {
  const stage = await open();
  stage.say("What time is it?");
  await expect.poll(() => stage.clips.size, { timeout: 10_000 }).toBeGreaterThan(0);
  expect([...stage.turns]).toEqual(["ws_1/key_1"]);
});

describe("a call", () => {
  it("answers a turn with the style it was given, and remembers what both said", async () => {
    const stage = await open();
    stage.say("Do you have rye bread?");
    await expect.poll(() => stage.clips.size, soon).toBe(2);
    const [system, question] = stage.asked.at(-1)!.messages;
    expect(system!.content).toContain("You sell bread.");
    expect(question!.content).toBe("Do you have rye bread?");
    for (const [clip, ms] of stage.clips) stage.play(clip, ms, true);
    expect(stage.has("bot-stopped-speaking")).toBe(true);
    stage.say("And white bread?");
    await expect.poll(() => stage.questions().length, soon).toBe(2);
    expect(stage.asked.at(-1)!.messages.slice(1)).toEqual([
      { role: "user", content: "Do you have rye bread?" },
      { role: "assistant", content: stage.reply },
      { role: "user", content: "And white bread?" },
    ]);
  });

  it("remembers only the words that were heard before the caller interrupted", async () => {
    const stage = await open();
    stage.say("Do you have rye bread?");
    await expect.poll(() => stage.clips.size, soon).toBe(2);
    const [[first, ms]] = [...stage.clips] as [[number, number]];
    stage.play(first, ms / 3);
    expect(stage.has("bot-started-speaking")).toBe(true);
    stage.say("Never mind the bread.");
    await expect.poll(() => stage.has("bot-interrupted"), soon).toBe(true);
    await expect.poll(() => stage.questions().length, soon).toBe(2);
    expect(stage.asked.at(-1)!.messages.slice(1)).toEqual([
      { role: "user", content: "Do you have rye bread?" },
      { role: "assistant", content: "Good morning" },
      { role: "user", content: "Never mind the bread." },
    ]);
  });

  it("holds its voice for an acknowledgement and goes on", async () => {
    const stage = await open();
    stage.say("Do you have rye bread?");
    await expect.poll(() => stage.clips.size, soon).toBe(2);
    stage.play(1, 300);
    stage.say("Mhm.");
    await expect.poll(() => stage.steered, soon).toEqual(["hold", "resume"]);
    expect(stage.clips.size).toBe(2);
    expect(stage.has("bot-interrupted")).toBe(false);
  });

  it("tells that the model failed and listens on", async () => {
    const stage = await open();
    stage.chatFailure = new Problem("engine_unavailable", "The model is gone.");
    stage.say("Do you have rye bread?");
    await expect
      .poll(() => stage.messages.find(({ type }) => type === "error")?.data, soon)
      .toEqual({
        message: "The model is gone.",
        error: "The model is gone.",
        fatal: false,
      });
    stage.chatFailure = undefined;
    stage.say("Do you have rye bread?");
    await expect.poll(() => stage.clips.size, soon).toBe(2);
  });

  it("in external mode speaks what it is told and asks no model", async () => {
    const stage = await open("external");
    stage.receive({ label: "rtvi-ai", type: "client-message", id: "7", data: { t: "speak", d: { text: "Hi." } } });
    await expect.poll(() => stage.clips.size, soon).toBe(1);
    expect(stage.messages.find(({ type }) => type === "server-response")).toMatchObject({
      id: "7",
      data: { t: "speak", d: { status: "accepted" } },
    });
    stage.say("Thank you.");
    await expect
      .poll(() => stage.messages.filter(({ type }) => type === "user-transcription").at(-1)?.data, soon)
      .toMatchObject({
        text: "Thank you.",
        final: true,
      });
    expect(stage.asked).toEqual([]);
  });

  it.each([
    [{}, '"text" must be a text that is not empty.'],
    [{ text: "x".repeat(3001) }, '"text" must have at most 3000 characters.'],
    [{ text: "x", interrupt: 1 }, '"interrupt" must be true or false.'],
  ])("refuses to speak what is not right", async (d, error) => {
    const stage = await open("external");
    stage.receive({ label: "rtvi-ai", type: "client-message", id: "7", data: { t: "speak", d } });
    expect(stage.messages.at(-1)).toMatchObject({ type: "error-response", id: "7", data: { error } });
  });

  it("says goodbye, and its words are forgotten", async () => {
    const stage = await open();
    stage.receive({ label: "rtvi-ai", type: "disconnect-bot", id: "9", data: {} });
    expect(stage.messages.at(-1)).toEqual({ type: "signalling", message: { type: "peerLeft" } });
    expect(stage.forgotten).toEqual(["rts_1"]);
    await stage.call.ended;
    await expect.poll(() => stage.isPeerClosed).toBe(true);
  });

  it("is over when the connection is closed from the other side", async () => {
    const stage = await open();
    stage.peer!.onState("closed");
    expect((await stage.call.ended).heardMs).toBe(0);
  });
});
