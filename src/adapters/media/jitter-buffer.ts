import { distance16, distance32, RTP_CLOCK_HZ, type RtpPacket } from "./rtp.ts";

/** What a decoder gives for a packet or for the lack of one. */
export interface PacketDecoder {
  /** Samples at the rate of the buffer. Throws for a packet that is no Opus. */
  decode(packet: Uint8Array): Int16Array;
  /** A guess at sound that was lost, from what was before it. */
  conceal(samples: number): Int16Array;
  /** The lost packet before this one, as far as this one carries a copy of it. */
  recover(packet: Uint8Array, samples: number): Int16Array;
}

/** A packet that others have overtaken is waited for until so many of them are here: three are 60 ms. */
const mostEarly = 3;
/** A guess for longer than this is worse than silence. */
const longestConcealedMs = 60;
/** A longer pause in the stream is a break in it, not a loss. */
const longestGapMs = 10_000;

/** Puts packets in order and fills what is missing, so that the sound is exactly as long as the time it took. Packets in order
 *  pass at once; only a gap makes those after it wait. */
export class JitterBuffer {
  readonly #decoder: PacketDecoder;
  readonly #rateHz: number;
  readonly #early = new Map<number, RtpPacket>();
  #next: { sequence: number; timestamp: number } | undefined;
  received = 0;
  lost = 0;

  constructor(decoder: PacketDecoder, rateHz: number) {
    this.#decoder = decoder;
    this.#rateHz = rateHz;
  }

  /** The sound that can be heard now. */
  push(packet: RtpPacket): Int16Array[] {
    this.received += 1;
    const next = this.#next;
    if (!next) return [this.#take(packet)];
    const ahead = distance16(next.sequence, packet.sequence);
    const aheadTicks = distance32(next.timestamp, packet.timestamp);
    // A sender that starts anew, or was away for long, is followed rather than waited for.
    if (Math.abs(aheadTicks) > (longestGapMs * RTP_CLOCK_HZ) / 1000 || Math.abs(ahead) > 1000) {
      this.#early.clear();
      this.#next = undefined;
      return [this.#take(packet)];
    }
    if (ahead < 0) return [];
    this.#early.set(packet.sequence, packet);
    const sound: Int16Array[] = [];
    for (let due = this.#due(); due; due = this.#due()) sound.push(...this.#fillBefore(due), this.#take(due));
    return sound;
  }

  /** The packet whose turn it is: the next one, or after a gap that was waited for the first behind it. */
  #due(): RtpPacket | undefined {
    const { sequence } = this.#next!;
    const inOrder = this.#early.get(sequence);
    if (inOrder || this.#early.size < mostEarly) return inOrder;
    let first: RtpPacket | undefined;
    for (const packet of this.#early.values()) {
      if (!first || distance16(packet.sequence, first.sequence) > 0) first = packet;
    }
    return first;
  }

  #fillBefore(packet: RtpPacket): Int16Array[] {
    const next = this.#next!;
    this.lost += Math.max(0, distance16(next.sequence, packet.sequence));
    const ticks = distance32(next.timestamp, packet.timestamp);
    let missing = Math.max(0, Math.round((ticks * this.#rateHz) / RTP_CLOCK_HZ));
    if (missing === 0) return [];
    // A pause of the sender, with no packet missing, is silence.
    if (packet.sequence === next.sequence) return [new Int16Array(missing)];
    const sound: Int16Array[] = [];
    const frame = this.#rateHz / 50;
    const concealed = Math.min(missing, (longestConcealedMs * this.#rateHz) / 1000);
    const silent = missing - concealed;
    missing = concealed;
    for (; missing > frame; missing -= frame) sound.push(this.#decoder.conceal(frame));
    if (silent > 0) sound.push(new Int16Array(silent));
    sound.push(this.#decoder.recover(packet.payload, missing));
    return sound;
  }

  #take(packet: RtpPacket): Int16Array {
    this.#early.delete(packet.sequence);
    let samples: Int16Array;
    try {
      samples = this.#decoder.decode(packet.payload);
    } catch {
      samples = this.#decoder.conceal(this.#rateHz / 50);
    }
    const ticks = Math.round((samples.length * RTP_CLOCK_HZ) / this.#rateHz);
    this.#next = { sequence: (packet.sequence + 1) & 0xffff, timestamp: (packet.timestamp + ticks) >>> 0 };
    return samples;
  }
}
