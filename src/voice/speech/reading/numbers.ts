import { type Gender, perLanguage, type ReadingRules } from "./rules.ts";

/** The text of a number as it may stand in prose: grouped thousands, decimals. No sign in front. */
export function numberPattern(rules: ReadingRules): string {
  return rules.decimalSign === "."
    ? String.raw`\d{1,3}(?:,\d{2,3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?`
    : String.raw`\d{1,3}(?:[.\u00a0\u202f]\d{3})+(?:,\d+)?(?!\d)|\d{1,3}(?: \d{3})+(?:,\d+)?(?!\d)|\d+(?:,\d+)?(?!\d)|\d+\.\d{1,2}(?!\d)|\d+`;
}

export interface ReadNumber {
  /** Undefined when it is too long to be one number. */
  readonly whole: number | undefined;
  readonly digits: string;
  readonly decimals: string;
}

export function parseNumber(text: string, rules: ReadingRules): ReadNumber {
  const compact = text.replace(/[\s\u00a0\u202f]/gu, "");
  const isPlainDecimal = rules.decimalSign === "," && /^\d+\.\d{1,2}$/u.test(compact);
  const sign = isPlainDecimal ? "." : rules.decimalSign;
  const [digits = "", decimals = ""] = compact.split(sign).map((part) => part.replace(/[.,]/gu, ""));
  const isGrouped = /[.,\s\u00a0\u202f]/u.test(text.split(sign)[0]!);
  const isCode =
    (digits.length > 1 && digits.startsWith("0")) || digits.length > 12 || (!isGrouped && digits.length > 9);
  return { whole: isCode ? undefined : Number(digits), digits, decimals };
}

export function speakNumber(text: string, rules: ReadingRules, gender?: Gender): string {
  const { whole, digits, decimals } = parseNumber(text, rules);
  const spokenWhole =
    whole === undefined
      ? speakDigits(digits, rules)
      : gender && decimals === ""
        ? rules.count(whole, gender)
        : rules.cardinal(whole);
  if (decimals === "") return spokenWhole;
  const asNumber = rules.readsDecimalsAsNumber && decimals.length <= 3 && !decimals.startsWith("0");
  return `${spokenWhole} ${rules.point} ${asNumber ? rules.cardinal(Number(decimals)) : speakDigits(decimals, rules)}`;
}

export function speakDigits(digits: string, rules: ReadingRules): string {
  return Array.from(digits, (digit) => rules.cardinal(Number(digit))).join(" ");
}

const patternsOf = perLanguage((rules) => {
  const number = numberPattern(rules);
  return {
    range: new RegExp(String.raw`(?<![\w.,])(${number})\s?[-–]\s?(${number})(?![\w-])`, "gu"),
    negative: new RegExp(String.raw`(?<![\w)])[-−](?=\d)(${number})`, "gu"),
    besideLetters: new RegExp(String.raw`(?<=\p{L})[-–]?(${number})|(${number})(?=\p{L})`, "gu"),
    plain: new RegExp(number, "gu"),
  };
});

/** Numbers that nothing else has claimed: ordinals, ranges, negative numbers, plain ones. */
export function readNumbers(text: string, rules: ReadingRules): string {
  const { range, negative, besideLetters, plain } = patternsOf(rules);
  let read = text.replace(VERSION, (match) => speakVersion(match, rules)).replace(/(?<=\d)\/(?=\d)/gu, " ");
  for (const { pattern, gender } of rules.ordinalForms) {
    read = read.replace(pattern, (_, digits: string) => rules.ordinal(Number(digits), gender));
  }
  return read
    .replace(range, (_, from: string, to: string) => `${speakPlain(from, rules)} ${rules.to} ${speakPlain(to, rules)}`)
    .replace(negative, (_, digits: string) => `${rules.minus} ${speakNumber(digits, rules)}`)
    .replace(besideLetters, (_, after?: string, before?: string) =>
      after ? ` ${speakNumber(after, rules)}` : `${speakNumber(before!, rules)} `,
    )
    .replace(plain, (digits) => speakPlain(digits, rules));
}

const VERSION = /(?<![\w.,])\d+(?:\.\d+){2,}(?![\w.,]*\d)/gu;

/** "2.0.1" and "192.168.1.1", unless the points only group thousands. */
function speakVersion(text: string, rules: ReadingRules): string {
  const parts = text.split(".");
  if (rules.decimalSign === "," && parts.slice(1).every((part) => part.length === 3)) return text;
  const point = rules.decimalSign === "." ? rules.point : rules.signs.dot;
  return parts.map((part) => speakNumber(part, rules)).join(` ${point} `);
}

/** A bare number of four digits is most often a year. */
function speakPlain(digits: string, rules: ReadingRules): string {
  return /^(?:1[1-9]|20)\d\d$/u.test(digits) ? rules.year(Number(digits)) : speakNumber(digits, rules);
}

/** "+49 30 1234567" and "555-123-4567", digit by digit with a breath between the groups. */
export function readPhoneNumbers(text: string, rules: ReadingRules): string {
  return text.replace(/(?<![\w.,])(?:\+\d[\d ().-]{6,}\d|\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4})(?![\w.,]*\d)/gu, (match) => {
    const groups = match.replace(/^\+/u, "").match(/\d+/gu) ?? [];
    const spoken = groups.map((group) => speakDigits(group, rules)).join(", ");
    return match.startsWith("+") ? `${rules.plus} ${spoken}` : spoken;
  });
}
