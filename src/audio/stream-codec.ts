import { Application, createDecoder, createEncoder, type SampleRate, Signal } from "libopus-wasm";
import { fromG711, toG711 } from "./g711.ts";
import { fromPcm16, joinSamples, toPcm16 } from "./pcm.ts";
import { createResampler } from "./resample.ts";

/** How sound travels on a stream. An Opus stream has one packet in each message (RFC 6716), the others any number of samples. */
export const STREAM_ENCODINGS = ["pcm_s16le", "mulaw", "alaw", "opus"] as const;
export type StreamEncoding = (typeof STREAM_ENCODINGS)[number];

/** Rates that sound cards, telephone lines and codecs use. */
export const STREAM_RATES_HZ = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;
export const OPUS_RATES_HZ: readonly number[] = [8000, 12000, 16000, 24000, 48000];

export interface StreamFormat {
  readonly encoding: StreamEncoding;
  readonly sampleRateHz: number;
}

export interface StreamDecoder {
  /** Samples at the wanted rate. Throws when a message is no packet of its codec. */
  decode(message: Uint8Array): Int16Array;
  free(): void;
}

/** Turns what a client sends into samples at one rate. */
export async function createStreamDecoder(format: StreamFormat, toHz: number): Promise<StreamDecoder> {
  const { encoding, sampleRateHz } = format;
  if (encoding === "opus") {
    // Opus decodes to any of its rates, whatever it was made from; where ours is one, nothing is left to do.
    const decoder = await createDecoder({ sampleRate: toHz as SampleRate, channels: 1 });
    // What comes back is a view of the library's own memory, which the next packet overwrites.
    return { decode: (packet) => decoder.decode(packet).slice(), free: () => decoder.free() };
  }
  const resampler = sampleRateHz === toHz ? undefined : createResampler(sampleRateHz, toHz);
  let odd: Uint8Array = new Uint8Array(0);
  return {
    decode(message) {
      if (encoding !== "pcm_s16le") return toInt16(resample(fromG711(encoding, message)));
      const bytes = odd.length > 0 ? Buffer.concat([odd, message]) : message;
      const whole = bytes.length - (bytes.length % 2);
      odd = bytes.slice(whole);
      // As it is where nothing has to be worked out, so that no sample changes.
      return resampler ? toInt16(resample(fromPcm16(bytes.subarray(0, whole)))) : readInt16(bytes.subarray(0, whole));
    },
    free() {},
  };

  function resample(samples: Float32Array): Float32Array {
    return resampler ? resampler.process(samples) : samples;
  }
}

export interface StreamEncoder {
  /** Messages for the next samples, of which some may stay until more come. */
  encode(samples: Float32Array): Uint8Array[];
  /** The rest of a text, with silence where a codec wants whole frames. */
  finish(): Uint8Array[];
  free(): void;
}

const opusFrameMs = 20;
/** As for live calls: more cannot be told apart in speech. */
const opusBitrate = 32_000;
const opusComplexity = 5;

/** Turns speech into what a client wants to hear. */
export async function createStreamEncoder(fromHz: number, format: StreamFormat): Promise<StreamEncoder> {
  const { encoding, sampleRateHz } = format;
  let resampler = createResampler(fromHz, sampleRateHz);
  const take = (samples: Float32Array) => resampler.process(samples);
  const drain = () => {
    const rest = resampler.flush();
    resampler = createResampler(fromHz, sampleRateHz);
    return rest;
  };
  if (encoding !== "opus") {
    const write = (samples: Float32Array) => {
      if (samples.length === 0) return [];
      return [encoding === "pcm_s16le" ? toPcm16(samples) : toG711(encoding, samples)];
    };
    return { encode: (samples) => write(take(samples)), finish: () => write(drain()), free() {} };
  }
  const encoder = await createEncoder({
    sampleRate: sampleRateHz as SampleRate,
    channels: 1,
    application: Application.Voip,
    bitrate: opusBitrate,
    complexity: opusComplexity,
    signal: Signal.Voice,
    vbr: true,
  });
  const frame = (sampleRateHz * opusFrameMs) / 1000;
  let waiting: Float32Array = new Float32Array(0);
  const packets = (samples: Float32Array) => {
    waiting = joinSamples([waiting, samples]);
    const made: Uint8Array[] = [];
    for (; waiting.length >= frame; waiting = waiting.subarray(frame)) {
      made.push(encoder.encodeFloat(waiting.subarray(0, frame)).slice());
    }
    return made;
  };
  return {
    encode: (samples) => packets(take(samples)),
    finish() {
      // What the encoder holds back is pushed through by the silence after it.
      const rest = joinSamples([drain(), new Float32Array(encoder.getLookahead())]);
      const missing = (frame - ((waiting.length + rest.length) % frame)) % frame;
      return packets(joinSamples([rest, new Float32Array(missing)]));
    },
    free: () => encoder.free(),
  };
}

function toInt16(samples: Float32Array): Int16Array {
  return readInt16(toPcm16(samples));
}

/** Copies, because a socket's buffers do not start at even addresses. */
function readInt16(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Int16Array(bytes.length >> 1);
  for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(i * 2, true);
  return samples;
}
