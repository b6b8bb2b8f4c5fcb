import { decodeUtf8 } from "../decode-utf8.ts";
import type { Steps } from "./turns.ts";

type Parse = (text: string) => unknown;

/** What is looked at or parsed in one go. Some two milliseconds (measured on the densest bodies that `checkJsonShape` lets through). */
const pieceBytes = 128 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** What `parse` makes of JSON text, piece by piece, so that a large body never holds up everybody. Lists and objects are parsed a few
 *  members at a time, long strings a megabyte at a time. */
export function* parseInSteps(bytes: Buffer, parse: Parse, stepBytes = pieceBytes): Steps<unknown> {
  const ends = yield* findLarge(bytes, stepBytes);
  const start = skipBlanks(bytes, 0);
  const end = ends?.get(start);
  if (!ends || (end !== undefined && skipBlanks(bytes, end) < bytes.length)) return refuse(parse);
  if (end === undefined) return parse(decodeUtf8(bytes));
  return yield* new PieceParser(bytes, parse, ends, stepBytes).parse(start, end);
}

/** Where the lists and objects end that are too large for one go, by where they begin; undefined where brackets do not match up. */
function* findLarge(bytes: Buffer, stepBytes: number): Steps<Map<number, number> | undefined> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let stepEnd = stepBytes;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= stepEnd) {
      yield;
      stepEnd = at + stepBytes;
    }
    const byte = bytes[at]!;
    if (byte === quote) at = endOfString(bytes, at) - 1;
    else if (byte === openList || byte === openObject) open.push(at);
    else if (byte === closeList || byte === closeObject) {
      const start = open.pop();
      if (start === undefined) return undefined;
      if (at + 1 - start > stepBytes) ends.set(start, at + 1);
    }
  }
  return open.length === 0 ? ends : undefined;
}

class PieceParser {
  readonly #bytes: Buffer;
  readonly #parse: Parse;
  readonly #ends: ReadonlyMap<number, number>;
  readonly #stepBytes: number;
  /** Strings are parsed ten times as fast as the rest. */
  readonly #stringBytes: number;

  constructor(bytes: Buffer, parse: Parse, ends: ReadonlyMap<number, number>, stepBytes: number) {
    this.#bytes = bytes;
    this.#parse = parse;
    this.#ends = ends;
    this.#stepBytes = stepBytes;
    this.#stringBytes = stepBytes * 8;
  }

  /** Of a large list or object. */
  *parse(start: number, end: number): Steps<unknown> {
    const bytes = this.#bytes;
    const isList = bytes[start] === openList;
    if (bytes[end - 1] !== (isList ? closeList : closeObject)) return refuse(this.#parse);
    const made = isList ? [] : {};
    const last = end - 1;
    /** Where the members begin that are not parsed yet, and where the last comma among them is. */
    let from = start + 1;
    let split: number | undefined;
    let depth = 0;
    let isMemberDue = false;
    for (let at = from; at < last; at++) {
      const byte = bytes[at]!;
      const childEnd = this.#endOfLarge(at);
      if (childEnd !== undefined) {
        if (split !== undefined) {
          this.#addAll(made, from, split);
          from = split + 1;
        }
        const name = this.#nameBefore(isList, from, at);
        this.#add(made, name, yield* byte === quote ? this.#parseString(at, childEnd) : this.parse(at, childEnd));
        from = skipBlanks(bytes, childEnd);
        isMemberDue = from < last;
        if (isMemberDue && bytes[from] !== comma) return refuse(this.#parse);
        if (isMemberDue) from += 1;
        split = undefined;
        at = from - 1;
      } else if (byte === quote) at = endOfString(bytes, at) - 1;
      else if (byte === openList || byte === openObject) depth += 1;
      else if (byte === closeList || byte === closeObject) depth -= 1;
      else if (byte === comma && depth === 0) {
        split = at;
        if (at - from < this.#stepBytes) continue;
        this.#addAll(made, from, at);
        from = at + 1;
        split = undefined;
        isMemberDue = true;
        yield;
      }
    }
    if (isMemberDue || skipBlanks(bytes, from) < last) this.#addAll(made, from, last);
    yield;
    return made;
  }

  /** Where a list, an object or a string ends that begins here and is too large for one go. */
  #endOfLarge(at: number): number | undefined {
    if (this.#bytes[at] !== quote) return this.#ends.get(at);
    const end = endOfString(this.#bytes, at);
    // A name is parsed with its member.
    const isLong = end - at > this.#stringBytes && this.#bytes[skipBlanks(this.#bytes, end)] !== colon;
    return isLong ? end : undefined;
  }

  *#parseString(start: number, end: number): Steps<string> {
    const bytes = this.#bytes;
    const last = end - 1;
    let made = "";
    for (let from = start + 1; from < last; ) {
      const to = Math.min(last, cutAfter(bytes, from, from + this.#stringBytes));
      made += this.#parse(`"${decodeUtf8(bytes.subarray(from, to))}"`) as string;
      from = to;
      yield;
    }
    return made;
  }

  /** At least one whole member. */
  #addAll(made: object, from: number, to: number): void {
    const text = decodeUtf8(this.#bytes.subarray(from, to));
    if (Array.isArray(made)) {
      const members = this.#parse(`[${text}]`) as unknown[];
      if (members.length === 0) refuse(this.#parse);
      for (const member of members) made.push(member);
      return;
    }
    const members = this.#parse(`{${text}}`) as object;
    const names = Object.keys(members);
    if (names.length === 0) refuse(this.#parse);
    for (const name of names) this.#add(made, name, members[name as never]);
  }

  #add(made: object, name: string | undefined, value: unknown): void {
    if (Array.isArray(made)) made.push(value);
    // An assignment would change what kind of object it is.
    else if (name === "__proto__") refuse(this.#parse);
    else made[name as never] = value as never;
  }

  #nameBefore(isList: boolean, from: number, at: number): string | undefined {
    const before = decodeUtf8(this.#bytes.subarray(from, at));
    // As a list may begin: with blanks.
    if (isList) return void this.#parse(`[${before}null]`);
    return Object.keys(this.#parse(`{${before}null}`) as object)[0]!;
  }
}

/** In the words that `parse` has for what is no JSON. */
function refuse(parse: Parse): never {
  parse("]");
  throw new SyntaxError("Brackets do not match up.");
}

/** Behind the closing quote, or the end. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = bytes.indexOf(quote, at + 1);
    if (at < 0) return bytes.length;
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** Where a string may be cut at `wanted` or a little later: not within an escape, and not within a letter. */
function cutAfter(bytes: Buffer, from: number, wanted: number): number {
  let at = from;
  // Not beyond: without an escape each piece would look through all that follows it.
  const piece = bytes.subarray(0, wanted);
  for (;;) {
    const escaped = piece.indexOf(backslash, at);
    if (escaped < 0) break;
    at = escaped + (bytes[escaped + 1] === 0x75 ? 6 : 2);
  }
  at = Math.max(at, wanted);
  while (at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at += 1;
  return at;
}

/** As JSON knows them. */
function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09))
    at++;
  return at;
}
