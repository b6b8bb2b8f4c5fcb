import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { killEngines } from "../support/engine-processes.ts";
import {
  clips,
  readClip,
  readPcm,
  shareHeard,
  silence,
  toWav,
  transcriptOf,
  whyNoHearing,
} from "../support/speech-clips.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const reason = whyNoHearing();
if (reason) console.warn(`transcription is not tested: ${reason}`);

describe.skipIf(reason)("transcribing an upload", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const transcribe = (fields: Record<string, string | Blob>, key = server.key) =>
    call(`${server.url}/v1/transcribe`, { key, body: form(fields) });
  const clip = (name: string) => new Blob([readClip(name)]);

  it.each([
    ["English", clips.englishLong, "en-us"],
    ["Spanish", clips.spanish, "es"],
    ["German", clips.german, "de"],
    ["French", clips.french, "fr"],
  ])("finds out that it is %s and writes it down", async (_name, name, language) => {
    const { status, json } = await transcribe({ file: clip(name) });
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(["confidence", "durationMs", "language", "model", "text"]);
    expect([json.language, json.model]).toEqual([language, "svc-stt-1"]);
    expect(shareHeard(transcriptOf(name), json.text)).toBeGreaterThan(0.85);
    expect(json.durationMs).toBeGreaterThan(4000);
  });

  it("says und and nothing else for a language it does not know", async () => {
    const { status, json } = await transcribe({ file: clip(clips.malayalam) });
    expect([status, json.language, json.text]).toEqual([200, "und", ""]);
  });

  it.each([
    ["de", clips.french],
    ["fr", clips.german],
    ["en", clips.german],
  ])("writes nothing when %s is pinned and another language is spoken", async (language, name) => {
    const { status, json } = await transcribe({ file: clip(name), language, timestamps: "segment" });
    expect([status, json.text, json.segments]).toEqual([200, "", []]);
  });

  it.each(["en", "EN_us", "en-gb", "en-AU"])("takes %s for English when it is pinned", async (language) => {
    const { json } = await transcribe({ file: clip(clips.english), language });
    expect(json.text).toMatch(/wait no longer/i);
    expect(json.language).toMatch(/^en-/);
  });

  it("names what it knows, and the setting for more, when another language is pinned", async () => {
    const { status, json } = await transcribe({ file: clip(clips.english), language: "ml" });
    expect([status, json.error.type]).toEqual([400, "invalid_request"]);
    expect(json.error.message).toMatch(/"ml".*en-us.*es.*de.*SVC_TRANSCRIPTION_ENGINE/);
  });

  it("gives times when asked", async () => {
    const { json } = await transcribe({ file: clip(clips.englishLong), language: "en", timestamps: "word" });
    const [segment] = json.segments;
    expect(segment.startMs).toBeGreaterThanOrEqual(0);
    expect(segment.endMs).toBeLessThanOrEqual(json.durationMs);
    expect(segment.words.map(({ word }: { word: string }) => word).join(" ")).toBe(segment.text);
    const french = await transcribe({ file: clip(clips.french), language: "fr", timestamps: "word" });
    const { words, text } = french.json.segments[0];
    expect(words.map(({ word }: { word: string }) => word).join(" ")).toBe(text);
    expect(words.at(-1).startMs).toBeGreaterThan(words[0].startMs + 2000);
    const plain = await transcribe({ file: clip(clips.english), timestamps: "segment" });
    expect(plain.json.segments[0].words).toBeUndefined();
  });

  it.each([
    ["text", /^text\/plain/, /^He could wait no longer\.\n$/],
    ["srt", /^application\/x-subrip/, /^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\nHe could/],
    ["vtt", /^text\/vtt/, /^WEBVTT\n\n00:00:00\.\d{3} --> /],
  ])("writes %s", async (response_format, type, body) => {
    const { headers, text } = await transcribe({ file: clip(clips.english), language: "en", response_format });
    expect(headers.get("content-type")).toMatch(type);
    expect(text).toMatch(body);
  });

  it("has nothing to say about a recording without a sample", async () => {
    const { status, json } = await transcribe({ file: new Blob([toWav(silence(0))]) });
    expect([status, json.text, json.durationMs]).toEqual([200, "", 0]);
  });

  it("invents nothing in silence, noise or tones", async () => {
    const noise = Int16Array.from({ length: 16_000 * 20 }, () => (Math.random() - 0.5) * 8000);
    const tone = Int16Array.from(
      { length: 16_000 * 20 },
      (_, i) => 9000 * Math.sin(i / 6) * (Math.floor(i / 8000) % 2),
    );
    for (const pcm of [silence(30), new Uint8Array(noise.buffer), new Uint8Array(tone.buffer)]) {
      const { status, json } = await transcribe({ file: new Blob([toWav(pcm)]) });
      expect([status, json.text, json.language]).toEqual([200, "", "und"]);
    }
    const pinned = await transcribe({ file: new Blob([toWav(silence(5))]), language: "es" });
    expect([pinned.json.text, pinned.json.language, pinned.json.durationMs]).toEqual(["", "es", 5000]);
  });

  it.each([
    ["an empty file", Buffer.alloc(0)],
    ["text", Buffer.from("these are words, not sounds")],
    ["random bytes", Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251))],
  ])("says that %s could not be read", async (_name, bytes) => {
    const { status, json } = await transcribe({ file: new Blob([bytes]) });
    expect([status, json.error.type]).toEqual([422, "unprocessable_audio"]);
    expect(json.error.message).toMatch(/audio could not be read/);
  });

  it("keeps requests apart that run at the same time", async () => {
    const [english, spanish, nothing] = await Promise.all([
      transcribe({ file: clip(clips.english) }),
      transcribe({ file: clip(clips.spanish) }),
      transcribe({ file: new Blob([toWav(silence(3))]) }),
    ]);
    expect(english.json.text).toBe("He could wait no longer.");
    expect(shareHeard(transcriptOf(clips.spanish), spanish.json.text)).toBeGreaterThan(0.85);
    expect(nothing.json.text).toBe("");
  });

  it("hears a recording of several minutes", async () => {
    const parts = Array.from({ length: 20 }, () => [readPcm(clips.englishLong), silence(1)]).flat();
    const pcm = Buffer.concat(parts).subarray(0, 4_000_000);
    const { status, json } = await transcribe({ file: new Blob([toWav(pcm)]), language: "en" });
    expect(status).toBe(200);
    expect(json.text.match(/Chinese/g)?.length).toBeGreaterThanOrEqual(10);
    expect(json.durationMs).toBe(125_000);
  });

  it("survives a killed engine process, and loses one request when they die again and again", async () => {
    const pcm = Buffer.concat(Array.from({ length: 4 }, () => [readPcm(clips.englishLong), silence(1)]).flat());
    const once = transcribe({ file: new Blob([toWav(pcm)]), language: "en" });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    killEngines("moonshine/child");
    const survived = await once;
    expect(survived.json.text.match(/Chinese/g)).toHaveLength(4);
    const killing = setInterval(() => killEngines("moonshine/child"), 50);
    const { status, json } = await transcribe({ file: clip(clips.english) });
    clearInterval(killing);
    expect([status, json.error?.type]).toEqual([502, "upstream_error"]);
    expect((await transcribe({ file: clip(clips.english) })).json.text).toBe("He could wait no longer.");
  });

  it("notes the request and its length in the books of its workspace, and none of its words", async () => {
    await server.admin("workspaces create", { name: "listeners" });
    const { key } = await server.newKey(["transcribe"], { workspace: "listeners" });
    await transcribe({ file: clip(clips.english) }, key);
    await transcribe({ file: new Blob(["no sound"]) }, key);
    const rows = await server.admin<object[]>("usage", { workspace: "listeners" });
    expect(rows).toMatchObject([{ route: "POST /v1/transcribe", requests: 2, errors: 1, audioMs: 1330 }]);
    expect(JSON.stringify(rows)).not.toMatch(/longer/);
  });

  describe("with OpenAI's own client", () => {
    const client = () => new OpenAI({ apiKey: server.key, baseURL: `${server.url}/v1`, maxRetries: 0 });
    const file = () => toFile(readClip(clips.english), "speech.wav");

    it("gives json", async () => {
      const heard = await client().audio.transcriptions.create({ file: await file(), model: "whisper-1" });
      expect(heard).toEqual({ text: "He could wait no longer." });
    });

    it("gives text, srt and vtt", async () => {
      for (const [response_format, start] of [
        ["text", "He could"],
        ["srt", "1\n00:"],
        ["vtt", "WEBVTT"],
      ] as const) {
        const heard = await client().audio.transcriptions.create({
          file: await file(),
          model: "whisper-1",
          response_format,
        });
        expect(String(heard).startsWith(start)).toBe(true);
      }
    });

    it("gives verbose_json with segments and words", async () => {
      const heard = await client().audio.transcriptions.create({
        file: await file(),
        model: "whisper-1",
        language: "en",
        response_format: "verbose_json",
        timestamp_granularities: ["word", "segment"],
      });
      expect(heard).toMatchObject({ language: "english", text: "He could wait no longer." });
      expect(heard.words).toHaveLength(5);
      expect(heard.segments).toHaveLength(1);
      expect(heard.duration).toBeCloseTo(1.33, 2);
    });
  });
});

