import type { Segment } from "./layout.ts";
import { isNear, type Token, tokenize } from "./normalize.ts";

/** A label on the page. */
export interface Label<Name extends string = string> {
  readonly name: Name;
  readonly isStrong: boolean;
  readonly language: string;
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
  readonly language?: string;
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
  /** Letters of the longest phrase. */
  readonly longest: number;
}

/** Recognition may mistake one letter; in a shorter word that makes another word of it. */
const shortestNear = 7;
/** No label is made of more words. */
const mostTokens = 8;

export function indexPhrases<Name extends string>(phrases: readonly Phrase<Name>[]): PhraseIndex<Name> {
  const exact = new Map<string, Phrase<Name>[]>();
  const near = new Map<string, string[]>();
  for (const phrase of phrases) {
    if (phrase.joined === "") continue;
    const known = exact.get(phrase.joined);
    if (!known) {
      exact.set(phrase.joined, [phrase]);
      const key = `${phrase.joined.slice(0, 2)}${phrase.joined.length}`;
      if (phrase.joined.length >= shortestNear) near.set(key, [...(near.get(key) ?? []), phrase.joined]);
    } else if (!known.some((other) => other.name === phrase.name)) known.push(phrase);
    else if (phrase.isStrong)
      exact.set(
        phrase.joined,
        known.map((other) => (other.name === phrase.name && !other.isStrong ? phrase : other)),
      );
  }
  return { exact, near, longest: Math.max(0, ...[...exact.keys()].map((joined) => joined.length)) };
}

const tokensBySegment = new WeakMap<Segment, readonly Token[]>();

/** A run of text is looked at for labels of several groups. */
function tokensOf(segment: Segment): readonly Token[] {
  const known = tokensBySegment.get(segment);
  if (known) return known;
  const tokens = tokenize(segment.text);
  tokensBySegment.set(segment, tokens);
  return tokens;
}

/** The labels in one run of text; at each place the longest phrase wins. */
export function labelsIn<Name extends string>(segment: Segment, index: PhraseIndex<Name>): Label<Name>[] {
  const tokens = tokensOf(segment);
  const labels: Label<Name>[] = [];
  for (let start = 0; start < tokens.length; start++) {
    const match = longestMatch(tokens, start, index, segment.source === "ocr");
    if (!match) continue;
    const from = tokens[start]!.from;
    const to = tokens[start + match.used - 1]!.to;
    const isAlone = from <= 2 && /^[\s.:#)\]*°ºoO-]*$/.test(segment.text.slice(to));
    for (const { name, isStrong, joined, language = "" } of match.phrases)
      labels.push({ name, isStrong, language, segment, from, to, length: joined.length, isAlone });
    start += match.used - 1;
  }
  return labels;
}

function longestMatch<Name extends string>(
  tokens: readonly Token[],
  start: number,
  index: PhraseIndex<Name>,
  isRecognised: boolean,
): { phrases: readonly Phrase<Name>[]; used: number } | undefined {
  let best: { phrases: readonly Phrase<Name>[]; used: number } | undefined;
  let joined = "";
  const most = Math.min(mostTokens, tokens.length - start);
  for (let used = 1; used <= most && joined.length <= index.longest; used++) {
    joined += tokens[start + used - 1]!.text;
    const phrases = index.exact.get(joined) ?? (isRecognised ? nearMatch(joined, index) : undefined);
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
