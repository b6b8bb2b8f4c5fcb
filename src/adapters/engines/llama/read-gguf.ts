import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { blockSizes } from "./gguf-types.ts";

export type GgufValue = string | number | boolean | bigint;

export interface Gguf {
  readonly architecture: string;
  readonly fileBytes: number;
  /** What a whole file has; undefined when it holds a number format that is not known here. */
  readonly expectedBytes: number | undefined;
  /** Single values by name; lists such as the vocabulary are skipped. */
  readonly values: ReadonlyMap<string, GgufValue>;
  /** Its weights by name. */
  readonly tensors: ReadonlyMap<string, GgufTensor>;
}

export interface GgufTensor {
  /** The length of a row comes first, as ggml counts. */
  readonly shape: readonly number[];
  /** ggml's number of its number format. */
  readonly type: number;
  /** Its first byte in the file. */
  readonly start: number;
}

/** The file is no GGUF, or ends within its own description. The message completes "The file …". */
export class BadGguf extends Error {}

const newestVersion = 3;
/** A vocabulary of 256,000 words takes some 8 MB, and no description is much longer. */
const longestDescription = 512 * 1024 * 1024;
const longestText = 16 * 1024 * 1024;

/** Reads what a GGUF file says of itself, without its weights (format: ggml/docs/gguf.md). */
export function readGguf(path: string): Gguf {
  const file = openSync(path, "r");
  try {
    const reader = new Reader(file, fstatSync(file).size);
    if (reader.text(4) !== "GGUF") throw new BadGguf("is not a GGUF file");
    const version = reader.u32();
    if (version < 2 || version > newestVersion) throw new BadGguf(`is GGUF of version ${version}, which is not known`);
    const tensorCount = reader.u64();
    const pairs = reader.u64();
    const values = new Map<string, GgufValue>();
    for (let index = 0; index < pairs; index++) {
      const name = reader.string();
      const value = readValue(reader, reader.u32());
      if (value !== undefined) values.set(name, value);
    }
    const alignment = Number(values.get("general.alignment") ?? 32);
    const listed = readTimes(tensorCount, () => readTensor(reader));
    const start = Math.ceil(reader.offset / alignment) * alignment;
    const ends = listed.map(([, tensor]) => endOf(tensor));
    return {
      architecture: String(values.get("general.architecture") ?? ""),
      fileBytes: reader.size,
      expectedBytes: ends.includes(undefined) ? undefined : start + Math.max(0, ...(ends as number[])),
      values,
      tensors: new Map(listed.map(([name, tensor]) => [name, { ...tensor, start: start + tensor.start }])),
    };
  } finally {
    closeSync(file);
  }
}

/** A false count ends with the file, not with the memory. */
function readTimes<T>(count: number, read: () => T): T[] {
  const found: T[] = [];
  while (found.length < count) found.push(read());
  return found;
}

/** Its place counts from the first weight on. */
function readTensor(reader: Reader): [name: string, tensor: GgufTensor] {
  const name = reader.string();
  const shape = readTimes(reader.u32(), () => reader.u64());
  return [name, { shape, type: reader.u32(), start: reader.u64() }];
}

function endOf({ shape, type, start }: GgufTensor): number | undefined {
  const block = blockSizes[type];
  const weights = shape.reduce((product, length) => product * length, 1);
  return block && start + Math.ceil(weights / block[0]) * block[1];
}

const fixedSizes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

function readValue(reader: Reader, type: number): GgufValue | undefined {
  if (type === 8) return reader.string();
  if (type === 9) {
    skipList(reader);
    return undefined;
  }
  const size = fixedSizes[type];
  if (size === undefined) throw new BadGguf(`holds a value of an unknown type (${type})`);
  const bytes = reader.bytes(size);
  if (type === 7) return bytes[0] !== 0;
  if (type === 6) return bytes.readFloatLE(0);
  if (type === 12) return bytes.readDoubleLE(0);
  if (size === 8) return Number(type === 10 ? bytes.readBigUInt64LE(0) : bytes.readBigInt64LE(0));
  return type % 2 === 1 ? bytes.readIntLE(0, size) : bytes.readUIntLE(0, size);
}

function skipList(reader: Reader): void {
  const type = reader.u32();
  const count = reader.u64();
  const size = fixedSizes[type];
  if (size !== undefined) reader.skip(size * count);
  else if (type === 8) for (let index = 0; index < count; index++) reader.skip(reader.u64());
  else throw new BadGguf(`holds a list of an unknown type (${type})`);
}

/** Reads ahead a megabyte at a time. */
class Reader {
  offset = 0;
  readonly size: number;
  readonly #file: number;
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(file: number, size: number) {
    this.#file = file;
    this.size = size;
  }

  bytes(count: number): Buffer {
    if (this.offset + count > this.size || count < 0) throw new BadGguf("ends in the middle of its own description");
    if (this.offset > longestDescription) throw new BadGguf("describes itself without end");
    const from = this.offset - this.#start;
    if (from < 0 || from + count > this.#buffer.length) this.#fill(count);
    const at = this.offset - this.#start;
    this.offset += count;
    return this.#buffer.subarray(at, at + count);
  }

  #fill(count: number): void {
    const wanted = Math.min(Math.max(count, 1024 * 1024), this.size - this.offset);
    const buffer = Buffer.alloc(wanted);
    let read = 0;
    while (read < wanted) {
      const got = readSync(this.#file, buffer, read, wanted - read, this.offset + read);
      if (got === 0) break;
      read += got;
    }
    this.#buffer = buffer;
    this.#start = this.offset;
  }

  skip(count: number): void {
    if (this.offset + count > this.size) throw new BadGguf("ends in the middle of its own description");
    this.offset += count;
  }

  u32(): number {
    return this.bytes(4).readUInt32LE(0);
  }

  u64(): number {
    return Number(this.bytes(8).readBigUInt64LE(0));
  }

  text(bytes: number): string {
    if (bytes > longestText) throw new BadGguf("holds a text that is too long to be one");
    return this.bytes(bytes).toString("utf8");
  }

  string(): string {
    return this.text(this.u64());
  }
}
