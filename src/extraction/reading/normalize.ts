import { table } from "../../platform/table.ts";
/** A word or number of a text in a form that can be compared, with where it stood. */
export interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const kept: Record<string, string> = table({ "№": "no", "#": "#", "%": "%" });

/** Cuts a text into comparable tokens: lower case, without accents, letters apart from digits. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(/[\p{L}\p{M}]+|\d+|[#%№]/gu)) {
    const raw = match[0];
    tokens.push({ text: kept[raw] ?? fold(raw), from: match.index, to: match.index + raw.length });
  }
  return tokens;
}

/** Lower case without accents: "Fälligkeit" and "FAELLIGKEIT" stay apart, "échéance" becomes "echeance". */
export function fold(text: string): string {
  // Most words are plain ASCII, and most of the time went here.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .toLowerCase()
    .replace(/[ºª]/g, "")
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ø/g, "o")
    .replace(/ł/g, "l")
    .replace(/đ/g, "d")
    .normalize("NFD")
    .replace(/\p{M}/gu, "");
}

/** Whether two words differ by at most one letter changed, added or missing. */
export function isNear(left: string, right: string): boolean {
  if (left === right) return true;
  const difference = left.length - right.length;
  if (Math.abs(difference) > 1) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  if (difference === 0) return left.slice(at + 1) === right.slice(at + 1);
  return difference > 0 ? left.slice(at + 1) === right.slice(at) : left.slice(at) === right.slice(at + 1);
}

/** Similarity of two texts from 0 to 1 by edit distance. */
export function similarity(left: string, right: string): number {
  if (left === right) return 1;
  const longest = Math.max(left.length, right.length);
  if (longest === 0) return 1;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost));
    }
    previous = current;
  }
  return 1 - previous[right.length]! / longest;
}

/** Works something out once for each object, for as long as that lives. */
export function weakly<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined || known.has(key)) return before as Value;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}

/** Runs of text of some hundred pages; whole pages are not kept. */
const mostKept = 20_000;
const longestKept = 1000;

/** Works something out once for each text. */
export function remembering<Value>(make: (text: string) => Value): (text: string) => Value {
  const kept = new Map<string, Value>();
  return (text) => {
    if (text.length > longestKept) return make(text);
    const before = kept.get(text);
    if (before !== undefined) return before;
    if (kept.size >= mostKept) kept.clear();
    const value = make(text);
    kept.set(text, value);
    return value;
  };
}
