import { currencyCodes } from "./currency.ts";
import { remembering } from "./normalize.ts";

/** How a document writes numbers. */
export type DecimalMark = "." | ",";
/** " .": points for decimals, and blanks between thousands. */
export type NumberStyle = DecimalMark | " .";

export interface FoundNumber {
  readonly value: number;
  /** Decimal places as written. */
  readonly decimals: number;
  readonly from: number;
  readonly to: number;
  /** A currency sign or code stood right beside it. */
  readonly hasCurrency: boolean;
  readonly isPercent: boolean;
}

/** A cent, and what rounding of cents may add to it. */
export const cent = 0.015;
/** Tills round to five cents, and their parts to one. */
export const tillRounding = 0.06;

const currencySigns = "€$£¥₹₽₺₩₪฿₦₫₱₨₴₡₲₵₭₮₸₾";
const currencyWords =
  `(?:${currencyCodes.join("|")}|USD)\\.?|RM|R\\$|S\\$|US\\$|A\\$|C\\$|HK\\$|NT\\$|RD\\$|SFr\\.?|Fr\\.|kr|z[łlt]|Kč|Ft|lei|TL|Tk\\.?|Rs\\.?|Rp\\.?|F ?CFA|CFA|[KTU][Ss]hs?\\.?|GH[₵¢]|` +
  "FC|CDF|GNF|DHs?\\.?|Dhs?\\.?|Kz|FBu|MGA|PEN|S\\/\\.?|DT|лв\\.?|грн\\.?|руб\\.?|VNĐ|đ|R|[Ee]uros?|" +
  // The signs of euros, pounds, pesos, naira and rupees are often read as letters.
  "[PNFfCcE](?=\\d[\\d.,]*[.,]\\d{2}(?!\\d))";
/** ".70" alone, behind a sign or behind a word, but no "N .23". */
const withoutNought = "(?<=^\\W*|[@x×*]\\s?|\\p{L}{3}:?\\s+)[.,]\\d{2}(?!\\d)";

/** Blanks group thousands only where commas mark decimals: elsewhere "2 100.00" is a quantity and a price. "9 900,00" and "R 9 900.00" can be nothing else. */
const groupedPattern = makePattern(" '’.,");
const numberPatterns: Record<NumberStyle, RegExp> = {
  ",": groupedPattern,
  ".": makePattern("'’.,"),
  " .": groupedPattern,
};

function makePattern(groupMarks: string): RegExp {
  // India groups by two above the thousands: 1,31,370.00.
  const number = `\\d{1,2}(?:,\\d{2})+,\\d{3}(?:\\.\\d{1,2})?(?!\\d)|\\d{1,3}(?: \\d{3})+,\\d{2}(?!\\d)|(?<=(?:[${currencySigns}]|(?<!\\p{L})(?:${currencyWords})) ?)\\d{1,3}(?: \\d{3})+\\.\\d{2}(?!\\d)|\\d{1,3}(?:[${groupMarks}]\\d{3})+(?:[.,]\\d{1,4})?(?!\\d)|\\d+(?:[.,]\\d{1,6})?(?!\\d)|${withoutNought}`;
  return new RegExp(
    `(?<![\\p{L}\\d/.,-]|\\d:)(?<open>\\()?(?<sign>[-–−+])?\\s?(?<before>[${currencySigns}]|(?:${currencyWords})(?![\\p{L}]))?\\s?(?<sign2>[-–−])?(?<number>${number})(?<flat>[.,][-–—]{1,2}(?!\\d))?(?<back>-(?!\\d))?\\s?(?<after>[${currencySigns}%]|(?:${currencyWords})(?![\\p{L}\\d]))?(?<close>\\))?`,
    "gu",
  );
}

/** All numbers of a text, read with the document's decimal mark. */
export function findNumbers(text: string, style: NumberStyle): readonly FoundNumber[] {
  return readers[style](text);
}

