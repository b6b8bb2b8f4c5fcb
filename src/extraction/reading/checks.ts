import { createRequire } from "node:module";
import type { Validator } from "stdnum";
import { countries } from "./countries.ts";
import { readTable } from "./read-table.ts";

export interface FoundCode {
  readonly value: string;
  readonly from: number;
  readonly to: number;
  /** Its check digits are right. */
  readonly isValid: boolean;
}

/** IBANs of a text, with or without blanks, and whether their check digits hold. */
export function findIbans(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  // Each place is tried: "FI20774740 IBAN FI21 ..." begins like a number that goes on over the word.
  for (const match of text.matchAll(/(?<![A-Za-z0-9])(?=(([A-Z]{2})\s?[0-9O]{2}(?:[ .-]?[A-Z0-9]){11,30}))/g)) {
    const [, whole, country] = match as unknown as [string, string, string];
    const length = countries.get(country)?.ibanLength;
    if (!length) continue;
    const compact = whole
      .replace(/[ .-]/g, "")
      .replace(/^(..)(.*)/, (_, country: string, rest: string) => country + fixDigits(country, rest));
    if (compact.length < length) continue;
    const value = compact.slice(0, length);
    // The text may go on after the IBAN ("... BIC"), so find where its last character stands.
    let seen = 0;
    let to = match.index;
    while (seen < length && to < match.index + whole.length) if (!/[ .-]/.test(text[to++]!)) seen++;
    if (/[A-Z0-9]/.test(text[to] ?? "") && compact.length === length) continue;
    found.push({ value, from: match.index, to, isValid: isValidIban(value) });
  }
  const isOver = (one: FoundCode, other: FoundCode): boolean =>
    other !== one && other.from < one.to && one.from < other.to && (other.isValid || other.from < one.from);
  return found.filter((one) => one.isValid || !found.some((other) => isOver(one, other)));
}

/** Most countries' account numbers are digits only; recognition reads some of them as letters. */
function fixDigits(country: string, rest: string): string {
  if (!countries.get(country)?.hasDigitsOnly) return rest;
  return rest.replace(/O/g, "0").replace(/[Il]/g, "1").replace(/S/g, "5").replace(/B/g, "8");
}

export function isValidIban(iban: string): boolean {
  if (countries.get(iban.slice(0, 2))?.ibanLength !== iban.length || !/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban))
    return false;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}

const vatPattern = new RegExp(
  `(?<![A-Za-z0-9])(${[...countries].flatMap(([letters, { vat }]) => (vat ? [letters] : [])).join("|")})[\\s-]?((?:[A-Z0-9][ .-]?){7,13})(?![a-z])`,
  "g",
);

/** VAT numbers of a text: a country's letters and the digits that country uses. */
export function findVatIds(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  for (const match of text.matchAll(vatPattern)) {
    const { vat: shape, vatRule } = countries.get(match[1]!)!;
    if (!shape) continue;
    const characters = match[2]!;
    for (let to = characters.length; to >= 7; to--) {
      const part = characters.slice(0, to).trimEnd();
      const code = part.replace(/[ .-]/g, "");
      if (!shape.test(code)) continue;
      const next = characters[part.length] ?? text[match.index + match[0].length] ?? "";
      if (/[A-Z0-9]/.test(next)) continue;
      // More groups of digits: the start of an IBAN.
      if (/^[ .-]\d{2}/.test(text.slice(match.index + match[0].length - characters.length + part.length))) continue;
      const value = match[1]! + code;
      const end = match.index + match[0].length - characters.length + part.length;
      found.push({ value, from: match.index, to: end, isValid: vatRule !== "" && hasCheckDigits(vatRule, code) });
      break;
    }
  }
  return found;
}

/** Numbers that a country's own invoices print without its letters, behind the word for them and with right check digits. */
export function findTaxNumbers(text: string): (FoundCode & { readonly country: string })[] {
  if (!saysTaxNumber.test(text)) return [];
  return taxNumbers.flatMap(({ rule, pattern }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const raw = match.groups!.code!;
      // "12.345.678/0001-95" is known by its marks.
      const value = /[./]/.test(raw) ? raw : raw.replace(/[ -]/g, "");
      const to = match.index + match[0].length;
      const country = rule.slice(0, 2).toUpperCase();
      return hasCheckDigits(rule, value) ? [{ value, country, from: to - raw.length, to, isValid: true }] : [];
    }),
  );
}

/** Numbers behind the word have check digits, and those of this one are wrong: perhaps a telephone number. */
export function failsCheck(word: string, value: string): boolean {
  const known = taxNumbers.filter(({ isWord }) => isWord.test(word));
  return known.some(({ isPlain }) => isPlain) && known.every(({ rule }) => !hasCheckDigits(rule, value));
}

const taxRows = readTable("reading/tax-numbers.tsv");
/** Most texts hold none of the words. */
const saysTaxNumber = new RegExp(`(?<!\\p{L})(?:${taxRows.map(([, words]) => words).join("|")})`, "iu");
const taxNumbers = taxRows.map(([rule, words, shape]) => ({
  rule: rule!,
  isWord: new RegExp(`^(?:${words})$`, "iu"),
  /** Of digits alone. */
  isPlain: !/[A-Z]/.test(shape!),
  pattern: new RegExp(`(?<!\\p{L})${words}[^\\p{L}\\d]{0,4}(?<code>${shape})(?![\\p{L}\\d])`, "giu"),
}));

/** The rules are loaded as they are needed: all of them take a fifth of a second. */
function hasCheckDigits(rule: string, code: string): boolean {
  return (load(`stdnum/lib/cjs/${rule}.js`) as Validator).validate(code).isValid;
}

const load = createRequire(import.meta.url);
