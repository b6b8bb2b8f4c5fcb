import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { mediaDecoderContract } from "../../../ports/media-decoder.contract.ts";
import { createMediaDecoder } from "./media-decoder.ts";

const decoder = createMediaDecoder({ log: silentLog, children: 2, stallMs: 20_000 });
afterAll(() => decoder.host.close());

const read = (name: string) => readFileSync(fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url)));
const readable = [
  "pcm16.wav",
  "pcm8.wav",
  "float.wav",
  "mulaw.wav",
  "alaw.wav",
  "sound.mp3",
  "sound.m4a",
  "faststart.m4a",
  "fragmented.mp4",
  "sound.aac",
  "opus.webm",
  "vorbis.webm",
  "opus.ogg",
  "vorbis.ogg",
  "sound.flac",
  "mp3-in.mp4",
  "opus-in.mkv",
  "video.mp4",
  "video.webm",
];

mediaDecoderContract("the built-in decoder", () => decoder, { readable, read });

/** How many samples could be read, or what the problem is. */
async function attempt(bytes: Uint8Array, by = decoder): Promise<number | string> {
  let samples = 0;
  try {
    for await (const chunk of by.decode({ bytes, key: "key", flow: "flow" }, new AbortController().signal)) {
      samples += chunk.length;
    }
    return samples;
  } catch (error) {
    const { kind, message } = error as { kind?: string; message: string };
    if (kind !== "unprocessable_audio") throw error;
    return message;
  }
}

describe("files that are not as they should be", () => {
  it.each([
    ["silent-video.mp4", /no audio track/],
    ["alac.m4a", /unsupported audio codec.*SVC_FFMPEG/],
    ["three-hours.flac", /10800 s long; the limit is 7200 s/],
  ])("%s is refused with the reason", async (name, reason) => {
    expect(await attempt(read(name))).toMatch(reason);
  });

  it("a recording that hides its length is stopped where the limit is", async () => {
    const bytes = Buffer.from(read("three-hours.flac"));
    // The 36 bits that say how many samples there are.
    bytes[21]! &= 0xf0;
    bytes.fill(0, 22, 26);
    // Two hours of sound take half a minute to decode.
    const strict = createMediaDecoder({ log: silentLog, children: 1, longestSeconds: 600 });
    const outcome = await attempt(bytes, strict);
    await strict.host.close();
    expect(outcome).toMatch(/60\d s long; the limit is 600 s|takes too long/);
  });

  it.each(["pcm16.wav", "sound.mp3", "opus.webm", "sound.flac", "sound.aac", "vorbis.ogg", "opus.ogg"])(
    "%s that breaks off gives the part that exists, or the reason why not",
    async (name) => {
      const bytes = read(name);
      const outcome = await attempt(bytes.subarray(0, Math.floor(bytes.length * 0.6)));
      if (typeof outcome === "number") expect(outcome).toBeGreaterThan(4000);
      else expect(name).toMatch(/\.ogg$/);
    },
  );

  it("an mp4 without its index, an empty file and compressed WAVs are refused with the reason", async () => {
    const bytes = read("sound.m4a");
    expect(await attempt(bytes.subarray(0, bytes.length >> 1))).toMatch(/breaks off before its index/);
    expect(await attempt(new Uint8Array(0))).toMatch(/the file is empty/);
    const adpcm = Buffer.from(read("pcm16.wav"));
    adpcm.writeUInt16LE(0x11, 20);
    expect(await attempt(adpcm)).toMatch(/unsupported audio codec "IMA ADPCM".*SVC_FFMPEG/);
    expect(await attempt(read("pcm16.wav").subarray(0, 30))).toMatch(/breaks off in its header/);
  });

  it("an encoder's priming and filling do not count as sound", async () => {
    for (const name of ["sound.m4a", "faststart.m4a", "video.mp4"]) {
      expect(await attempt(read(name)), name).toBe(24_000);
    }
    for (const name of ["fragmented.mp4", "sound.aac"]) {
      expect(Math.abs(Number(await attempt(read(name))) - 24_000), name).toBeLessThan(16_000 * 0.03);
    }
  });

  it("damaged bytes end in sound or in a reason, never in a crash or a hang, and the next file is read", async () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (const name of ["sound.m4a", "opus.webm", "sound.mp3", "sound.flac", "vorbis.ogg", "pcm16.wav"]) {
      const bytes = Buffer.from(read(name));
      for (let i = 0; i < 12; i++) bytes[random(bytes.length)] = random(256);
      expect(["number", "string"]).toContain(typeof (await attempt(bytes)));
    }
    expect(await attempt(read("sound.mp3"))).toBeGreaterThan(20_000);
  });

  it("a WAV with an impossible rate or a crowd of channels is refused", async () => {
    const rate = Buffer.from(read("pcm16.wav"));
    rate.writeUInt32LE(1, 24);
    expect(await attempt(rate)).toMatch(/could not be read/);
    const channels = Buffer.from(read("pcm16.wav"));
    channels.writeUInt16LE(65_535, 22);
    expect(await attempt(channels)).toMatch(/could not be read/);
  });

  it("a table of times that lies does not hold the decoder up", async () => {
    const bytes = Buffer.from(read("sound.m4a"));
    const table = bytes.indexOf("stts");
    bytes.writeUInt32BE(0xff_ff_ff, table + 12);
    const impatient = createMediaDecoder({ log: silentLog, children: 1, stallMs: 3000 });
    const outcome = await attempt(bytes, impatient);
    await impatient.host.close();
    expect(["number", "string"]).toContain(typeof outcome);
  });
});
