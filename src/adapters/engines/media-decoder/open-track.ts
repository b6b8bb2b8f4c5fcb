import {
  ALL_FORMATS,
  type AudioCodec,
  BufferSource,
  Input,
  type InputAudioTrack,
  UnsupportedInputFormatError,
} from "mediabunny";
import { unreadable, unreadableCodec } from "./unreadable.ts";

export interface OpenTrack {
  readonly track: InputAudioTrack;
  readonly codec: AudioCodec;
  readonly channels: number;
  /** Bytes that only the decoder understands. */
  readonly description: Uint8Array | undefined;
  /** Name of the container, as the demuxer calls it. */
  readonly container: string;
  /** What an encoder put before and after the recording itself, as far as the file tells: when the first packet begins (before 0
   *  where some of it is to be left out) and how long the recording is. */
  readonly startSeconds: number;
  readonly declaredSeconds: number | undefined;
}

const mostChannels = 32;

/** Finds the sound in a file, judged by its content. What it says about itself is checked before anything is decoded. */
export async function openTrack(bytes: Uint8Array, longestSeconds: number): Promise<OpenTrack> {
  if (bytes.length === 0) throw unreadable("the file is empty");
  refuseWavCodec(bytes);
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const format = await input.getFormat().catch((error: unknown) => {
    if (error instanceof UnsupportedInputFormatError) throw unreadable("unrecognised container");
    throw error;
  });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw unreadable(lacksIndex(bytes) ? "the file breaks off before its index" : "no audio track");
  const codec = await track.getCodec();
  const config = codec ? await track.getDecoderConfig() : null;
  if (!codec || !config) {
    const name = await track.getInternalCodecId();
    throw unreadableCodec(typeof name === "string" ? name : undefined);
  }
  if (!(config.numberOfChannels >= 1 && config.numberOfChannels <= mostChannels)) {
    throw unreadable(`${config.numberOfChannels} channels`);
  }
  checkRate(config.sampleRate);
  const declaredSeconds = await track.getDurationFromMetadata().catch(() => null);
  if (declaredSeconds !== null && declaredSeconds > longestSeconds) throw tooLong(declaredSeconds, longestSeconds);
  return {
    track,
    codec,
    channels: config.numberOfChannels,
    description: config.description ? toBytes(config.description) : undefined,
    container: format.name,
    startSeconds: await track.getFirstTimestamp().catch(() => 0),
    declaredSeconds: declaredSeconds ?? undefined,
  };
}

/** Compressed kinds of WAV that no decoder here knows (RFC 2361), by name; the demuxer would only say that they are damaged. */
const WAV_CODECS: Readonly<Record<number, string>> = {
  2: "Microsoft ADPCM",
  17: "IMA ADPCM",
  49: "GSM 6.10",
  80: "MPEG audio",
  353: "Windows Media Audio",
};

function refuseWavCodec(bytes: Uint8Array): void {
  const text = (from: number) => Buffer.from(bytes.subarray(from, from + 4)).toString("latin1");
  if (text(0) !== "RIFF" || text(8) !== "WAVE") return;
  if (bytes.length < 44) throw unreadable("the file breaks off in its header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (
    let at = 12;
    at + 10 <= bytes.length;
    at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1)
  ) {
    if (text(at) !== "fmt ") continue;
    const codec = WAV_CODECS[view.getUint16(at + 8, true)];
    if (codec) throw unreadableCodec(codec);
    return;
  }
}

/** An MP4 keeps its index in one box, often at the very end. */
function lacksIndex(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.subarray(4, 8).toString("latin1") === "ftyp" && !buffer.includes("moov");
}

export function checkRate(sampleRateHz: number): void {
  if (!(sampleRateHz >= 2000 && sampleRateHz <= 384_000)) throw unreadable(`a sample rate of ${sampleRateHz} Hz`);
}

export function tooLong(seconds: number, longestSeconds: number): Error {
  return unreadable(`it is ${Math.round(seconds)} s long; the limit is ${longestSeconds} s`);
}

function toBytes(description: ArrayBuffer | ArrayBufferView | SharedArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
}
