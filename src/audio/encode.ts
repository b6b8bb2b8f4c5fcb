import { encodeMedia } from "./encode-media.ts";
import { encodeMp3 } from "./mp3.ts";
import { mp3InfoFrame } from "./mp3-info.ts";
import { encodeOpus } from "./opus.ts";
import { toPcm16 } from "./pcm.ts";
import { wavHeader } from "./wav.ts";

export type AudioFormat = "wav" | "mp3" | "pcm" | "opus" | "aac" | "flac";

export const AUDIO_CONTENT_TYPES: Readonly<Record<AudioFormat, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  pcm: "audio/pcm",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
};

/** Encodes audio while it is made: the first bytes come with the first samples. A wav gets an open-ended header. */
export async function* encodeStream(
  format: AudioFormat,
  samples: AsyncIterable<Float32Array> | Iterable<Float32Array>,
  sampleRateHz: number,
): AsyncGenerator<Uint8Array> {
  if (format === "mp3") return yield* encodeMp3(samples, sampleRateHz);
  if (format === "opus") return yield* encodeOpus(samples, sampleRateHz);
  if (format === "aac" || format === "flac") return yield* encodeMedia(format, samples, sampleRateHz);
  if (format === "wav") yield wavHeader({ sampleRateHz });
  for await (const part of samples) if (part.length > 0) yield toPcm16(part);
}

/** Encodes finished audio as one body; a wav gets its true length, an mp3 the tag that lets players cut off its filling. A long one leaves turns to other work in between. */
export async function encodeWhole(format: AudioFormat, samples: Float32Array, sampleRateHz: number): Promise<Buffer> {
  if (format === "wav") {
    const data = toPcm16(samples);
    return Buffer.concat([wavHeader({ sampleRateHz }, data.length), data]);
  }
  const parts: Uint8Array[] = [];
  for await (const part of encodeStream(format, takeTurns(samples, sampleRateHz), sampleRateHz)) parts.push(part);
  const body = Buffer.concat(parts);
  return format === "mp3" && body.length > 0 ? Buffer.concat([mp3InfoFrame(body, samples.length), body]) : body;
}

/** A second at a time, with the event loop let in between. */
export async function* takeTurns(samples: Float32Array, sampleRateHz: number): AsyncGenerator<Float32Array> {
  for (let start = 0; start < samples.length; start += sampleRateHz) {
    if (start > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    yield samples.subarray(start, start + sampleRateHz);
  }
}