const readers: Record<NumberStyle, (text: string) => readonly FoundNumber[]> = {
  ".": remembering((text) => readNumbers(text, ".")),
  ",": remembering((text) => readNumbers(text, ",")),
  " .": remembering((text) => readNumbers(text, " .")),
};

/** Where francs and rand are grouped by blanks, "1 450.00" is one amount; elsewhere it is a quantity and a price. */
export function styleOf(text: string, mark: DecimalMark, currency: string | undefined): NumberStyle {
  const isGrouped = /(?<![\d.,])\d{1,3} \d{3}\.\d{2}(?!\d)/.test(text) && !/\d[,'’]\d{3}/.test(text);
  return mark === "." && isGrouped && (currency === "CHF" || currency === "ZAR") ? " ." : mark;
}

function readNumbers(given: string, style: NumberStyle): FoundNumber[] {
  const mark = style === "," ? "," : ".";
  const found: FoundNumber[] = [];
  if (!/\d/.test(given)) return found;
  const text = repairNumbers(given);
  for (const match of text.matchAll(numberPatterns[style])) {
    const groups = match.groups as Record<string, string | undefined>;
    const trimmed = match.index + match[0].trimEnd().length;
    // Where a blank was moved out of "14, 50" its last digit belongs to it.
    const end = /\d/.test(given[trimmed] ?? "") && text[trimmed] === " " ? trimmed + 1 : trimmed;
    const next = text[match.index + match[0].length];
    // Parts of dates, codes and telephone numbers are not amounts.
    if (next && /[\p{L}\d]/u.test(next) && !groups.after && !/^\s/.test(text.slice(end, end + 1))) {
      // "100.00N" is an amount with the class of its tax.
      const isTaxed = /[.,]\d{2}$/.test(groups.number!) && /^\p{Lu}[\p{L}\d]?\W*$/u.test(text.slice(end));
      if (!isTaxed && !/^(x|st|stk|pcs|pc|h|kg|l|m|km|kwh|hrs?|u|un|ud|uds)\b/i.test(text.slice(end))) continue;
    }
    // "(9%): 3735.00" is a rate and its tax.
    if (next && groups.after !== "%" && /^[/:]\s?\d/.test(text.slice(end))) continue;
    const parsed = parseNumber(groups.number!, mark);
    if (!parsed) continue;
    const isNegative = Boolean(
      groups.sign?.match(/[-–−]/) ||
        groups.sign2 ||
        groups.back ||
        // "VAT (20%)" is no rate below nought.
        (groups.open && groups.close && groups.after !== "%"),
    );
    found.push({
      value: isNegative ? -parsed.value : parsed.value,
      // "7200,- Kč", "45.– Fr.": no cents.
      decimals: groups.flat ? 2 : parsed.decimals,
      from: match.index + (match[0].length - match[0].trimStart().length),
      to: end,
      hasCurrency: Boolean(groups.before || (groups.after && groups.after !== "%")),
      isPercent: groups.after === "%",
    });
  }
  return found;
}

/** "47 600 FCFA", or two at the ends of their lines. */
const groupedByBlanks = new RegExp(
  `(?<![\\d.,])\\d{1,3}(?: \\d{3})+(?: ?(?:[${currencySigns}]|(?:${currencyCodes.join("|")})(?![\\p{L}\\d]))|$[^]*[^\\d.,]\\d{1,3}(?: \\d{3})+$)`,
  "mu",
);

const lostMarks: Record<DecimalMark, RegExp> = {
  ",": /^(\d{1,3})\.(\d{3})(\d{2})$/,
  ".": /^(\d{1,3}),(\d{3})(\d{2})$/,
};

/** Reads one written number; undefined when its marks make no sense. */
export function parseNumber(raw: string, mark: DecimalMark): { value: number; decimals: number } | undefined {
  const compact = raw.replace(/[ '’\u00a0]/g, "");
  // The end of "36 000", cut off.
  if (/^0{2,}$/.test(compact)) return undefined;
  const lastDot = compact.lastIndexOf(".");
  const lastComma = compact.lastIndexOf(",");
  let decimalAt = Math.max(lastDot, lastComma);
  if (decimalAt >= 0) {
    const sign = compact[decimalAt]!;
    const tail = compact.length - decimalAt - 1;
    const isRepeated = compact.indexOf(sign) !== decimalAt;
    const isOnlySign = lastDot < 0 || lastComma < 0;
    // "1.234" is a thousand where commas mark decimals, and 1.234 where points do.
    // "4.968.00" was "4.968,00" before it was recognised.
    if (isRepeated && isOnlySign) decimalAt = tail === 2 ? decimalAt : -1;
    else if (isOnlySign && tail === 3 && sign !== mark && !/^0[.,]/.test(compact)) decimalAt = -1;
  }
  // "2.60252" was "2.602,52" before recognition lost the comma.
  const lost = lostMarks[mark].exec(compact);
  if (lost) return { value: Number(`${lost[1]}${lost[2]}.${lost[3]}`), decimals: 2 };
  const whole = (decimalAt < 0 ? compact : compact.slice(0, decimalAt)).replace(/[.,]/g, "") || "0";
  const fraction = decimalAt < 0 ? "" : compact.slice(decimalAt + 1);
  if (!/^\d+$/.test(whole) || whole.length > 12) return undefined;
  return { value: Number(fraction ? `${whole}.${fraction}` : whole), decimals: fraction.length };
}

const wholeAmounts = new RegExp(
  `(?<![\\d.,/])\\d{1,3}(?:([., ])\\d{3})+ ?(?:[${currencySigns}]|(?:${currencyWords})(?!\\p{L}))|(?:[${currencySigns}]|(?<!\\p{L})(?:${currencyWords})) ?\\d{1,3}(?:([., ])\\d{3})+(?![\\d.,])`,
  "gu",
);

/** Votes on the document's decimal mark: amounts with two decimals, and where these are at odds all numbers with a mark, of which those with three digits behind it are thousands. */
export function voteDecimalMark(text: string, places = 2): DecimalMark {
  const votes = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((sum, match) => sum + ((match[1] ?? match[2]) === "," ? 1 : -1), 0);
  const commas =
    votes(
      new RegExp(`(?<![\\d.,/])\\d{1,6}(?:[., '’]\\d{3})*([.,])\\d{${places}}(?![\\d.,/]|\\s?[/.-]\\s?\\d)`, "g"),
    ) ||
    votes(/(?<![\d.,/])\d+([.,])(?:\d{1,2}|\d{4})(?![\d.,/])/g) ||
    // "1 450,-"
    votes(/(?<=\d)([.,])[-–—]{1,2}(?!\d)/g) ||
    // Whole amounts: what groups their thousands is not the mark of decimals, and blanks group where that is the comma.
    -votes(wholeAmounts) ||
    -votes(/(?<![\d.,/])[1-9]\d{0,2}([.,])\d{3}(?![\d.,/])/g) ||
    Number(groupedByBlanks.test(text));
  return commas > 0 ? "," : ".";
}

/** Undoes what recognition does to numbers, without moving anything: blanks around the mark, letters for digits. */
function repairNumbers(text: string): string {
  return text
    .replace(/(?<=\d)( )([.,]\d{2})(?![\d.,])/g, "$2$1")
    .replace(/(?<=\d[.,])( )(\d{2,3})(?=\s*$)/g, "$2$1")
    .replace(/(?<=\d[.,])[oO](?=[oO\d](?!\p{L}))/gu, "0")
    .replace(/(?<=\d[.,]\d)[oO](?!\p{L})/gu, "0")
    .replace(/(?<!\p{L})[oO](?=[.,]\d{2}(?!\d))/gu, "0");
}
