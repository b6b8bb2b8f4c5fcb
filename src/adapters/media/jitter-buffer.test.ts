import { describe, expect, it } from "vitest";
import { JitterBuffer, type PacketDecoder } from "./jitter-buffer.ts";
import { readRtp, writeRtp } from "./rtp.ts";

/** Each packet is 20 ms of its own number; what is made up is -1, what a later packet restores is -2. */
const decoder: PacketDecoder = {
  decode(packet) {
    if (packet.length === 0) throw new Error("no Opus");
    return new Int16Array(320).fill(packet[0]!);
  },
  conceal: (samples) => new Int16Array(samples).fill(-1),
  recover: (_packet, samples) => new Int16Array(samples).fill(-2),
};

const packet = (number: number, ticks = number * 960) => ({
  payloadType: 111,
  sequence: (65_534 + number) & 0xffff,
  timestamp: (4_294_967_000 + ticks) >>> 0,
  payload: Uint8Array.of(number),
});

/** The first sample of every 20 ms that come out. */
function hear(buffer: JitterBuffer, ...numbers: (number | ReturnType<typeof packet>)[]): number[] {
  return numbers
    .flatMap((one) => buffer.push(typeof one === "number" ? packet(one) : one))
    .flatMap((samples) => Array.from({ length: samples.length / 320 }, (_, index) => samples[index * 320]!));
}

describe("the jitter buffer", () => {
  it("passes packets in order at once, also where the counters wrap around", () => {
    const buffer = new JitterBuffer(decoder, 16_000);
    expect([0, 1, 2, 3, 4].map((number) => hear(buffer, number))).toEqual([[0], [1], [2], [3], [4]]);
  });

  it("puts packets in order that overtook each other, and plays none twice", () => {
    const buffer = new JitterBuffer(decoder, 16_000);
    expect(hear(buffer, 0, 2, 1, 1, 4, 3, 0)).toEqual([0, 1, 2, 3, 4]);
    expect(buffer.lost).toBe(0);
  });

  it("fills a lost packet when three later ones are here, with what the next one knows of it", () => {
    const buffer = new JitterBuffer(decoder, 16_000);
    expect(hear(buffer, 0, 2, 3)).toEqual([0]);
    expect(hear(buffer, 4)).toEqual([-2, 2, 3, 4]);
    expect(buffer.lost).toBe(1);
  });

  it("keeps time through a long loss: a guess, then silence", () => {
    const buffer = new JitterBuffer(decoder, 16_000);
    expect(hear(buffer, 0, 8, 9, 10)).toEqual([0, -1, -1, 0, 0, 0, 0, -2, 8, 9, 10]);
  });

  it("takes a pause of the sender for silence of the same length", () => {
    const buffer = new JitterBuffer(decoder, 16_000);
    expect(hear(buffer, 0, packet(1, 960 * 5))).toEqual([0, 0, 0, 0, 0, 1]);
    expect(buffer.lost).toBe(0);
  });

  it("follows a sender that starts anew", () => {
    const buffer = new JitterBuffer(decoder, 16_000);
    expect(hear(buffer, 0, 1, packet(2, 48_000 * 60))).toEqual([0, 1, 2]);
  });

  it("keeps time when a packet is no Opus", () => {
    const buffer = new JitterBuffer(decoder, 16_000);
    expect(hear(buffer, 0, { ...packet(1), payload: new Uint8Array(0) }, 2)).toEqual([0, -1, 2]);
  });
});

describe("an RTP packet", () => {
  const header = { payloadType: 111, sequence: 65_535, timestamp: 4_294_967_295, ssrc: 7, isMarked: true };

  it("is read as it was written", () => {
    const read = readRtp(writeRtp(header, Uint8Array.of(1, 2, 3)))!;
    expect({ ...read, payload: [...read.payload] }).toEqual({
      payloadType: 111,
      sequence: 65_535,
      timestamp: 4_294_967_295,
      payload: [1, 2, 3],
    });
  });

  it("may carry extensions and padding", () => {
    const plain = writeRtp(header, Uint8Array.of(0xbe, 0xde, 0, 1, 9, 9, 9, 9, 1, 2, 0, 0, 3));
    plain[0]! |= 0x30;
    expect([...readRtp(plain)!.payload]).toEqual([1, 2]);
  });

  it("that is cut off or something else is nothing", () => {
    for (const bytes of [
      [],
      [0x80],
      Array(12).fill(0),
      [0x9f, ...Array(20).fill(255)],
      [0xa0, ...Array(11).fill(255)],
    ]) {
      expect(readRtp(Uint8Array.from(bytes))).toBeUndefined();
    }
  });
});