describe.skipIf(reason)("a recogniser elsewhere", () => {
  it("serves its languages beside the local one, and is missed when it is gone", async () => {
    const remote = createServer((request, response) => {
      request.resume().once("end", () => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ text: "Er griff auch alles an.", language: "german" }));
      });
    });
    await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(remote.address() as AddressInfo).port}/v1`;
    const server = await startServer({
      SVC_TRANSCRIPTION_ENGINE: `local,openai:${address}#big?languages=de,fr`,
      SVC_HEARING_SIZE: "off",
    });
    try {
      const ask = (name: string, language: string) =>
        call(`${server.url}/v1/transcribe`, {
          key: server.key,
          body: form({ file: new Blob([readClip(name)]), language }),
        });
      const pinned = await ask(clips.german, "de");
      expect(pinned.json).toMatchObject({ text: "Er griff auch alles an.", language: "de", model: "svc-stt-1/big" });
      expect((await ask(clips.german, "auto")).json).toMatchObject({ language: "de", text: "Er griff auch alles an." });
      expect((await ask(clips.english, "auto")).json).toMatchObject({ language: "en-us", model: "svc-stt-1" });
      expect((await ask(clips.english, "it")).json.error.message).toMatch(/en-us, en-gb, es, de, fr/);
      remote.closeAllConnections();
      await new Promise((resolve) => remote.close(resolve));
      const gone = await ask(clips.german, "de");
      expect([gone.status, gone.json.error.type]).toEqual([502, "upstream_error"]);
    } finally {
      remote.close();
      await server.close();
    }
  });
});
