import { readSync } from "node:fs";

/** A field of a protobuf message whose value is a message, a text or bytes: its number, and where the value is in the file. */
export interface DelimitedField {
  readonly number: number;
  readonly start: number;
  readonly length: number;
}

const LENGTH_DELIMITED = 2;
/** The largest graphs have some tens of thousands of nodes. */
const mostFields = 500_000;

/** Goes through the fields of a message in a file without reading their values. False where the bytes are no message. */
export function walkFields(file: number, from: number, to: number, visit: (field: DelimitedField) => void): boolean {
  let offset = from;
  for (let fields = 0; offset < to; fields++) {
    const head = readBytes(file, offset, Math.min(20, to - offset));
    const tag = readVarint(head, 0);
    if (!tag || fields > mostFields) return false;
    const [number, type] = [Math.floor(tag.value / 8), tag.value % 8];
    if (number === 0 || number > 100) return false;
    const value = type === 0 || type === LENGTH_DELIMITED ? readVarint(head, tag.end) : undefined;
    if (!value) return false;
    const start = offset + value.end;
    const length = type === LENGTH_DELIMITED ? value.value : 0;
    if (start + length > to) return false;
    if (type === LENGTH_DELIMITED) visit({ number, start, length });
    offset = start + length;
  }
  return to > from;
}

export function readBytes(file: number, from: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const got = readSync(file, bytes, 0, count, from);
  return bytes.subarray(0, got);
}

export function readVarint(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = from; at < Math.min(bytes.length, from + 10); at++) {
    value += (bytes[at]! % 128) * 2 ** (7 * (at - from));
    if (bytes[at]! < 128) return { value, end: at + 1 };
  }
  return undefined;
}
