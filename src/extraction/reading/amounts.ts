import { currencyCodes } from "./currency.ts";

/** How a document writes numbers. */
export type DecimalMark = "." | ",";

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

const currencySigns = "€$£¥₹₽₺₩₪฿₦₱₫₴₵";
const currencyWords = `${currencyCodes.join("|")}|USD|RM|R$|S$|US$|A$|C$|HK$|Fr.|SFr.?|kr|z[łlt]|Kč|Ft|lei|TL|Rs.?|R|[Ee]uros?|F ?CFA|CFA|K[Ss]h.?|GH[₵¢]|Rp.?|лв.?`;
/** Blanks group thousands only where commas mark decimals: elsewhere "2 100.00" is a quantity and a price. "9 900,00" can be nothing else. */
const numberPatterns: Record<DecimalMark, RegExp> = { ",": makePattern(" '’.,"), ".": makePattern("'’.,") };

function makePattern(groupMarks: string): RegExp {
  // India groups by two above the thousands: 1,31,370.00.
  const number = `\\d{1,2}(?:,\\d{2})+,\\d{3}(?:\\.\\d{1,2})?(?!\\d)|\\d{1,3}(?: \\d{3})+,\\d{2}(?!\\d)|\\d{1,3}(?:[${groupMarks}]\\d{3})+(?:[.,]\\d{1,4})?(?!\\d)|\\d+(?:[.,]\\d{1,6})?(?!\\d)`;
  return new RegExp(
    `(?<![\\p{L}\\d/.,-]|\\d:)(?<open>\\()?(?<sign>[-–−+])?\\s?(?<before>[${currencySigns}]|(?:${currencyWords})(?![\\p{L}]))?\\s?(?<sign2>[-–−])?(?<number>${number})(?<back>-(?!\\d))?\\s?(?<after>[${currencySigns}%]|(?:${currencyWords})(?![\\p{L}\\d]))?(?<close>\\))?`,
    "gu",
  );
}

/** All numbers of a text, read with the document's decimal mark. */
export function findNumbers(given: string, mark: DecimalMark): FoundNumber[] {
  const found: FoundNumber[] = [];
  if (!/\d/.test(given)) return found;
  const text = repairNumbers(given);
  for (const match of text.matchAll(numberPatterns[mark])) {
    const groups = match.groups as Record<string, string | undefined>;
    const end = match.index + match[0].trimEnd().length;
    const next = text[match.index + match[0].length];
    // Parts of dates, codes and telephone numbers are not amounts.
    if (next && /[\p{L}\d]/u.test(next) && !groups.after && !/^\s/.test(text.slice(end, end + 1))) {
      if (!/^(x|st|stk|pcs|pc|h|kg|l|m|km|kwh|hrs?|u|un|ud|uds)\b/i.test(text.slice(end))) continue;
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
      decimals: parsed.decimals,
      from: match.index + (match[0].length - match[0].trimStart().length),
      to: end,
      hasCurrency: Boolean(groups.before || (groups.after && groups.after !== "%")),
      isPercent: groups.after === "%",
    });
  }
  return found;
}

/** Reads one written number; undefined when its marks make no sense. */
export function parseNumber(raw: string, mark: DecimalMark): { value: number; decimals: number } | undefined {
  const compact = raw.replace(/[ '’\u00a0]/g, "");
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
  const lost = new RegExp(`^(\\d{1,3})[${mark === "," ? "." : ","}](\\d{3})(\\d{2})$`).exec(compact);
  if (lost) return { value: Number(`${lost[1]}${lost[2]}.${lost[3]}`), decimals: 2 };
  const whole = (decimalAt < 0 ? compact : compact.slice(0, decimalAt)).replace(/[.,]/g, "");
  const fraction = decimalAt < 0 ? "" : compact.slice(decimalAt + 1);
  if (!/^\d+$/.test(whole) || whole.length > 12) return undefined;
  return { value: Number(fraction ? `${whole}.${fraction}` : whole), decimals: fraction.length };
}

const wholeAmounts = new RegExp(
  `(?<![\\d.,/])\\d{1,3}(?:([., ])\\d{3})+ ?(?:[${currencySigns}]|(?:${currencyWords})(?!\\p{L}))|(?:[${currencySigns}]|(?<!\\p{L})(?:${currencyWords})) ?\\d{1,3}(?:([., ])\\d{3})+(?![\\d.,])`,
  "gu",
);

/** Votes on the document's decimal mark: amounts with two decimals, and where these are at odds all numbers with decimals. */
export function voteDecimalMark(text: string): DecimalMark {
  const votes = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((sum, match) => sum + ((match[1] ?? match[2]) === "," ? 1 : -1), 0);
  const commas =
    votes(/(?<![\d.,/])\d{1,3}(?:[., '’]\d{3})*([.,])\d{2}(?![\d.,/]|\s?[/.-]\s?\d)/g) ||
    votes(/(?<![\d.,/])\d+([.,])(?:\d{1,2}|\d{4})(?![\d.,/])/g) ||
    // Whole amounts: what groups their thousands is not the mark of decimals, and blanks group where that is the comma.
    -votes(wholeAmounts) ||
    votes(/(?<![\d.,/])\d+([.,])\d{3}(?![\d.,/])/g);
  return commas > 0 ? "," : ".";
}

/** Undoes what recognition does to numbers, without moving anything: blanks around the mark, letters for digits. */
function repairNumbers(text: string): string {
  return text
    .replace(/(?<=\d)( )([.,]\d{2})(?![\d.,])/g, "$2$1")
    .replace(/(?<=\d[.,])( )(\d{2})(?=\s*$)/g, "$2$1")
    .replace(/(?<=\d[.,])[oO](?=[oO\d](?!\p{L}))/gu, "0")
    .replace(/(?<=\d[.,]\d)[oO](?!\p{L})/gu, "0")
    .replace(/(?<!\p{L})[oO](?=[.,]\d{2}(?!\d))/gu, "0");
}
