import { type Word, words } from "../reading/words.ts";
import { coreOf } from "./word-features.ts";

/** Longer phrases are sentences. */
const longestPhrase = 6;
/** Words that the net need not tell apart are one meaning, and those that say nothing of a value are none. */
const merged = (meaning: string): string => (/^month\.\d+$/.test(meaning) ? "month" : meaning);
const dropped = /^(kind\.|column_|billed\.|mark\.|name_lead|party_filler|code_lead|form_word|standard\.)/;

export interface Lexicon {
  /** The numbers of the one or two commonest meanings of a phrase, by its words joined by blanks. */
  readonly phrases: ReadonlyMap<string, readonly number[]>;
  /** How many words the longest phrase has that begins with this one. */
  readonly longest: ReadonlyMap<string, number>;
}

/** What the phrases of all languages mean, as numbers in the order that a net has learned. */
export function createLexicon(
  meanings: readonly string[],
  vocabulary: readonly Pick<Word, "meaning" | "phrase">[] = words,
): Lexicon {
  const numbers = new Map(meanings.map((name, index) => [name, index]));
  const counts = new Map<string, Map<string, number>>();
  for (const { meaning, phrase } of vocabulary) {
    const name = merged(meaning);
    const tokens = phrase
      .split(/\s+/)
      .map(coreOf)
      .filter((token) => token !== "");
    if (dropped.test(name) || !numbers.has(name) || tokens.length === 0 || tokens.length > longestPhrase) continue;
    const key = tokens.join(" ");
    const own = counts.get(key) ?? new Map<string, number>();
    own.set(name, (own.get(name) ?? 0) + 1);
    counts.set(key, own);
  }
  const phrases = new Map<string, readonly number[]>();
  const longest = new Map<string, number>();
  for (const [key, own] of counts) {
    const common = [...own].sort(([one, more], [other, less]) => less - more || (one < other ? -1 : 1)).slice(0, 2);
    phrases.set(
      key,
      common.map(([name]) => numbers.get(name)!),
    );
    const [first, ...rest] = key.split(" ");
    longest.set(first!, Math.max(longest.get(first!) ?? 0, 1 + rest.length));
  }
  return { phrases, longest };
}
