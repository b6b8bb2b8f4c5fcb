import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** ModelProto of onnx.proto: the field of `metadata_props`, and those of its entries. */
const METADATA_FIELD = 14;
const LENGTH_DELIMITED = 2;
/** Model files have a handful of fields at their topmost level. */
const mostFields = 10_000;
const longestEntry = 16 * 1024 * 1024;

/** What an ONNX file says of itself, without its weights: the graph is skipped. Undefined for a file that is not ONNX or is cut. */
export function readOnnxMetadata(path: string): ReadonlyMap<string, string> | undefined {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const metadata = new Map<string, string>();
    let offset = 0;
    for (let fields = 0; offset < size; fields++) {
      const head = read(file, offset, Math.min(20, size - offset));
      const tag = readVarint(head, 0);
      if (!tag || fields > mostFields) return undefined;
      const [field, type] = [Math.floor(tag.value / 8), tag.value % 8];
      if (field === 0 || field > 100) return undefined;
      if (type === 0) {
        const value = readVarint(head, tag.end);
        if (!value) return undefined;
        offset += value.end;
        continue;
      }
      const length = type === LENGTH_DELIMITED ? readVarint(head, tag.end) : undefined;
      if (!length) return undefined;
      const start = offset + length.end;
      if (start + length.value > size) return undefined;
      if (field === METADATA_FIELD && length.value < longestEntry) addEntry(metadata, read(file, start, length.value));
      offset = start + length.value;
    }
    return size === 0 ? undefined : metadata;
  } finally {
    closeSync(file);
  }
}

function addEntry(metadata: Map<string, string>, entry: Buffer): void {
  const texts: [string, string] = ["", ""];
  for (let at = 0; at < entry.length; ) {
    const tag = readVarint(entry, at);
    const length = tag && readVarint(entry, tag.end);
    if (!tag || !length) return;
    const place = Math.floor(tag.value / 8) - 1;
    if (place === 0 || place === 1) texts[place] = entry.toString("utf8", length.end, length.end + length.value);
    at = length.end + length.value;
  }
  metadata.set(texts[0], texts[1]);
}

/** One entry as it stands in a file: appended to an ONNX file it adds to what is known of it. */
export function writeOnnxMetadata(entries: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(entries).map(([key, value]) => {
      const body = Buffer.concat([delimited(1, Buffer.from(key)), delimited(2, Buffer.from(value))]);
      return delimited(METADATA_FIELD, body);
    }),
  );
}

function delimited(field: number, body: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + LENGTH_DELIMITED), varint(body.length), body]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

function readVarint(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = from; at < Math.min(bytes.length, from + 10); at++) {
    value += (bytes[at]! % 128) * 2 ** (7 * (at - from));
    if (bytes[at]! < 128) return { value, end: at + 1 };
  }
  return undefined;
}

function read(file: number, from: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const got = readSync(file, bytes, 0, count, from);
  return bytes.subarray(0, got);
}
