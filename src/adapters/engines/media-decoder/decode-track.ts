import { AudioSampleSink, EncodedPacketSink } from "mediabunny";
import { decodeAac } from "./decode-aac.ts";
import { decodeVorbis } from "./decode-vorbis.ts";
import type { OpenTrack } from "./open-track.ts";
import type { SoundBlock } from "./sound-block.ts";
import { trimSound } from "./trim-sound.ts";
import { unreadableCodec } from "./unreadable.ts";

const packetsAtOnce = 200;
/** Samples of a frame of AAC (ISO 14496-3). */
const aacFrame = 1024;
/** Each batch of AAC costs a fresh decoder, so there are few. */
const aacPacketsAtOnce = 1200;

/** The sound of a track, block by block, by the decoder for its codec. Each process decodes one file, so it loads that decoder alone:
 *  all of them took a third of its start. */
export function decodeTrack(opened: OpenTrack, bytes: Uint8Array): AsyncIterable<SoundBlock> {
  const { codec, container } = opened;
  if (isPlainSamples(codec)) return decodePcm(opened);
  if (codec === "opus") return decodeOpus(opened);
  if (codec === "mp3") return container === "MP3" ? decodeMp3File(bytes) : decodeMp3Packets(opened);
  if (codec === "flac") return decodeFlac(opened);
  if (codec === "vorbis") return decodeVorbis(opened, bytes);
  if (codec === "aac") {
    const { declaredSeconds, startSeconds } = opened;
    // A file that does not tell has at least one frame of priming: the codec overlaps each with the one before.
    const skipSeconds = ({ sampleRateHz }: SoundBlock) => (startSeconds < 0 ? -startSeconds : aacFrame / sampleRateHz);
    const blocks = decodeAac(opened, batches(opened, aacPacketsAtOnce));
    return trimSound(blocks, { skipSeconds, declaredSeconds });
  }
  throw unreadableCodec(codec);
}

export function isPlainSamples(codec: OpenTrack["codec"]): boolean {
  return codec.startsWith("pcm") || codec === "ulaw" || codec === "alaw";
}

/** The track's packets, many at a time: calls into a decoder are not free. Where the file breaks off, what was read before is
 *  handed on first. */
async function* batches({ track }: OpenTrack, size = packetsAtOnce): AsyncGenerator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let failure: { error: unknown } | undefined;
  const packets = new EncodedPacketSink(track).packets();
  for (;;) {
    const next = await packets.next().catch((error: unknown) => {
      failure = { error };
    });
    if (next?.done !== false) break;
    batch.push(next.value.data);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
  if (failure) throw failure.error;
}

async function* decodePcm({ track }: OpenTrack): AsyncGenerator<SoundBlock> {
  for await (const sample of new AudioSampleSink(track).samples()) {
    const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(sample.numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: "f32-planar" });
      return plane;
    });
    const { sampleRate } = sample;
    sample.close();
    yield { channels, sampleRateHz: sampleRate };
  }
}

async function* decodeOpus(opened: OpenTrack): AsyncGenerator<SoundBlock> {
  const { channels, description: head } = opened;
  const isMapped = head !== undefined && head.length >= 21 && head[18] !== 0;
  const { OpusDecoder } = await import("opus-decoder");
  const decoder = new OpusDecoder({
    // Opus decodes at the wanted rate by itself, at a third of the work.
    sampleRate: 16_000,
    channels,
    streamCount: isMapped ? head[19]! : 1,
    coupledStreamCount: isMapped ? head[20]! : channels - 1,
    channelMappingTable: isMapped ? [...head.slice(21, 21 + channels)] : channels === 1 ? [0] : [0, 1],
    preSkip: head && head.length >= 12 ? Math.round((head[10]! | (head[11]! << 8)) / 3) : 104,
  });
  await decoder.ready;
  for await (const packets of batches(opened)) {
    const { channelData, sampleRate } = decoder.decodeFrames(packets);
    yield { channels: channelData, sampleRateHz: sampleRate };
  }
}

async function* decodeMp3File(bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  const { MPEGDecoder } = await import("mpg123-decoder");
  const decoder = new MPEGDecoder();
  await decoder.ready;
  for (let start = 0; start < bytes.length; start += 65_536) {
    const { channelData, sampleRate } = decoder.decode(bytes.subarray(start, start + 65_536));
    if (channelData.length > 0) yield { channels: channelData, sampleRateHz: sampleRate };
  }
}

async function* decodeMp3Packets(opened: OpenTrack): AsyncGenerator<SoundBlock> {
  const { MPEGDecoder } = await import("mpg123-decoder");
  const decoder = new MPEGDecoder();
  await decoder.ready;
  for await (const packets of batches(opened)) {
    const { channelData, sampleRate } = decoder.decodeFrames(packets);
    if (channelData.length > 0) yield { channels: channelData, sampleRateHz: sampleRate };
  }
}

async function* decodeFlac(opened: OpenTrack): AsyncGenerator<SoundBlock> {
  const { FLACDecoder } = await import("@wasm-audio-decoders/flac");
  const decoder = new FLACDecoder();
  await decoder.ready;
  for await (const packets of batches(opened)) {
    // A packet of a crafted file can hold hours, so that each is looked at before the next is decoded.
    for (const packet of packets) {
      const { channelData, sampleRate } = await decoder.decodeFrames([packet]);
      if (channelData.length > 0) yield { channels: channelData, sampleRateHz: sampleRate };
    }
  }
}
