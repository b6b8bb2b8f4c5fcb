import { countries } from "./countries.ts";

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
  for (const match of text.matchAll(/(?<![A-Za-z0-9])([A-Z]{2})\s?([0-9O]{2})((?:[ .-]?[A-Z0-9]){11,30})/g)) {
    const length = countries.get(match[1]!)?.ibanLength;
    if (!length) continue;
    const compact = match[0]
      .replace(/[ .-]/g, "")
      .replace(/^(..)(.*)/, (_, country: string, rest: string) => country + fixDigits(country, rest));
    if (compact.length < length) continue;
    const value = compact.slice(0, length);
    // The text may go on after the IBAN ("... BIC"), so find where its last character stands.
    let seen = 0;
    let to = match.index;
    while (seen < length && to < match.index + match[0].length) if (!/[ .-]/.test(text[to++]!)) seen++;
    if (/[A-Z0-9]/.test(text[to] ?? "") && compact.length === length) continue;
    found.push({ value, from: match.index, to, isValid: isValidIban(value) });
  }
  return found;
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
    const shape = countries.get(match[1]!)?.vat;
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
      found.push({ value, from: match.index, to: end, isValid: hasValidVatDigits(match[1]!, code) });
      break;
    }
  }
  return found;
}

/** Numbers that a country's own invoices print without its letters, behind the word for them and with right check digits. */
const taxNumbers: readonly [word: string, code: string, isValid: (code: string) => boolean][] = [
  ["NIP", "\\d{3}-?\\d{3}-?\\d{2}-?\\d{2}|\\d{3}-\\d{2}-\\d{2}-\\d{3}|\\d{10}", isNip],
  ["P(?:artita|\\.)? ?\\.?IVA", "\\d{11}", luhn],
  ["(?:NIF|NIPC|Contribuinte)(?: ?n\\.?º?)?", "\\d{3} ?\\d{3} ?\\d{3}", isPortuguese],
  ["(?:N\\.?I\\.?F|C\\.?I\\.?F)", "[A-HJNP-SUVW]-?\\d{8}", (code) => luhn(code.slice(1))],
  ["ABN", "\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}", isAbn],
  ["CUIT", "\\d{2}-?\\d{8}-?\\d", (code) => weighted(code, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11)],
  [
    "CNPJ",
    "\\d{2}\\.?\\d{3}\\.?\\d{3}/?\\d{4}-?\\d{2}",
    (code) => weighted(code, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], 11),
  ],
];

const taxPatterns = taxNumbers.map(
  ([word, code]) => new RegExp(`\\b(?:${word})[^\\p{L}\\d]{0,4}(${code})(?!\\d)`, "giu"),
);

export function findTaxNumbers(text: string): FoundCode[] {
  return taxNumbers.flatMap(([, , isValid], index) =>
    [...text.matchAll(taxPatterns[index]!)].flatMap((match) => {
      const raw = match[1]!;
      // Brazil's numbers keep their marks.
      const value = raw.includes("/") ? raw : raw.replace(/[ -]/g, "");
      const to = match.index + match[0].length;
      return isValid(raw.replace(/[ ./-]/g, "")) ? [{ value, from: to - raw.length, to, isValid: true }] : [];
    }),
  );
}

/** Numbers behind the word have check digits, and this one is wrong: perhaps a telephone number. */
export function failsCheck(word: string, value: string): boolean {
  return taxNumbers.some(([known, , isValid]) => known === word && !isValid(value.replace(/\D/g, "")));
}

/** Of an Australian number the first digit counts one less. */
function isAbn(code: string): boolean {
  return /^\d{11}$/.test(code) && (sumOf(code, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0;
}

function isPortuguese(code: string): boolean {
  return weighted(code, [9, 8, 7, 6, 5, 4, 3, 2], 11);
}

function isNip(code: string): boolean {
  return sumOf(code, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(code[9]);
}

function sumOf(code: string, weights: readonly number[]): number {
  return weights.reduce((total, weight, index) => total + weight * Number(code[index]), 0);
}

/** The letter behind seven digits counts them; a second one, of numbers given since 2013, counts nine times. */
function checkIreland(code: string): boolean {
  const letters = "WABCDEFGHIJKLMNOPQRSTUV";
  const sum = sumOf(code, [8, 7, 6, 5, 4, 3, 2]) + 9 * Math.max(0, letters.indexOf(code[8] ?? "W"));
  return letters[sum % 23] === code[7];
}

function hasValidVatDigits(country: string, code: string): boolean {
  if (country === "DE") return mod11Product(code);
  if (country === "AT") return checkAustria(code);
  if (country === "FR" && /^\d{11}$/.test(code))
    return Number(code.slice(0, 2)) === (12 + 3 * (Number(code.slice(2)) % 97)) % 97;
  if (country === "BE") return 97 - (Number(code.slice(0, 8)) % 97) === Number(code.slice(8));
  if (country === "IT") return luhn(code);
  if (country === "GB")
    return [0, 55].some((more) => (sumOf(code, [8, 7, 6, 5, 4, 3, 2]) + more + Number(code.slice(7, 9))) % 97 === 0);
  if (country === "IE") return checkIreland(code);
  if (country === "DK") return sumOf(code, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
  if (country === "FI") return sumOf(code, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0;
  if (country === "PL") return isNip(code);
  if (country === "PT" || country === "NL") return isPortuguese(code.slice(0, 9));
  return false;
}

function mod11Product(code: string): boolean {
  let product = 10;
  for (const digit of code.slice(0, 8)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === Number(code[8]);
}

function checkAustria(code: string): boolean {
  const digits = [...code.slice(1)].map(Number);
  const sum = digits
    .slice(0, 7)
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : Math.floor(digit / 5) + ((digit * 2) % 10)), 0);
  return (10 - ((sum + 4) % 10)) % 10 === digits[7];
}

function weighted(code: string, weights: readonly number[], modulus: number): boolean {
  const sum = sumOf(code, weights);
  const check = code[weights.length] === undefined ? -1 : Number(code[weights.length]);
  const rest = sum % modulus;
  return check === rest || check === (modulus - rest) % modulus || (rest < 2 && check === 0);
}

export function luhn(code: string): boolean {
  const sum = [...code].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return /^\d+$/.test(code) && sum % 10 === 0;
}
