import { closeSync, fstatSync, openSync } from "node:fs";
import { readBytes, readVarint, walkFields } from "../../onnx-graph/walk-fields.ts";

/** ModelProto of onnx.proto: the field of `metadata_props`, and those of its entries. */
const METADATA_FIELD = 14;
const LENGTH_DELIMITED = 2;
const longestEntry = 16 * 1024 * 1024;

/** What an ONNX file says of itself, without its weights: the graph is skipped. Undefined for a file that is not ONNX or is cut. */
export function readOnnxMetadata(path: string): ReadonlyMap<string, string> | undefined {
  const file = openSync(path, "r");
  try {
    const metadata = new Map<string, string>();
    const isWhole = walkFields(file, 0, fstatSync(file).size, ({ number, start, length }) => {
      if (number === METADATA_FIELD && length < longestEntry) addEntry(metadata, readBytes(file, start, length));
    });
    return isWhole ? metadata : undefined;
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
