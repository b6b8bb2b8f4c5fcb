import type { FoundNumber } from "../../reading/amounts.ts";
import { cent } from "../../reading/amounts.ts";
import type { Row } from "../../reading/layout.ts";
import type { Segment } from "../../reading/segment.ts";
import { hasContactWord, isOnlyUnits } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { cutRow, isProduct, solveRow } from "../item-rows.ts";
import { findTimes } from "./counts.ts";

/** Which numbers are amounts: those with cents, or whole ones alone in their place. */
export type IsAmount = (number: FoundNumber, segment: Segment) => boolean;

const titles = /^(?:title\.receipt|invoice_number)$/;

/** What a row of goods says: its name, how many, the price of one and the amount. */
export type RowParts = { text: string } & Partial<Record<"quantity" | "price" | "amount", number | undefined>>;

export function readRow(context: Context, row: Row, isAmount: IsAmount, worth: number): RowParts | undefined {
  const numbers = row.segments.flatMap((segment) => context.numbersIn(segment).map((number) => ({ segment, number })));
  const { text } = row;
  // "Boleta N° 10482" is the number of the slip.
  const isTitle = context
    .labelsOf(row.segments[0]!)
    .some((one) => one.isStrong && one.from <= 2 && titles.test(one.name));
  if (isTitle || hasContactWord(text) || /\d{1,2}:\d{2}/.test(text)) return undefined;
  const times0 = findTimes(context, row, undefined);
  const endsInPrice = times0 && text.trimEnd().endsWith(times0.words);
  const last = numbers.findLast(
    ({ number, segment }) => isAmount(number, segment) && endsRow(context, row, number, segment),
  );
  const total = endsInPrice ? undefined : last;
  const amount = total?.number.value;
  const times = findTimes(context, row, amount);
  const isChecked = Math.abs((times ? times.quantity * times.price : worth) - (amount ?? 0)) < cent;
  // What a colon stands behind is no name: "Tips: EUR 8.60". What is taken off may be called so.
  const isPair = /\p{L}\)?\s?:\s?(?:\p{L}{3}\s)?\P{L}*$/u.test(text);
  if (isPair && !isChecked && !(amount !== undefined && amount < 0)) return undefined;
  const solved =
    times || !total
      ? undefined
      : solveRow(context, cutRow(context, row).numbers).find(
          (one) => one.total.number === total.number && (isProduct(one) || one.price.number.value === amount),
        );
  const count = times || solved ? undefined : countOf(context, row, total?.segment);
  const tail = [solved?.quantity, solved?.price, total].flatMap((cell) => (cell ? [startOf(row, cell)] : []));
  const lead = tail.length > 1 ? tail.findIndex((at) => at <= 1) : -1;
  const cut = lead < 0 ? (times?.words ?? count?.[0]) : /^\W*[\d.,]+\s?(?:[x×]\s)?/i.exec(text)?.[0];
  const words = cutAway(
    text,
    cut,
    tail.length > 0 ? Math.min(...tail.filter((_, index) => index !== lead)) : undefined,
  );
  const price = times?.price ?? solved?.price.number.value;
  if (amount === undefined && words === "" && price === undefined) return undefined;
  return {
    text: isName(words) ? words : "",
    quantity:
      times?.quantity ?? solved?.quantity.number.value ?? (count ? context.numbersOf(count[1]!)[0]?.value : undefined),
    price,
    amount,
  };
}

/** "95E10" is a fuel, "R$ 54.90 un" says what one costs, and not what it is. */
function isName(text: string): boolean {
  return (/\p{L}{2}/u.test(text) && !isOnlyUnits(text)) || /\d[^\P{L}x]\d/iu.test(text);
}

/** "Americano (2x)", "3 x Tea", "x2 Tea", "Tea x3" or a small number in a place of its own before the amount: how many there were. */
function countOf(
  { numbersIn }: Context,
  { text, segments }: Row,
  amount: Segment | undefined,
): readonly [string, string] | undefined {
  const beside = amount && segments[segments.indexOf(amount) - 1];
  const isAlone =
    beside &&
    segments.length > 2 &&
    /^\d{1,2}$/.test(beside.text) &&
    numbersIn(beside).length === 1 &&
    isWholeCents((numbersIn(amount).at(-1)?.value ?? 0) / Number(beside.text));
  if (isAlone) return [beside.text, beside.text];
  const ahead = /^(\d{1,3})\s?[x×]\s|^[x×]\s?(\d{1,3})\s|\((\d{1,3})\s?[x×]\)|\([x×]\s?(\d{1,3})\)/i.exec(text);
  const found = ahead ?? (amount ? / [x×] ?(\d{1,3})(?=(?: |\p{Sc})\S*\d[.,]?\d*\S*$)/iu.exec(text) : null);
  return found ? [found[0], found.slice(1).find(Boolean)!] : undefined;
}

/** An 8 was the B of a tax where that many would have cost a part of a cent each. */
function isWholeCents(price: number): boolean {
  return Math.abs(price * 100 - Math.round(price * 100)) < 1e-6;
}

/** Where in its row a number begins. */
function startOf({ segments }: Row, { segment, number }: { segment: Segment; number: FoundNumber }): number {
  const before = segments.slice(0, segments.indexOf(segment)).map(({ text }) => text.length + 1);
  return before.reduce((sum, length) => sum + length, number.from);
}

/** Whether an amount is the last of its row, but for the class of its tax: "9.99 A", "-9.00 GN", "2,10 1". */
function endsRow(context: Context, row: Row, number: FoundNumber, segment: Segment): boolean {
  const rest = row.text.slice(startOf(row, { segment, number }) + number.to - number.from);
  const words = segment.text.slice(0, number.from);
  // "Extra cheese (1.50)" says what is in the price already; "Riesling 0.75 l" was perhaps read with a one.
  if (/\p{L}/u.test(words) && segment.text[number.from] === "(") return false;
  return (
    /^\W*(?:\p{Lu}[\p{Lu}\d]{0,2}\W*)?$/u.test(rest) ||
    // "980" and "Ft" in runs of their own.
    (/^\s\p{L}{1,3}\.?$/u.test(rest) && context.numbersOf(`1${rest}`)[0]?.hasCurrency === true) ||
    (number.decimals === 2 && /^\s+\d$/.test(rest) && !/\p{L}{2}/u.test(words))
  );
}

/** The name without "2 x 3.20" and without the amounts behind it. */
function cutAway(text: string, times: string | undefined, end: number | undefined): string {
  let words = text.slice(0, end);
  const at = times ? words.lastIndexOf(times) : -1;
  if (at >= 0) words = `${words.slice(0, at)} ${words.slice(at + times!.length)}`;
  return words
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\(\s*\)|(?:\s(?:a|à|je|@|á|x|×|each:?))+$/giu, "")
    .replace(/^[\s*#.+-]+|[\s*:.\p{Sc}-]+$/gu, "");
}
