import { type AudioSample, AudioSampleSink, Input, MP3, OGG, ReadableStreamSource } from "mediabunny";
import { joinSamples } from "../../../../../src/audio/pcm.ts";

export interface Part {
  samples: Float32Array;
  sampleRateHz: number;
}

/** Pieces are handed on when they have so much sound: each is a sound of its own for the player, and a new picture of the waveform. */
const pieceSeconds = 0.25;

/** Browsers offer their decoders to pages from a safe address only. */
export function canDecodeArriving(): boolean {
  return typeof AudioDecoder !== "undefined";
}

/** Decodes MP3 and Opus while they arrive. Throws where the browser lacks the decoder. */
export async function* decodeArriving(stream: ReadableStream<Uint8Array>): AsyncGenerator<Part> {
  const input = new Input({ source: new ReadableStreamSource(stream), formats: [MP3, OGG] });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (!track) throw new Error("There is no sound in the reply.");
    yield* inPieces(new AudioSampleSink(track).samples());
  } finally {
    input.dispose();
  }
}

async function* inPieces(decoded: AsyncIterable<AudioSample>): AsyncGenerator<Part> {
  let waiting: Float32Array[] = [];
  let count = 0;
  let sampleRateHz = 0;
  for await (const sample of decoded) {
    sampleRateHz = sample.sampleRate;
    const samples = new Float32Array(sample.numberOfFrames);
    sample.copyTo(samples, { planeIndex: 0, format: "f32-planar" });
    sample.close();
    waiting.push(samples);
    count += samples.length;
    if (count < pieceSeconds * sampleRateHz) continue;
    yield { samples: joinSamples(waiting), sampleRateHz };
    waiting = [];
    count = 0;
  }
  if (count > 0) yield { samples: joinSamples(waiting), sampleRateHz };
}
