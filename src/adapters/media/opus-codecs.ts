import { Encoder } from "@evan/opus";
import { createDecoder } from "libopus-wasm";
import { HEARD_RATE_HZ, PLAYED_RATE_HZ } from "../../ports/media.ts";
import type { PacketDecoder } from "./jitter-buffer.ts";
import { FRAME_SAMPLES } from "./playout.ts";

/** Enough for speech at 24 kHz; more cannot be told apart. */
const bitrate = 32_000;
/** 0.20 ms a frame; 9 takes half as long again and sounds the same in speech. */
const complexity = 5;

/** Encodes what callers hear. The native library takes less than half the time of the WASM one, and only it is never freed:
 *  encoders are kept for the next call. */
export interface FrameEncoder {
  encode(frame: Int16Array): Uint8Array;
  /** Before each stretch of speech: what was before it was not sent as it was encoded. */
  reset(): void;
}

const idleEncoders: Encoder[] = [];

export function borrowEncoder(): FrameEncoder & { giveBack(): void } {
  const encoder = idleEncoders.pop() ?? createEncoder();
  return {
    encode: (frame) => encoder.encode(frame),
    reset: () => encoder.reset(),
    giveBack() {
      encoder.reset();
      idleEncoders.push(encoder);
    },
  };
}

function createEncoder(): Encoder {
  const encoder = new Encoder({ channels: 1, sample_rate: PLAYED_RATE_HZ, application: "voip" });
  encoder.bitrate = bitrate;
  encoder.complexity = complexity;
  encoder.signal = "voice";
  encoder.inband_fec = true;
  encoder.packet_loss = 5;
  return encoder;
}

let silence: Uint8Array | undefined;

/** What is sent while nobody speaks: the same packet each time, so that silence costs no encoding. */
export function silentPacket(): Uint8Array {
  if (silence) return silence;
  const encoder = borrowEncoder();
  const quiet = new Int16Array(FRAME_SAMPLES);
  // The first packets still carry how the encoder settles.
  for (let i = 0; i < 10; i++) silence = Uint8Array.from(encoder.encode(quiet));
  encoder.giveBack();
  return silence!;
}

/** Decodes what callers say; this library also fills what the network lost. */
export async function openDecoder(): Promise<PacketDecoder & { free(): void }> {
  const decoder = await createDecoder({ sampleRate: HEARD_RATE_HZ, channels: 1 });
  return {
    // A view of the library's own memory, which the next call overwrites.
    decode: (packet) => decoder.decode(packet).slice(),
    conceal: (samples) => toLength(decoder.decodePacketLoss(samples), samples),
    recover(packet, samples) {
      try {
        return toLength(decoder.decode(packet, { decodeFec: true, frameSize: samples }), samples);
      } catch {
        return new Int16Array(samples);
      }
    },
    free: () => decoder.free(),
  };
}

/** A codec may give another length than was asked for; time must not depend on it. */
function toLength(samples: Int16Array, count: number): Int16Array {
  const fitted = new Int16Array(count);
  fitted.set(samples.subarray(0, count));
  return fitted;
}
