import { spawnSync } from "node:child_process";
import { FLACDecoder } from "@wasm-audio-decoders/flac";
import { createDecoder } from "libopus-wasm";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { MPEGDecoder } from "mpg123-decoder";
import { describe, expect, it } from "vitest";
import { type AudioFormat, encodeStream, encodeWhole } from "./encode.ts";
import { changeSpeed, stretchTo } from "./stretch.ts";

const RATE = 24000;
const tone = (seconds: number, hertz = 220) =>
  Float32Array.from({ length: Math.round(seconds * RATE) }, (_, i) => 0.3 * Math.sin((2 * Math.PI * hertz * i) / RATE));

async function collect(format: AudioFormat, parts: Float32Array[], rate = RATE): Promise<Buffer[]> {
  const out: Buffer[] = [];
  for await (const bytes of encodeStream(format, parts, rate)) out.push(Buffer.from(bytes));
  return out;
}

/** Header of each MPEG audio frame, by following the frame lengths. */
function mp3Frames(bytes: Buffer): number {
  const rates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  let count = 0;
  for (let at = 0; at + 4 <= bytes.length; count++) {
    if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf2) throw new Error(`no MPEG-2 layer III frame at ${at}`);
    const kbps = rates[bytes[at + 2]! >> 4]!;
    const rate = [22050, 24000, 16000][(bytes[at + 2]! >> 2) & 3]!;
    at += Math.floor((72000 * kbps) / rate) + ((bytes[at + 2]! >> 1) & 1);
  }
  return count;
}

