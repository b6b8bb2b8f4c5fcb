import { describe, expect, it } from "vitest";
import { joinSamples } from "./pcm.ts";
import {
  createStreamDecoder,
  createStreamEncoder,
  OPUS_RATES_HZ,
  STREAM_ENCODINGS,
  STREAM_RATES_HZ,
} from "./stream-codec.ts";

const seconds = 0.5;
const tone = (rateHz: number) =>
  Float32Array.from({ length: seconds * rateHz }, (_, i) => 0.5 * Math.sin((2 * Math.PI * 440 * i) / rateHz));

/** Zero crossings tell the pitch, whatever happened to the level. */
function pitchOf(samples: Int16Array, rateHz: number): number {
  let crossings = 0;
  for (let i = 1; i < samples.length; i++) if (samples[i - 1]! < 0 && samples[i]! >= 0) crossings += 1;
  return crossings / (samples.length / rateHz);
}

const formats = STREAM_ENCODINGS.flatMap((encoding) =>
  STREAM_RATES_HZ.filter((rate) => encoding !== "opus" || OPUS_RATES_HZ.includes(rate)).map(
    (sampleRateHz) => ({ encoding, sampleRateHz }) as const,
  ),
);

describe.each(formats)("$encoding at $sampleRateHz Hz", (format) => {
  it("is spoken and heard with the same pitch and length", async () => {
    const encoder = await createStreamEncoder(24_000, format);
    const decoder = await createStreamDecoder(format, 16_000);
    const speech = tone(24_000);
    const messages = [];
    for (let at = 0; at < speech.length; at += 1777) messages.push(...encoder.encode(speech.subarray(at, at + 1777)));
    messages.push(...encoder.finish());
    const heard = messages.map((message) => decoder.decode(message));
    const samples = Int16Array.from(joinSamples(heard.map((part) => Float32Array.from(part))));
    expect(samples.length / 16_000).toBeGreaterThan(seconds - 0.02);
    expect(samples.length / 16_000).toBeLessThan(seconds + 0.05);
    expect(Math.abs(pitchOf(samples.subarray(1600, 6400), 16_000) - 440)).toBeLessThan(12);
    encoder.free();
    decoder.free();
  });
});

it("samples that are cut in half by a message's end are whole again in the next", async () => {
  const decoder = await createStreamDecoder({ encoding: "pcm_s16le", sampleRateHz: 16_000 }, 16_000);
  const heard = [Uint8Array.of(1, 0, 2), Uint8Array.of(0, 3), Uint8Array.of(0)].flatMap((part) => [
    ...decoder.decode(part),
  ]);
  expect(heard).toEqual([1, 2, 3]);
});

it("a message that is no packet is refused", async () => {
  const decoder = await createStreamDecoder({ encoding: "opus", sampleRateHz: 48_000 }, 16_000);
  expect(() => decoder.decode(Uint8Array.of(255, 255, 255))).toThrow();
  expect(() => decoder.decode(new Uint8Array(0))).toThrow();
  decoder.free();
});
