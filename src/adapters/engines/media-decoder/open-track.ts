import {
  ALL_FORMATS,
  type AudioCodec,
  BufferSource,
  Input,
  type InputAudioTrack,
  UnsupportedInputFormatError,
} from "mediabunny";
import { LONGEST_AUDIO_SECONDS } from "../../../ports/media-decoder.ts";
import { unreadable, unreadableCodec } from "./unreadable.ts";

export interface OpenTrack {
  readonly track: InputAudioTrack;
  readonly codec: AudioCodec;
  readonly channels: number;
  /** Bytes that only the decoder understands. */
  readonly description: Uint8Array | undefined;
  /** Name of the container, as the demuxer calls it. */
  readonly container: string;
}

const mostChannels = 32;

/** Finds the sound in a file, judged by its content. What it says about itself is checked before anything is decoded. */
export async function openTrack(bytes: Uint8Array): Promise<OpenTrack> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const format = await input.getFormat().catch((error: unknown) => {
    if (error instanceof UnsupportedInputFormatError) throw unreadable("unrecognised container");
    throw error;
  });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw unreadable("no audio track");
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
  if (declaredSeconds !== null && declaredSeconds > LONGEST_AUDIO_SECONDS) throw tooLong(declaredSeconds);
  return {
    track,
    codec,
    channels: config.numberOfChannels,
    description: config.description ? toBytes(config.description) : undefined,
    container: format.name,
  };
}

export function checkRate(sampleRateHz: number): void {
  if (!(sampleRateHz >= 2000 && sampleRateHz <= 384_000)) throw unreadable(`a sample rate of ${sampleRateHz} Hz`);
}

export function tooLong(seconds: number): Error {
  return unreadable(`it is ${Math.round(seconds)} s long; the limit is ${LONGEST_AUDIO_SECONDS} s`);
}

function toBytes(description: ArrayBuffer | ArrayBufferView | SharedArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
}
