const pageHeaderBytes = 27;

/** Makes a file that breaks off readable up to there, where its demuxer would give up on more than it must. */
export function mendTruncated(bytes: Uint8Array): Uint8Array {
  if (startsWith(bytes, [0x4f, 0x67, 0x67, 0x53])) return wholePages(bytes);
  if (startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3])) return wholeCluster(bytes);
  return bytes;
}

/** Ogg up to its last complete page. */
function wholePages(bytes: Uint8Array): Uint8Array {
  let end = 0;
  while (end + pageHeaderBytes <= bytes.length && startsWith(bytes.subarray(end), [0x4f, 0x67, 0x67, 0x53])) {
    const segments = bytes[end + 26]!;
    let size = pageHeaderBytes + segments;
    for (let i = 0; i < segments; i++) size += bytes[end + pageHeaderBytes + i] ?? 0;
    if (end + size > bytes.length) break;
    end += size;
  }
  return end > 0 ? bytes.subarray(0, end) : bytes;
}

const clusterId = [0x1f, 0x43, 0xb6, 0x75];

/** Matroska whose last cluster claims more bytes than there are: it ends after its last complete block. */
function wholeCluster(bytes: Uint8Array): Uint8Array {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf(Buffer.from(clusterId));
  const size = at < 0 ? undefined : readNumber(bytes, at + clusterId.length);
  if (!size) return bytes;
  const start = at + clusterId.length + size.width;
  if (start + size.value <= bytes.length) return bytes;
  let end = start;
  for (;;) {
    const id = readNumber(bytes, end);
    const length = id && readNumber(bytes, end + id.width);
    const next = id && length ? end + id.width + length.width + length.value : Number.POSITIVE_INFINITY;
    if (next > bytes.length) break;
    end = next;
  }
  const mended = bytes.slice(0, end);
  let rest = end - start;
  for (let i = size.width - 1; i >= 0; i--) {
    mended[at + clusterId.length + i] = rest & 0xff;
    rest = Math.floor(rest / 256);
  }
  mended[at + clusterId.length]! |= 0x80 >> (size.width - 1);
  return mended;
}

/** A number as EBML writes it: its leading zeros say how many bytes it has. */
function readNumber(bytes: Uint8Array, at: number): { value: number; width: number } | undefined {
  const first = bytes[at];
  if (!first) return undefined;
  const width = Math.clz32(first) - 23;
  if (at + width > bytes.length) return undefined;
  let value = first & (0xff >> width);
  for (let i = 1; i < width; i++) value = value * 256 + bytes[at + i]!;
  return { value, width };
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}
