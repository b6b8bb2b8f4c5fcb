import { BufferTarget, EncodedAudioPacketSource, EncodedPacketSink, OggOutputFormat, Output } from "mediabunny";
import type { OpenTrack } from "./open-track.ts";
import type { SoundBlock } from "./sound-block.ts";

const piece = 32_768;

/** Vorbis comes in Ogg for this decoder; from any other container it is put into Ogg first, undecoded. */
export async function* decodeVorbis(opened: OpenTrack, bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  const ogg = opened.container === "Ogg" ? bytes : await repackage(opened);
  const { OggVorbisDecoder } = await import("@wasm-audio-decoders/ogg-vorbis");
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  for (let start = 0; start < ogg.length; start += piece) {
    const { channelData, sampleRate } = await decoder.decode(ogg.subarray(start, start + piece));
    if (channelData.length > 0) yield { channels: channelData, sampleRateHz: sampleRate };
  }
  const { channelData, sampleRate } = await decoder.flush();
  if (channelData.length > 0) yield { channels: channelData, sampleRateHz: sampleRate };
}

async function repackage({ track }: OpenTrack): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new OggOutputFormat(), target });
  const source = new EncodedAudioPacketSource("vorbis");
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = (await track.getDecoderConfig())!;
  let isFirst = true;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    await source.add(packet, isFirst ? { decoderConfig } : undefined);
    isFirst = false;
  }
  await output.finalize();
  return new Uint8Array(target.buffer!);
}
