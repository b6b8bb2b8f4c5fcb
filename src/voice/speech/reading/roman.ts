import { type Gender, perLanguage, type ReadingRules } from "./rules.ts";

/** How one language reads Roman numerals, which only what stands beside them tells from letters. */
export interface RomanRules {
  /** Words, in lower case, after which a numeral counts: "chapter IV". */
  readonly nouns: string;
  /** Words of which it tells the how-manieth: "secolo XXI". */
  readonly ordinalNouns?: { readonly m: string; readonly f: string };
  number(value: number, rules: ReadingRules): string;
  /** First names of rulers and popes. */
  readonly kings: string;
  readonly queens: string;
  ruler(value: number, gender: Gender, rules: ReadingRules): string;
  /** What else this language writes so ("XXe siècle", "II Guerra Mundial"), before everything else. The numeral is the first group. */
  readonly forms?: readonly (readonly [
    pattern: RegExp,
    read: (value: number, rest: string, rules: ReadingRules) => string,
  ])[];
}

const NUMERAL = String.raw`(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})`;
/** Of a word that may be anything, only numerals that are hardly anything else: two letters or more of I, V and X. */
const SHORT_NUMERAL = String.raw`(?=[XVI]{2})X{0,3}(?:IX|IV|V?I{0,3})`;
/** "Henry I" is a king only where no verb can follow an I: at a pause, or before a word such as "of". */
const AFTER_FIRST = "(?=\\s*(?:[.,;:)]|$)|\\s+(?:of|was|and|von|war|und|de|y|fue|et|fut|di|e|foi|van|en)\\b)";

const patternsOf = perLanguage((rules) => {
  const { nouns, ordinalNouns, kings, queens } = rules.roman!;
  const after = (words: string) =>
    new RegExp(String.raw`(?<!\p{L})(${anyCase(words)})[ \u00a0](?![CDLM](?!\p{L}))(${NUMERAL})(?![\p{L}\d])`, "gu");
  const ofRuler = (names: string) =>
    new RegExp(
      String.raw`(?<!\p{L})(${names.split(" ").join("|")})[ \u00a0](?![CDLM](?!\p{L}))((?!I(?!\p{L}))${NUMERAL}|I${AFTER_FIRST})(?![\p{L}\d])`,
      "gu",
    );
  return {
    noun: after(nouns),
    ordinalNouns: (["m", "f"] as const)
      .filter((gender) => ordinalNouns?.[gender])
      .map((gender) => ({ gender, pattern: after(ordinalNouns![gender]) })),
    rulers: (["m", "f"] as const).map((gender) => ({ gender, pattern: ofRuler(gender === "m" ? kings : queens) })),
    other: new RegExp(String.raw`(?<=\p{Lu}\p{Ll}+[ \u00a0])(${SHORT_NUMERAL})(?![\p{L}\d])`, "gu"),
  };
});

/** "Henry VIII", "World War II", "siglo XXI", "chapter IV", "Rocky II". Letters without such a neighbour stay letters. */
export function readRomanNumerals(text: string, rules: ReadingRules): string {
  const { roman } = rules;
  if (roman === undefined || !/[IVXLCDM]/u.test(text)) return text;
  const { noun, ordinalNouns, rulers, other } = patternsOf(rules);
  let read = text;
  for (const [pattern, say] of roman.forms ?? []) {
    read = read.replace(pattern, (_, numeral: string, rest = "") => say(fromRoman(numeral), rest, rules));
  }
  for (const { gender, pattern } of ordinalNouns) {
    read = read.replace(pattern, (_, word, numeral) => `${word} ${rules.ordinal(fromRoman(numeral), gender)}`);
  }
  read = read.replace(noun, (_, word, numeral) => `${word} ${roman.number(fromRoman(numeral), rules)}`);
  for (const { gender, pattern } of rulers) {
    read = read.replace(pattern, (_, name, numeral) => `${name} ${roman.ruler(fromRoman(numeral), gender, rules)}`);
  }
  return read.replace(other, (numeral) => roman.number(fromRoman(numeral), rules));
}

function anyCase(words: string): string {
  return words
    .split("|")
    .map((word) => `[${word[0]!.toUpperCase()}${word[0]}]${word.slice(1)}`)
    .join("|");
}

const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

export function fromRoman(numeral: string): number {
  let total = 0;
  for (let i = 0; i < numeral.length; i++) {
    const value = VALUES[numeral[i]!]!;
    total += value < (VALUES[numeral[i + 1] ?? ""] ?? 0) ? -value : value;
  }
  return total;
}
