import { table } from "../../platform/table.ts";

const ibanLengths: Record<string, number> = table({
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IS: 26,
  IT: 27,
  KW: 30,
  KZ: 20,
  LB: 28,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  TN: 24,
  TR: 26,
  UA: 29,
  XK: 20,
});

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
    const length = ibanLengths[match[1]!];
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
  if (
    !["DE", "AT", "BE", "DK", "ES", "FI", "PL", "PT", "SE", "NO", "EE", "LT", "SK", "CZ", "HR", "HU", "SI"].includes(
      country,
    )
  )
    return rest;
  return rest.replace(/O/g, "0").replace(/[Il]/g, "1").replace(/S/g, "5").replace(/B/g, "8");
}

export function isValidIban(iban: string): boolean {
  if (ibanLengths[iban.slice(0, 2)] !== iban.length || !/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return false;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}

const vatShapes: Record<string, RegExp> = table({
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  CHE: /^\d{9}(MWST|TVA|IVA)?$/,
});

const vatPattern = new RegExp(
  `(?<![A-Za-z0-9])(${Object.keys(vatShapes).join("|")})[\\s-]?((?:[A-Z0-9][ .-]?){7,13})(?![a-z])`,
  "g",
);

/** VAT numbers of a text: a country's letters and the digits that country uses. */
export function findVatIds(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  for (const match of text.matchAll(vatPattern)) {
    const shape = vatShapes[match[1]!];
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
const taxNumbers: readonly { readonly label: RegExp; isValid(code: string): boolean }[] = [
  {
    label: /\bNIP\b[^\p{L}\d]{0,4}(?<code>\d{3}-?\d{3}-?\d{2}-?\d{2}|\d{3}-\d{2}-\d{2}-\d{3}|\d{10})(?!\d)/giu,
    isValid: isNip,
  },
  { label: /\bP(?:artita|\.)? ?\.?IVA\b[^\p{L}\d]{0,4}(?<code>\d{11})(?!\d)/giu, isValid: luhn },
  {
    label: /\b(?:NIF|NIPC|Contribuinte)\b(?: ?n\.?º?)?[^\p{L}\d]{0,4}(?<code>\d{3} ?\d{3} ?\d{3})(?!\d)/giu,
    isValid: (code) => weighted(code, [9, 8, 7, 6, 5, 4, 3, 2], 11),
  },
  { label: /\b(?:N\.?I\.?F|C\.?I\.?F)\b[^\p{L}\d]{0,4}(?<code>[A-HJNP-SUVW]-?\d{8})(?!\d)/gu, isValid: isCif },
];

export function findTaxNumbers(text: string): FoundCode[] {
  return taxNumbers.flatMap(({ label, isValid }) =>
    [...text.matchAll(label)].flatMap((match) => {
      const raw = match.groups!.code!;
      const value = raw.replace(/[ -]/g, "");
      const to = match.index + match[0].length;
      return isValid(value) ? [{ value, from: to - raw.length, to, isValid: true }] : [];
    }),
  );
}

function isNip(code: string): boolean {
  const sum = [6, 5, 7, 2, 3, 4, 5, 6, 7].reduce((total, weight, index) => total + weight * Number(code[index]), 0);
  return sum % 11 === Number(code[9]);
}

/** Spain: odd digits doubled as in a card number, the last one checks the seven before. */
function isCif(code: string): boolean {
  const sum = [...code.slice(1, 8)].reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return (10 - (sum % 10)) % 10 === Number(code[8]);
}

function hasValidVatDigits(country: string, code: string): boolean {
  if (country === "DE") return mod11Product(code);
  if (country === "AT") return checkAustria(code);
  if (country === "FR" && /^\d{11}$/.test(code))
    return Number(code.slice(0, 2)) === (12 + 3 * (Number(code.slice(2)) % 97)) % 97;
  if (country === "BE") return 97 - (Number(code.slice(0, 8)) % 97) === Number(code.slice(8));
  if (country === "IT") return luhn(code);
  if (country === "PT" || country === "NL") return weighted(code.slice(0, 9), [9, 8, 7, 6, 5, 4, 3, 2], 11);
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
  const sum = weights.reduce((total, weight, index) => total + weight * Number(code[index]), 0);
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
