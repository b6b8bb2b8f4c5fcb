import { isNear, remembering, type Token, tokenize, weakly } from "./normalize.ts";
import type { Segment } from "./segment.ts";

/** A label on the page. */
export interface Label<Name extends string = string> {
  readonly name: Name;
  readonly isStrong: boolean;
  readonly segment: Segment;
  /** Which characters of the segment it covers. */
  readonly from: number;
  readonly to: number;
  /** Letters it matched: longer is more specific. */
  readonly length: number;
  /** Nothing but the label (and a colon) stands in the segment. */
  readonly isAlone: boolean;
}

export interface Phrase<Name extends string = string> {
  readonly name: Name;
  readonly isStrong: boolean;
  readonly joined: string;
}

export function makePhrase<Name extends string>(name: Name, phrase: string, isStrong: boolean): Phrase<Name> {
  const joined = tokenize(phrase)
    .map((token) => token.text)
    .join("");
  return { name, isStrong, joined };
}

/** Phrases by their letters; and, for recognised text, by their first two and their length. */
export interface PhraseIndex<Name extends string> {
  readonly exact: ReadonlyMap<string, readonly Phrase<Name>[]>;
  readonly near: ReadonlyMap<string, readonly string[]>;
  /** How phrases begin: the first letter, two, three and four of each, so that most words are passed over at once. */
  readonly starts: ReadonlySet<string>;
  /** Letters of the longest phrase. */
  readonly longest: number;
}

/** Recognition may mistake one letter; in a shorter word that makes another word of it. */
const shortestNear = 7;
/** No label is made of more words. */
const mostTokens = 8;
const longestStart = 4;
/** Recognised text may hold a phrase with a letter mistaken behind its second one. */
const startOfNear = 2;

/** An index that is made when it is first asked: with the words of every language, all of them took a quarter of a second of every start,
 *  also where no document is ever read. */
export function indexWhenAsked<Name extends string>(list: () => readonly Phrase<Name>[]): PhraseIndex<Name> {
  let made: PhraseIndex<Name> | undefined;
  const index = (): PhraseIndex<Name> => {
    made ??= indexPhrases(list());
    return made;
  };
  return {
    get exact() {
      return index().exact;
    },
    get near() {
      return index().near;
    },
    get starts() {
      return index().starts;
    },
    get longest() {
      return index().longest;
    },
  };
}

export function indexPhrases<Name extends string>(phrases: readonly Phrase<Name>[]): PhraseIndex<Name> {
  const exact = new Map<string, Phrase<Name>[]>();
  const near = new Map<string, string[]>();
  for (const phrase of phrases) {
    const { joined, name, isStrong } = phrase;
    if (joined === "") continue;
    const known = exact.get(joined) ?? [];
    const same = known.findIndex((other) => other.name === name);
    if (same < 0) known.push(phrase);
    else if (isStrong) known[same] = phrase;
    exact.set(joined, known);
  }
  for (const joined of exact.keys()) {
    const key = `${joined.slice(0, 2)}${joined.length}`;
    if (joined.length >= shortestNear) near.set(key, [...(near.get(key) ?? []), joined]);
  }
  const starts = new Set(
    [...exact.keys()].flatMap((joined) =>
      Array.from({ length: longestStart }, (_, index) => joined.slice(0, index + 1)),
    ),
  );
  return { exact, near, starts, longest: Math.max(0, ...[...exact.keys()].map((joined) => joined.length)) };
}

const tokensOf = remembering((text): readonly Token[] => tokenize(text));
const labelsBySegment = weakly((_: Segment) => new Map<PhraseIndex<string>, Label[]>());

/** The labels in one run of text; at each place the longest phrase wins. Several rules ask for the same ones. */
export function labelsIn<Name extends string>(segment: Segment, index: PhraseIndex<Name>): readonly Label<Name>[] {
  const known = labelsBySegment(segment);
  if (!known.has(index)) known.set(index, findLabels(segment, index));
  return known.get(index) as Label<Name>[];
}

function findLabels<Name extends string>(segment: Segment, index: PhraseIndex<Name>): Label<Name>[] {
  const tokens = tokensOf(segment.text);
  const labels: Label<Name>[] = [];
  for (let start = 0; start < tokens.length; start++) {
    const match = longestMatch(segment, tokens, start, index);
    if (!match) continue;
    const from = tokens[start]!.from;
    const to = tokens[start + match.used - 1]!.to;
    // "Viale Po 18" is a street, "PO 18" an order.
    if (from > 2 && /^\p{Lu}\p{Ll}$/u.test(segment.text.slice(from, to)) && segment.text[to] !== ":") continue;
    const isAlone = from <= 2 && /^[\s.:#)\]*°ºoO-]*$/.test(segment.text.slice(to));
    for (const { name, isStrong, joined } of match.phrases)
      labels.push({ name, isStrong, segment, from, to, length: joined.length, isAlone });
    start += match.used - 1;
  }
  return labels;
}

function longestMatch<Name extends string>(
  { text, source }: Segment,
  tokens: readonly Token[],
  start: number,
  index: PhraseIndex<Name>,
): { phrases: readonly Phrase<Name>[]; used: number } | undefined {
  let best: { phrases: readonly Phrase<Name>[]; used: number } | undefined;
  let joined = "";
  const most = Math.min(mostTokens, tokens.length - start);
  const known = source === "ocr" ? startOfNear : longestStart;
  for (let used = 1; used <= most && joined.length <= index.longest; used++) {
    const last = tokens[start + used - 1]!;
    const isBegun = joined.length >= known;
    joined += last.text;
    if (!isBegun && !index.starts.has(joined.slice(0, known))) break;
    // The letters of "Rechnung R26" and "Invoice NZ-2291" are the start of a number and no "Nr" misread.
    // Nor is the first digit of "Balance: $1,000.00" or the 5 of "Rechnungsdatum:5. Mai" a letter too many of it.
    const isCut = /^[-/]?\d/.test(text.slice(last.to)) || /^\d/.test(last.text);
    const phrases = index.exact.get(joined) ?? (source === "ocr" && !isCut ? nearMatch(joined, index) : undefined);
    if (phrases) best = { phrases, used };
  }
  return best;
}

function nearMatch<Name extends string>(joined: string, index: PhraseIndex<Name>): readonly Phrase<Name>[] | undefined {
  if (joined.length < shortestNear) return undefined;
  for (const length of [joined.length, joined.length - 1, joined.length + 1]) {
    const found = index.near.get(`${joined.slice(0, 2)}${length}`)?.find((phrase) => isNear(joined, phrase));
    if (found) return index.exact.get(found);
  }
  return undefined;
}
