/** Opus always counts time in 48 000ths, whatever the sound's own rate (RFC 7587). */
export const RTP_CLOCK_HZ = 48_000;

export interface RtpPacket {
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly payload: Uint8Array;
}

const headerBytes = 12;

/** Reads an RTP packet (RFC 3550). Undefined for anything else: it comes from outside. */
export function readRtp(bytes: Uint8Array): RtpPacket | undefined {
  if (bytes.length < headerBytes || bytes[0]! >> 6 !== 2) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = headerBytes + 4 * (bytes[0]! & 0x0f);
  if (bytes[0]! & 0x10) {
    if (bytes.length < start + 4) return undefined;
    start += 4 + 4 * view.getUint16(start + 2);
  }
  const padding = bytes[0]! & 0x20 ? bytes[bytes.length - 1]! : 0;
  const end = bytes.length - padding;
  if (end < start) return undefined;
  return {
    payloadType: bytes[1]! & 0x7f,
    sequence: view.getUint16(2),
    timestamp: view.getUint32(4),
    payload: bytes.subarray(start, end),
  };
}

export interface RtpHeader {
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  /** The first packet of a stretch of speech: receivers adjust their buffers before it. */
  readonly isMarked: boolean;
}

export function writeRtp(header: RtpHeader, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + payload.length);
  bytes[0] = 0x80;
  bytes[1] = header.payloadType | (header.isMarked ? 0x80 : 0);
  bytes.writeUInt16BE(header.sequence & 0xffff, 2);
  bytes.writeUInt32BE(header.timestamp >>> 0, 4);
  bytes.writeUInt32BE(header.ssrc >>> 0, 8);
  bytes.set(payload, headerBytes);
  return bytes;
}

/** How far `to` is ahead of `from` in counters that wrap around; negative when it is behind. */
export function distance16(from: number, to: number): number {
  return ((to - from + 0x8000) & 0xffff) - 0x8000;
}

export function distance32(from: number, to: number): number {
  return (to - from) | 0;
}
