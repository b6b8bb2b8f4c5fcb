import { Application, createEncoder, type SampleRate, Signal } from "libopus-wasm";
import { writeOggPage } from "./ogg.ts";
import { joinSamples } from "./pcm.ts";

const FRAME_MS = 20;
const CLOCK_HZ = 48000;
const BITRATE = 32000;
/** Five packets a page: 100 ms, small enough to start at once and large enough to keep the overhead under 3 %. */
const PACKETS_PER_PAGE = 5;

/** Encodes speech as Ogg Opus (RFC 7845) while it comes. */
export async function* encodeOpus(
  samples: AsyncIterable<Float32Array> | Iterable<Float32Array>,
  sampleRateHz: number,
): AsyncGenerator<Uint8Array> {
  const encoder = await createEncoder({
    sampleRate: sampleRateHz as SampleRate,
    channels: 1,
    application: Application.Audio,
    bitrate: BITRATE,
    complexity: 5,
    signal: Signal.Voice,
    vbr: true,
  });
  const ticks = CLOCK_HZ / sampleRateHz;
  const frame = (sampleRateHz * FRAME_MS) / 1000;
  const preSkip = encoder.getLookahead() * ticks;
  const serial = 0x50524c43;
  let sequence = 0;
  let received = 0;
  let encoded = 0;
  let waiting: Float32Array = new Float32Array(0);
  let packets: Uint8Array[] = [];

  const writePage = (isLast: boolean) => {
    const position = isLast ? BigInt(received * ticks + preSkip) : BigInt(encoded * ticks);
    const page = writeOggPage({ serial, sequence: sequence++, granulePosition: position, packets, isLast });
    packets = [];
    return page;
  };

  try {
    yield writeOggPage({
      serial,
      sequence: sequence++,
      granulePosition: 0n,
      packets: [opusHead(preSkip, sampleRateHz)],
      isFirst: true,
    });
    yield writeOggPage({ serial, sequence: sequence++, granulePosition: 0n, packets: [opusTags()] });
    for await (const part of samples) {
      received += part.length;
      waiting = joinSamples([waiting, part]);
      while (waiting.length >= frame) {
        // A page is written only when another packet follows it, so that the last page is never empty.
        if (packets.length === PACKETS_PER_PAGE) yield writePage(false);
        packets.push(encoder.encodeFloat(waiting.subarray(0, frame)).slice());
        waiting = waiting.subarray(frame);
        encoded += frame;
      }
    }
    // The encoder's delay has to be pushed through, or the end of the speech would stay inside it.
    while (encoded < received + preSkip / ticks) {
      if (packets.length === PACKETS_PER_PAGE) yield writePage(false);
      const last = new Float32Array(frame);
      last.set(waiting.subarray(0, frame));
      waiting = waiting.subarray(Math.min(frame, waiting.length));
      packets.push(encoder.encodeFloat(last).slice());
      encoded += frame;
    }
    yield writePage(true);
  } finally {
    encoder.free();
  }
}

function opusHead(preSkip: number, sampleRateHz: number): Uint8Array {
  const head = new Uint8Array(19);
  head.set(new TextEncoder().encode("OpusHead"));
  const view = new DataView(head.buffer);
  head[8] = 1;
  head[9] = 1;
  view.setUint16(10, preSkip, true);
  view.setUint32(12, sampleRateHz, true);
  return head;
}

function opusTags(): Uint8Array {
  const vendor = new TextEncoder().encode("parlance");
  const tags = new Uint8Array(8 + 4 + vendor.length + 4);
  tags.set(new TextEncoder().encode("OpusTags"));
  new DataView(tags.buffer).setUint32(8, vendor.length, true);
  tags.set(vendor, 12);
  return tags;
}
