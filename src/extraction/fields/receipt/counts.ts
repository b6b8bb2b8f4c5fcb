import { cent } from "../../reading/amounts.ts";
import type { Row } from "../../reading/layout.ts";
import type { Context } from "../context.ts";
import type { LineItem } from "../line-items.ts";

/** "2 x 3.20": how many of what price, and the words that say so. */
export interface Times {
  readonly quantity: number;
  readonly price: number;
  readonly words: string;
}

interface Counted {
  readonly item: LineItem;
  readonly isChecked: boolean;
}

const count = "\\d+(?:[.,]\\d{1,3})?";
const price = "(?:\\d{1,3}(?: \\d{3})+(?:[.,](?:\\d\\d|-+))?|(?:\\d|[.,]\\d\\d)[\\d.,']*)(?!\\d|\\p{L}\\d)";
const currency = "(?:\\p{Sc}|\\p{L}{1,3}[.$]?)";
const unit = "\\p{L}{1,4}(?!\\p{L})\\.?";
/** Runs of text are joined by two blanks: one alone may group thousands. */
const gap = "\\s{0,2}";
const forms = [
  // "2 x 3.20", "2.49 x 3", "38.42 L @ £1.449", "2 Stk. à 1,29", "0.612 kg NET @ 3.90".
  `(?:(?<![\\p{L}\\d%])|(?<=\\s)[x×])(?<one>${count})${gap}(?<unit>${unit}(?:\\sNET)?\\s?)?(?:[x×х@*]|(?<=\\s)[àáa](?=\\s))${gap}(?:${currency}\\s?)?(?<other>${price})`,
  // "2 KPL 1,49 €/KPL", "37,50 l 1,725 EUR/l".
  `(?<![\\p{L}\\d%])(?<one>${count})\\s?(?<unit>\\p{L}{1,4})\\.?\\s{1,2}(?<other>${price})(?=\\s?${currency}?\\s?/\\s?\\k<unit>(?!\\p{L}))`,
].map((form) => new RegExp(form, "iu"));
/** What stands behind a price and belongs to it: "€/KPL", "Ft/db", "Kr", "each". */
const behind = new RegExp(
  `^(?:\\s?${currency}?\\s?/\\s?${unit}|\\s?\\p{Sc}|\\s(?:each|ea)(?!\\p{L}))?(?:\\s?=)?`,
  "iu",
);

/** The count of a row; the amount at its end, where it has one, tells sizes from counts. */
export function findTimes(context: Context, { segments }: Row, amount: number | undefined): Times | undefined {
  const text = segments.map((segment) => segment.text).join("  ");
  const found = forms.map((form) => form.exec(text)).find(Boolean);
  if (!found) return undefined;
  const { one, other, unit } = found.groups as { one: string; other: string; unit?: string };
  const start = found.index + found[0].length - other.length;
  // "1 250 Ft": the currency belongs to the price.
  const priced = context.numbersOf(text.slice(start)).find(({ from }) => from === 0);
  const end = start + Math.max(other.length, priced?.hasCurrency ? priced.to : 0);
  const words = text.slice(found.index, end) + behind.exec(text.slice(end))![0];
  const isWeighed = unit !== undefined || /^\s?\S{0,3}\s?\//.test(text.slice(end));
  const parts = solveTimes(context, one, other.trim(), isWeighed, amount);
  return parts && { ...parts, words: words.replace(/ {2}/g, " ").trimEnd() };
}

/** Which of two factors counts: "2 x 3.20", "2.49 x 3", and "1.000 x 2,69" of tills that count to a thousandth. */
function solveTimes(
  context: Context,
  first: string,
  second: string,
  isWeighed: boolean,
  amount: number | undefined,
): { quantity: number; price: number } | undefined {
  const [one, other] = [first, second].flatMap((part) => context.numbersOf(part).slice(0, 1));
  if (!one || !other) return undefined;
  // Litres have two decimals and their price three.
  const isTurned = !isWeighed && one.decimals === 2 && (other.decimals === 0 || other.decimals === 3);
  const [quantity, price] = isTurned ? [other.value, one.value] : [one.value, other.value];
  const isRight = (count: number): boolean => amount !== undefined && isWorth({ quantity: count, price }, amount);
  if (isThousandths(quantity) && isRight(quantity / 1000)) return { quantity: quantity / 1000, price };
  // "Screws 4x40" are so long, and no four of them, and "6X1,5L" is in the bottles.
  const isSize = amount !== undefined && !isRight(quantity) && (isTurned ? one : other).decimals !== 2;
  return isSize ? undefined : { quantity, price };
}

/** "2.000 BUC x 6,50" counts to a thousandth, where commas mark decimals. */
export const isThousandths = (quantity: number): boolean => quantity >= 1000 && Number.isInteger(quantity);

/** Whether so many of a price come to an amount; what is weighed is rounded where there are no cents. */
export function isWorth({ quantity, price }: { quantity: number; price: number }, amount: number): boolean {
  const isRounded = Number.isInteger(price) && Number.isInteger(amount) && !Number.isInteger(quantity);
  return Math.abs(quantity * price - amount) < (isRounded ? half : cent);
}

const half = 0.51;

/** "Fries @ 2.00   4.00" says the price of one; "2 Cod   55.00": where every name begins with a small number, that is how many there were. */
export function readCountsInNames(context: Context, items: readonly Counted[]): void {
  for (const { item } of items) takePrice(context, item);
  const parts = items.map(({ item }) =>
    /^(\d{1,2}) (?:\P{L}{1,3} )?(\p{L}.*?)(?:\s*@\s?(\d[\d.,]*))?$/u.exec(item.description ?? ""),
  );
  const counted = parts.filter((part, index) => part || (items[index]!.isChecked && items[index]!.item.quantity !== 1));
  if (items.length < 2 || counted.length * 2 <= items.length) return;
  for (const [index, { item }] of items.entries()) {
    const [, quantity, name, given] = parts[index] ?? [];
    if (name === undefined || item.quantity !== 1) continue;
    item.quantity = Number(quantity);
    // "2 Water 1.85   3.70"
    const each = context.numbersOf(given ?? name).at(-1);
    const isEach = each !== undefined && Math.abs(each.value * item.quantity - (item.total ?? 0)) < cent;
    item.description = isEach && !given ? name.slice(0, each.from).trim() : name;
    item.unit_price = isEach || given ? (each?.value ?? null) : item.quantity === 1 ? item.total : null;
  }
}

function takePrice(context: Context, item: LineItem): void {
  const [, count, name, given] = /^(\d{1,2} )?(\p{L}.*?)\s*@\s?(\p{Sc}?\d[\d.,]*)$/u.exec(item.description ?? "") ?? [];
  const price = given === undefined ? undefined : context.numbersOf(given)[0]?.value;
  if (!price || item.quantity !== 1 || item.total === null) return;
  // How many there were is not worked out where it is not printed.
  const quantity = count ? Number(count) : isWorth({ quantity: 1, price }, item.total) ? 1 : null;
  const fits = isWorth({ quantity: quantity ?? Math.round(item.total / price), price }, item.total);
  if (fits) Object.assign(item, { description: name, quantity, unit_price: price });
}
