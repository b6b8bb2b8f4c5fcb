import type { Layout, Segment } from "../reading/layout.ts";
import { isNear, tokenize } from "../reading/normalize.ts";
import { type LabelName, labelWords } from "./lexicon.ts";

/** A label on the page. */
export interface Label<Name extends string = LabelName> {
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

/** "no" is also written n°, nº or n. */
const variants = (phrase: string): string[] =>
  /\bno\b/.test(phrase) && phrase.length > 4 ? [phrase, phrase.replace(/\bno\b/, "n")] : [phrase];

const standardPhrases: Phrase<LabelName>[] = Object.entries(labelWords).flatMap(([name, words]) => [
  ...words.strong.flatMap(variants).map((phrase) => makePhrase(name as LabelName, phrase, true)),
  ...("weak" in words ? words.weak : []).map((phrase) => makePhrase(name as LabelName, phrase, false)),
]);
const standardIndex = indexPhrases(standardPhrases);

export function makePhrase<Name extends string>(name: Name, phrase: string, isStrong: boolean): Phrase<Name> {
  return {
    name,
    isStrong,
    joined: tokenize(phrase)
      .map((token) => token.text)
      .join(""),
  };
}

/** Phrases by their first two letters, so that each place of a text is compared with a few only. */
export type PhraseIndex<Name extends string> = ReadonlyMap<string, readonly Phrase<Name>[]>;

export function indexPhrases<Name extends string>(phrases: readonly Phrase<Name>[]): PhraseIndex<Name> {
  const index = new Map<string, Phrase<Name>[]>();
  for (const phrase of phrases) {
    if (phrase.joined === "") continue;
    const key = phrase.joined.slice(0, 2);
    const list = index.get(key) ?? [];
    list.push(phrase);
    index.set(key, list);
  }
  for (const list of index.values()) list.sort((left, right) => right.joined.length - left.joined.length);
  return index;
}

/** All labels of the document that the lexicon knows. */
export function findLabels(layout: Layout): Label[] {
  return layout.segments.flatMap((segment) => labelsIn(segment, standardIndex));
}

/** The labels in one run of text; at each place the longest phrase wins. */
export function labelsIn<Name extends string>(segment: Segment, index: PhraseIndex<Name>): Label<Name>[] {
  const tokens = tokenize(segment.text);
  const labels: Label<Name>[] = [];
  let skipTo = 0;
  for (let start = 0; start < tokens.length; start++) {
    if (start < skipTo) continue;
    const match = longestMatch(
      tokens.slice(start, start + 8).map((token) => token.text),
      index,
      segment.source === "ocr",
    );
    if (!match) continue;
    const from = tokens[start]!.from;
    const to = tokens[start + match.used - 1]!.to;
    for (const phrase of match.phrases) {
      labels.push({
        name: phrase.name,
        isStrong: phrase.isStrong,
        segment,
        from,
        to,
        length: phrase.joined.length,
        isAlone: from <= 2 && /^[\s.:#)\]*°ºoO-]*$/.test(segment.text.slice(to)),
      });
    }
    skipTo = start + match.used;
  }
  return labels;
}

function longestMatch<Name extends string>(
  tokens: readonly string[],
  index: PhraseIndex<Name>,
  isRecognised: boolean,
): { phrases: Phrase<Name>[]; used: number } | undefined {
  const candidates = index.get((tokens[0]! + (tokens[1] ?? "")).slice(0, 2));
  if (!candidates) return undefined;
  let best: { phrases: Phrase<Name>[]; used: number; length: number } | undefined;
  for (const phrase of candidates) {
    if (best && phrase.joined.length < best.length) break;
    let joined = "";
    for (let used = 1; used <= tokens.length; used++) {
      joined += tokens[used - 1]!;
      if (joined.length < phrase.joined.length - 1) continue;
      const isMatch =
        joined === phrase.joined || (isRecognised && phrase.joined.length >= 7 && isNear(joined, phrase.joined));
      if (isMatch) {
        if (!best) best = { phrases: [phrase], used, length: phrase.joined.length };
        else if (best.used === used) best.phrases.push(phrase);
      }
      if (isMatch || joined.length > phrase.joined.length) break;
    }
  }
  return best;
}
