import type { ArithmeticWords } from "./arithmetic.ts";
import type { RomanRules } from "./roman.ts";

export type Gender = "m" | "f";

/** A thing that is counted: its forms for one and for many. */
export interface Noun {
  readonly one: string;
  readonly many: string;
  readonly gender?: Gender;
}

export interface Currency {
  readonly unit: Noun;
  /** The hundredth part, where prices have one. */
  readonly part?: Noun;
}

/** How one language reads what is not written in words. */
export interface ReadingRules {
  /** Which sign stands before decimals; the other one groups thousands. */
  readonly decimalSign: "." | ",";
  /** A whole number from 0 up to 999 999 999 999. */
  cardinal(value: number): string;
  /** The same in front of a noun ("un euro", "eine Stunde"). */
  count(value: number, gender: Gender): string;
  ordinal(value: number, gender: Gender): string;
  /** "1st", "3º", "2e": the number, and whether it is feminine. */
  readonly ordinalForms: readonly { readonly pattern: RegExp; readonly gender: Gender }[];
  year(value: number): string;
  /** A day of a month, with or without its year; months count from 1. */
  date(day: number, month: number, year?: number): string;
  readonly isMonthFirst: boolean;
  time(hour: number, minute: number): string;
  /** How "14:30" may go on ("Uhr", "h", "pm"): swallowed with the time. */
  readonly timeSuffix?: RegExp;
  readonly minus: string;
  readonly point: string;
  /** "3,14" as fourteen or as one-four. */
  readonly readsDecimalsAsNumber: boolean;
  readonly percent: string;
  readonly to: string;
  readonly plus: string;
  readonly currencies: Readonly<Record<string, Currency>>;
  /** Joins euros and cents. */
  readonly and: string;
  /** Words after a price that multiply it ("$3 million"), with what they are called. */
  readonly magnitudes: Readonly<Record<string, string>>;
  /** The currency after a round number of millions ("tres millones DE euros"). */
  ofMillions(unit: string): string;
  /** "€/kg" */
  readonly per: string;
  readonly units: Readonly<Record<string, Noun>>;
  readonly signs: Readonly<
    Record<"at" | "dot" | "slash" | "dash" | "underscore" | "ampersand" | "hash" | "equals", string>
  >;
  readonly abbreviations: readonly (readonly [RegExp, string])[];
  /** Short words that are sometimes written in capitals for emphasis, in lower case. */
  readonly shortWords: ReadonlySet<string>;
  readonly emoji: Readonly<Record<string, string>>;
  /** Letters that alone are also words ("a"): how they are said when they are spelled. */
  readonly letterNames?: Readonly<Record<string, string>>;
  readonly roman?: RomanRules;
  readonly arithmetic?: ArithmeticWords;
  /** Further things only this language does, before everything else. */
  readonly first?: (text: string) => string;
}

export const noun = (one: string, many = one, gender: Gender = "m"): Noun => ({ one, many, gender });

/** Names for the most frequent emoji, in one order for all languages. */
export function emojiNames(names: string): Record<string, string> {
  const signs = ["❤", "👍", "👎", "😂", "😊", "😍", "😢", "😡", "🎉", "🔥", "👏", "🙏", "✅", "❌", "⭐", "☀"];
  const words = names.split("|");
  return Object.fromEntries(signs.map((sign, index) => [sign, words[index]!]));
}

/** Patterns are made once for each language: compiling them takes longer than reading with them. */
export function perLanguage<Made>(make: (rules: ReadingRules) => Made): (rules: ReadingRules) => Made {
  const made = new WeakMap<ReadingRules, Made>();
  return (rules) => {
    let known = made.get(rules);
    if (known === undefined) {
      known = make(rules);
      made.set(rules, known);
    }
    return known;
  };
}