describe("encoding", () => {
  it("mp3 is a chain of whole frames that lasts as long as the audio", async () => {
    const body = await encodeWhole("mp3", tone(2), RATE);
    const seconds = (mp3Frames(body) * 576) / RATE;
    expect(seconds).toBeGreaterThanOrEqual(2);
    expect(seconds).toBeLessThan(2.12);
  });

  it.each([24000, 16000])("a whole mp3 at %i Hz decodes to the samples that went in, to the sample", async (rate) => {
    const samples = tone(2).slice(0, rate + 777);
    const decoder = new MPEGDecoder();
    await decoder.ready;
    const { channelData } = decoder.decode(await encodeWhole("mp3", samples, rate));
    decoder.free();
    expect(channelData[0]!.length).toBe(samples.length);
    // In place, too: no delay is left at the beginning.
    const error = samples.reduce((sum, value, i) => sum + (value - channelData[0]![i]!) ** 2, 0);
    expect(Math.sqrt(error / samples.length)).toBeLessThan(0.03);
  });

  it("flac decodes to the very samples that went in", async () => {
    const decoder = new FLACDecoder();
    await decoder.ready;
    const bytes = await collect("flac", [tone(0.7), tone(0.31, 440)]);
    const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(Buffer.concat(bytes)) });
    expect(await input.computeDuration()).toBeCloseTo(1.01, 6);
    const { channelData } = await decoder.decodeFile(new Uint8Array(Buffer.concat(bytes)));
    decoder.free();
    const samples = Array.from(channelData[0]!, (value) => Math.round(value * 32768));
    const pcm = Buffer.concat(await collect("pcm", [tone(0.7), tone(0.31, 440)]));
    expect(samples).toEqual([...new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)]);
  });

  it("aac is a chain of whole frames that decodes to the same tone", async (context) => {
    const bytes = Buffer.concat(await collect("aac", [tone(1), tone(1)]));
    let frames = 0;
    for (let at = 0; at < bytes.length; frames++) {
      expect(bytes.readUInt16BE(at) & 0xfff6).toBe(0xfff0);
      at += (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
    }
    expect((frames * 1024) / RATE).toBeCloseTo(2, 0);
    const raw = spawnSync("ffmpeg", ["-v", "error", "-i", "-", "-f", "f32le", "-"], { input: bytes });
    if (raw.error) return context.skip("there is no ffmpeg to decode it with");
    const decoded = new Float32Array(new Uint8Array(raw.stdout).buffer).subarray(RATE / 2, RATE * 1.5);
    const level = Math.sqrt(decoded.reduce((sum, value) => sum + value * value, 0) / decoded.length);
    expect(level).toBeCloseTo(0.3 / Math.SQRT2, 2);
    const crossings = decoded.filter((value, index) => index > 0 && decoded[index - 1]! < 0 && value >= 0).length;
    expect(crossings).toBe(220);
  });

  it("mp3 sends its first bytes with the first samples", async () => {
    let pulled = 0;
    async function* parts() {
      for (; pulled < 20; pulled++) yield tone(0.2);
    }
    const stream = encodeStream("mp3", parts(), RATE);
    const first = await stream.next();
    expect(first.done).toBe(false);
    expect(pulled).toBeLessThan(3);
    await stream.return(undefined);
  });

  it.each([24000, 16000])("opus at %i Hz decodes to the samples that went in, no more and no less", async (rate) => {
    const samples = tone(1.234).slice(0, Math.round(1.234 * rate));
    const pages = await collect("opus", [samples.slice(0, 5000), samples.slice(5000)], rate);
    expect(pages[0]!.subarray(28, 36).toString()).toBe("OpusHead");
    expect(pages[1]!.subarray(28, 36).toString()).toBe("OpusTags");
    const preSkip = pages[0]!.readUInt16LE(28 + 10);
    expect(pages.at(-1)![5]).toBe(4);
    expect(Number(pages.at(-1)!.readBigInt64LE(6)) - preSkip).toBe(samples.length * (48000 / rate));
    const decoder = await createDecoder({ sampleRate: 48000, channels: 1 });
    let decoded = 0;
    let energy = 0;
    for (const page of pages.slice(2)) {
      let at = 27 + page[26]!;
      for (let i = 0, size = 0; i < page[26]!; i++) {
        size += page[27 + i]!;
        if (page[27 + i]! === 255) continue;
        const wave = decoder.decodeFloat(page.subarray(at, at + size));
        decoded += wave.length;
        energy += wave.reduce((sum, value) => sum + value * value, 0);
        at += size;
        size = 0;
      }
    }
    decoder.free();
    expect(decoded).toBeGreaterThanOrEqual(samples.length * (48000 / rate) + preSkip);
    expect(Math.sqrt(energy / decoded)).toBeCloseTo(0.3 / Math.SQRT2, 1);
  });

  it("pcm is the samples alone, wav the same behind a header", async () => {
    const pcm = await encodeWhole("pcm", tone(0.5), RATE);
    const wav = await encodeWhole("wav", tone(0.5), RATE);
    expect(pcm.length).toBe(RATE);
    expect(wav.subarray(44).equals(pcm)).toBe(true);
  });

  it("nothing to say is still a valid file", async () => {
    for (const format of ["wav", "mp3", "opus"] as const) await encodeWhole(format, new Float32Array(0), RATE);
  });
});

describe("speed", () => {
  it.each([0.5, 0.8, 1.25, 2])("%f times as fast has the exact length and the same pitch", async (speed) => {
    const samples = tone(2, 200);
    const changed = await changeSpeed(samples, RATE, speed);
    expect(changed.length).toBe(Math.round(samples.length / speed));
    let crossings = 0;
    const middle = changed.slice(2000, -4000);
    for (let i = 1; i < middle.length; i++) if (middle[i - 1]! < 0 && middle[i]! >= 0) crossings++;
    expect(Math.abs((crossings * RATE) / middle.length - 200)).toBeLessThan(8);
  });

  it("fits into a given number of samples, nothing included", async () => {
    expect((await stretchTo(tone(1), RATE, 30000)).length).toBe(30000);
    expect((await stretchTo(new Float32Array(0), RATE, 100)).length).toBe(100);
  });
});
