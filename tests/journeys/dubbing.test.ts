import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createXvector } from "../../src/adapters/engines/xvector/xvector.ts";
import { fromPcm16, joinSamples, toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { trimSilence } from "../../src/audio/trim.ts";
import { readWav } from "../../src/audio/wav.ts";
import { silentLog } from "../../src/platform/log.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { likeness } from "../../src/ports/voice-printer.ts";
import { call, form } from "../support/call.ts";
import { lacksModels, modelStore, speechModels } from "../support/local-speech.ts";
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
if (reason) console.warn(`dubbing is not tested: ${reason}`);

/** Two sentences of one speaker, with a pause of two seconds between them. */
function twoLines(): Buffer {
  const parts = [silence(1), readPcm(clips.spanish), silence(2), readPcm(clips.spanish), silence(1)];
  return toWav(toPcm16(joinSamples(parts.map(fromPcm16))));
}

describe.skipIf(reason || lacksModels("translator", "xvector-speakers", "voice-map", ...speechModels))(
  "dubbing",
  () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server.close());

    const dub = (file: Uint8Array, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      call(`${server.url}/v1/dub`, {
        key: server.key,
        body: form({
          file: new Blob([file as Uint8Array<ArrayBuffer>]),
          target_language: "en-us",
          voice: "en_nora",
          ...fields,
        }),
        headers,
      });
    const listen = async (audio: string) =>
      (
        await call(`${server.url}/v1/transcribe`, {
          key: server.key,
          body: form({ file: new Blob([Buffer.from(audio, "base64")]), language: "en" }),
        })
      ).json.text as string;

    it("a Spanish recording speaks English, with every field of the contract", async () => {
      const { status, json } = await dub(readClip(clips.spanish));
      expect(status).toBe(200);
      const { audio, segments, ...rest } = json;
      expect(rest).toMatchObject({
        format: "wav",
        sampleRate: 24_000,
        sourceLanguage: "Spanish",
        targetLanguage: "English",
        targetLanguageCode: "en-us",
        detectedLanguage: "es",
        truncated: false,
        timing: false,
        preserveVoice: false,
        speakers: 1,
        usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
      });
      expect(shareHeard(transcriptOf(clips.spanish), json.sourceText)).toBeGreaterThan(0.8);
      expect(json.translation).toMatch(/shoes|footwear/i);
      const wav = readWav(Buffer.from(audio, "base64"))!;
      expect(wav.sampleRateHz).toBe(24_000);
      expect(Math.round((wav.samples.length * 1000) / 24_000)).toBe(json.durationMs);
      expect(shareHeard(json.translation, await listen(audio))).toBeGreaterThan(0.8);
      expect(segments.map(({ text }: { text: string }) => text).join(" ")).toBe(json.translation);
      expect(segments.at(-1).endMs).toBe(json.durationMs);
    });

    it("with timing every sentence begins when it began in the source, and the length is that of the source", async () => {
      const source = twoLines();
      const { json } = await dub(source, { timing: "true", source_language: "es" });
      expect(json.timing).toBe(true);
      const sourceMs = (readWav(source)!.samples.length * 1000) / 16_000;
      expect(Math.abs(json.durationMs / sourceMs - 1)).toBeLessThan(0.02);
      const { samples } = readWav(Buffer.from(json.audio, "base64"))!;
      let before = 0;
      for (const { startMs, endMs, sourceStartMs, stretch } of json.segments) {
        expect(startMs).toBeGreaterThanOrEqual(before);
        expect(Math.abs(startMs - sourceStartMs)).toBeLessThanOrEqual(150);
        expect(stretch).toBeGreaterThanOrEqual(0.7);
        expect(stretch).toBeLessThanOrEqual(1.6);
        // Where it is said to be, there it is heard, and not before.
        const heard = samples.subarray((before * 24_000) / 1000, (endMs * 24_000) / 1000);
        const silent = heard.length - trimSilence(heard, 24_000, { marginMs: 0 }).length;
        expect(Math.abs(silent / 24 - (startMs - before))).toBeLessThan(400);
        before = endMs;
      }
      expect(json.segments.length).toBeGreaterThanOrEqual(2);
      const second = json.segments.find((segment: { sourceStartMs: number }) => segment.sourceStartMs > sourceMs / 2);
      expect(Math.abs(second.startMs - (sourceMs / 2 + 1000))).toBeLessThan(150);
    });

    it("tells how far it is, stage by stage, to a client that asks for events", async () => {
      const { headers, text } = await dub(readClip(clips.spanish), { format: "mp3" }, { accept: "text/event-stream" });
      expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
      const events = text
        .split("\n\n")
        .filter((part) => part.startsWith("data: "))
        .map((part) => JSON.parse(part.slice(6)));
      const stages = [...new Set(events.slice(0, -1).map(({ stage }) => stage))];
      expect(stages).toEqual(["transcribing", "translating", "speaking", "encoding"]);
      for (const { fraction } of events.slice(0, -1)) expect(fraction).toBeLessThanOrEqual(1);
      expect(events.at(-1)).toMatchObject({ type: "result", format: "mp3", detectedLanguage: "es" });
    });

    it("takes videos, and keeps what is heard beside the voice where it is asked to", async () => {
      for (const name of clips.spanishVideos) {
        const { status, json } = await dub(readClip(name), { source_language: "es" });
        expect(status, name).toBe(200);
        expect(json.translation, name).toMatch(/shoes|footwear/i);
      }
      const hum = (samples: Float32Array) => samples.map((value, i) => value + 0.01 * Math.sin(i / 4));
      const parts = [readPcm(clips.spanish), silence(2), readPcm(clips.spanish)].map(fromPcm16);
      const noisy = toWav(toPcm16(hum(joinSamples(parts))));
      const pauseMs = (parts[0]!.length * 1000) / 16_000;
      const levels: number[] = [];
      for (const keep_background of ["false", "true"]) {
        const { json } = await dub(noisy, { source_language: "es", timing: "true", keep_background });
        const { samples } = readWav(Buffer.from(json.audio, "base64"))!;
        const pause = samples.subarray((pauseMs + 700) * 24, (pauseMs + 1500) * 24);
        levels.push(Math.sqrt(pause.reduce((sum, value) => sum + value * value, 0) / pause.length));
      }
      expect(levels[0]).toBeLessThan(0.0005);
      expect(levels[1]).toBeGreaterThan(0.002);
    });

    it("writes the translation as subtitles instead", async () => {
      const srt = await dub(readClip(clips.spanish), { output: "subtitles" });
      expect(srt.headers.get("content-type")).toMatch(/^application\/x-subrip/);
      expect(srt.text).toMatch(/^1\n00:00:0\d,\d{3} --> 00:00:\d\d,\d{3}\n[\s\S]*(shoes|footwear)/i);
      const vtt = await dub(readClip(clips.spanish), { output: "subtitles", format: "vtt" });
      expect(vtt.text).toMatch(/^WEBVTT\n\n00:00:0/);
    });

    it("two people get two voices", async () => {
      const parts = [
        readPcm(clips.spanish),
        silence(1),
        toPcm16(await speakSpanish("em_alex")),
        silence(1),
        readPcm(clips.spanish),
      ];
      const { json } = await dub(toWav(toPcm16(joinSamples(parts.map(fromPcm16)))), { source_language: "es" });
      expect(json.speakers).toBe(2);
      expect(new Set(json.segments.map(({ speaker }: { speaker: number }) => speaker))).toEqual(new Set([0, 1]));

      async function speakSpanish(voice: string): Promise<Float32Array> {
        const reply = await fetch(`${server.url}/v1/speech`, {
          method: "POST",
          headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
          body: JSON.stringify({
            text: "Mañana vamos a visitar el museo de la ciudad, si no llueve.",
            language: "es",
            voice,
          }),
        });
        const { samples, sampleRateHz } = readWav(new Uint8Array(await reply.arrayBuffer()))!;
        return resample(samples, sampleRateHz, 16_000);
      }
    });

    it("with preserve_voice the speaker of the recording speaks, and nothing is kept", async () => {
      const { status, json } = await dub(readClip(clips.spanish), { preserve_voice: "true", voice: "nobody" });
      expect(status).toBe(200);
      expect(json).toMatchObject({ preserveVoice: true, match: "voice" });
      const printer = createXvector({ models: modelStore, log: silentLog });
      const print = (samples: Float32Array) =>
        printer.print({ samples, key: "test", flow: "test" }, new AbortController().signal);
      const person = await print(fromPcm16(readPcm(clips.spanish)));
      const heard = async (audio: string) => {
        const { samples, sampleRateHz } = readWav(Buffer.from(audio, "base64"))!;
        return likeness(person, await print(resample(samples, sampleRateHz, 16_000)));
      };
      const plain = await dub(readClip(clips.spanish));
      expect(await heard(json.audio)).toBeGreaterThan(await heard(plain.json.audio));
      await printer.host.close();
      expect((await call(`${server.url}/v1/personas`, { key: server.key })).json.personas).toEqual([]);
    });

    it.each([
      ["no target", { target_language: "" }, 400, /target_language/],
      ["an unknown target", { target_language: "xx" }, 400, /no language "xx"/],
      ["an unknown voice", { voice: "nobody" }, 400, /no voice "nobody"/],
      ["an unknown persona", { voice: "p_nothing" }, 400, /no persona/],
      ["a source that cannot be heard", { source_language: "xx" }, 400, /"xx"/],
      [
        "a pair that cannot be translated",
        { source_language: "es", target_language: "ka", voice: "" },
        400,
        /no translation from Spanish/,
      ],
      ["a speed beyond the limit", { speed: "2.1" }, 400, /speed/],
      ["a format of another output", { format: "srt" }, 400, /wav, mp3/],
      ["a format of another output", { output: "subtitles", format: "mp3" }, 400, /srt, vtt/],
    ])("%s is refused before anything is heard", async (_, fields, status, message) => {
      const { status: got, json } = await dub(readClip(clips.english), { ...(fields as Record<string, string>) });
      expect([got, json.error.type]).toEqual([status, "invalid_request"]);
      expect(json.error.message).toMatch(message);
    });

    it("silence, noise, a video without sound, three hours and what is no recording are refused with the reason", async () => {
      const noise = Float32Array.from({ length: 48_000 }, (_, i) => 0.1 * Math.sin(i / 9) + 0.05 * Math.sin(i / 5.3));
      for (const quiet of [toWav(silence(4)), toWav(toPcm16(noise))]) {
        const { status, json } = await dub(quiet);
        expect([status, json.error.type]).toEqual([422, "unprocessable_audio"]);
        expect(json.error.message).toMatch(/No speech/);
      }
      const garbage = await dub(Buffer.from("this is not a recording"));
      expect([garbage.status, garbage.json.error.type]).toEqual([422, "unprocessable_audio"]);
      const fixtures = join(packageRoot(), "src/adapters/engines/media-decoder/fixtures");
      for (const name of ["silent-video.mp4", "three-hours.flac"]) {
        const { status, json } = await dub(readFileSync(join(fixtures, name)));
        expect([status, json.error.type], name).toEqual([422, "unprocessable_audio"]);
      }
    });

    it("a hang-up stops the work", async () => {
      const abort = new AbortController();
      const body = form({ file: new Blob([twoLines()]), target_language: "en-us" });
      const asked = fetch(`${server.url}/v1/dub`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.key}` },
        body,
        signal: abort.signal,
      });
      setTimeout(() => abort.abort(), 500);
      await expect(asked).rejects.toThrow();
      // Whatever was going on leaves the engines to the next caller.
      expect((await dub(readClip(clips.spanish))).status).toBe(200);
    });
  },
);
