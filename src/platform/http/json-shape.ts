import { Problem } from "../errors.ts";
import type { Steps } from "./turns.ts";

/** Deeper than any request means, and shallow enough for code that follows it step by step. */
export const deepestNesting = 100;
/** Some 100 ms of parsing on a slow machine. Strings count once, however long: pictures in base64 are welcome. */
const mostValues = 400_000;

/** What is shorter can neither be deep nor full enough to matter. */
const harmlessBytes = 4096;

const quote = 0x22;
const backslash = 0x5c;

/** After so many bytes of structure or values others may pass: about a millisecond. */
const stepBytes = 256 * 1024;
const stepValues = 32_768;

/** Throws when a JSON body is nested too deeply, or holds too many values or escaped characters to be parsed without holding up
 *  others. In one look at the bytes, before anything is made of them, and no further than it must. */
export function checkJsonShape(bytes: Uint8Array): void {
  if (bytes.length < harmlessBytes) return;
  for (const _ of lookAtShape(bytes)) {
    // Without letting anybody pass.
  }
}

/** The same in steps. */
export function* lookAtShape(bytes: Uint8Array): Steps<void> {
  let depth = 0;
  let values = 0;
  /** The next backslash. Looked for once and not again for every string: there may be none. */
  let escaped = nextEscape(bytes, 0);
  let stepEndsAt = stepBytes;
  let stepEndsWith = stepValues;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= stepEndsAt || values >= stepEndsWith) {
      yield;
      stepEndsAt = at + stepBytes;
      stepEndsWith = values + stepValues;
    }
    const byte = bytes[at]!;
    if (byte === quote) {
      let end = bytes.indexOf(quote, at + 1);
      if (escaped < at) escaped = nextEscape(bytes, at);
      while (escaped < end) {
        values += 1;
        if (values > mostValues) throw tooMany();
        if (escaped + 1 === end) end = bytes.indexOf(quote, end + 1);
        escaped = nextEscape(bytes, escaped + 2);
      }
      if (end < 0) return;
      at = end;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > deepestNesting)
        throw new Problem("invalid_request", `The body is nested more than ${deepestNesting} levels deep.`);
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    } else if (byte === 0x2c) {
      values += 1;
    }
    if (values > mostValues) throw tooMany();
  }
}

function nextEscape(bytes: Uint8Array, from: number): number {
  const found = bytes.indexOf(backslash, from);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

function tooMany(): Problem {
  return new Problem("invalid_request", `The body holds more than ${mostValues} values or escaped characters.`);
}
