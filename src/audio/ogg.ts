/** One page of an Ogg stream (RFC 3533) that holds whole packets. */
export interface OggPage {
  readonly serial: number;
  readonly sequence: number;
  readonly granulePosition: bigint;
  readonly packets: readonly Uint8Array[];
  readonly isFirst?: boolean;
  readonly isLast?: boolean;
}

const LARGEST_SEGMENT_COUNT = 255;

export function writeOggPage(page: OggPage): Uint8Array {
  const lacing = page.packets.flatMap((packet) => [
    ...new Array<number>(Math.floor(packet.length / 255)).fill(255),
    packet.length % 255,
  ]);
  if (lacing.length > LARGEST_SEGMENT_COUNT) throw new RangeError("an Ogg page holds at most 255 segments");
  const bodyBytes = page.packets.reduce((sum, packet) => sum + packet.length, 0);
  const bytes = new Uint8Array(27 + lacing.length + bodyBytes);
  const view = new DataView(bytes.buffer);
  bytes.set([0x4f, 0x67, 0x67, 0x53, 0, (page.isFirst ? 2 : 0) | (page.isLast ? 4 : 0)]);
  view.setBigInt64(6, page.granulePosition, true);
  view.setUint32(14, page.serial, true);
  view.setUint32(18, page.sequence, true);
  bytes[26] = lacing.length;
  bytes.set(lacing, 27);
  let offset = 27 + lacing.length;
  for (const packet of page.packets) {
    bytes.set(packet, offset);
    offset += packet.length;
  }
  view.setUint32(22, checksum(bytes), true);
  return bytes;
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});

/** Ogg's CRC: not reflected, starts at zero. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum = (sum << 8) ^ table[((sum >>> 24) ^ byte) & 0xff]!;
  return sum >>> 0;
}
