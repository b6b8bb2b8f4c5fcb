import type { FoundNumber } from "../../reading/amounts.ts";
import { cent, tillRounding } from "../../reading/amounts.ts";
import { union } from "../../reading/geometry.ts";
import type { Row, Segment } from "../../reading/layout.ts";
import { hasContactWord, isNoSum, saysCash, saysChange } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { findItemHeaders } from "../item-headers.ts";
import { findLineItems, type LineItem } from "../line-items.ts";
import { candidateIn, type Finding, weigh } from "../pick.ts";
import { startsWithSum } from "../spans.ts";

interface OpenLine {
  readonly item: LineItem;
  readonly row: Row;
  readonly rows: Row[];
  isChecked: boolean;
}

/** "2 x 3.20" on a row of its own. */
interface Count {
  readonly quantity: number;
  readonly price: number;
  readonly row: Row;
}

/** What was bought, between the head of a slip and its total: a name with an amount at the end of its row, and the quantity beside or below it. */
export function findReceiptLines(context: Context, total: number | undefined): Finding<LineItem>[] {
  if (findItemHeaders(context).length > 0) {
    const listed = findLineItems(context);
    if (listed.length > 0) return listed;
  }
  const items: OpenLine[] = [];
  let name: { text: string; row: Row; quantity: number | undefined } | undefined;
  let count: Count | undefined;
  for (const row of context.layout.rows) {
    if (endsItems(context, row)) {
      if (items.length > 0) break;
      name = undefined;
      continue;
    }
    const parts = readRow(context, row);
    if (!parts) {
      name = undefined;
      continue;
    }
    const { text, price, amount } = parts;
    const isUnderName = parts.text === "" && name !== undefined && row.index - name.row.index === 1;
    const quantity = parts.quantity ?? (isUnderName ? name!.quantity : undefined);
    if (amount === undefined && text === "" && quantity !== undefined && price !== undefined) {
      // It counts what stands over it, or else what comes next.
      count = { quantity, price, row };
      if (takeCount(items.at(-1), count)) count = undefined;
      continue;
    }
    if (amount === undefined) {
      name = text !== "" && !isSumRow(context, row) ? { text, row, quantity } : undefined;
      continue;
    }
    // "Coffee" over "2 x 3.20   6.40".
    const description = text !== "" ? text : isUnderName ? name!.text : undefined;
    if (description === undefined) continue;
    const isChecked = quantity !== undefined && price !== undefined && Math.abs(quantity * price - amount) < cent;
    const rows = text === "" && name ? [name.row, row] : [row];
    items.push({
      item: {
        description,
        quantity: quantity ?? 1,
        unit_price: price ?? (quantity === undefined ? amount : null),
        total: amount,
      },
      row,
      rows,
      isChecked,
    });
    name = undefined;
    takeCount(items.at(-1), count);
    count = undefined;
  }
  readLeadingQuantities(context, items);
  const sum = Math.round(items.reduce((all, { item }) => all + (item.total ?? 0), 0) * 100) / 100;
  const addsUp = total !== undefined && Math.abs(sum - total) < tillRounding;
  return items.map(({ item, row, rows, isChecked }) =>
    weigh(
      "lines",
      candidateIn(
        item,
        row.segments[0]!,
        rows.flatMap((one) => one.segments.map((segment) => segment.box)).reduce(union),
        {
          checked: isChecked || addsUp,
          failed: total !== undefined && !addsUp,
        },
      ),
    ),
  );
}

function takeCount(line: OpenLine | undefined, count: Count | undefined): boolean {
  if (!line || !count || line.isChecked) return false;
  if (Math.abs(count.quantity * count.price - (line.item.total ?? 0)) >= cent) return false;
  line.item.quantity = count.quantity;
  line.item.unit_price = count.price;
  line.rows.push(count.row);
  line.isChecked = true;
  return true;
}

/** "2 Cod @27.50   55.00": where every name begins with a small number, that is how many there were. */
function readLeadingQuantities(context: Context, items: readonly OpenLine[]): void {
  const parts = items.map(({ item }) => /^(\d{1,2}) (\p{L}.*?)(?:\s*@\s?(\d[\d.,]*))?$/u.exec(item.description ?? ""));
  if (items.length < 2 || parts.includes(null)) return;
  for (const [index, { item }] of items.entries()) {
    const [, quantity, name, price] = parts[index]!;
    item.quantity = Number(quantity);
    item.description = name!;
    item.unit_price = price ? (context.numbersOf(price)[0]?.value ?? null) : item.quantity === 1 ? item.total : null;
  }
}

/** Sums, payments, taxes: what is said about the goods as a whole. */
function endsItems(context: Context, row: Row): boolean {
  const { text, segments } = row;
  return (
    segments.some(context.hasMoney) && (isSumRow(context, row) || saysCash(text) || saysChange(text) || isNoSum(text))
  );
}

function isSumRow(context: Context, { segments }: Row): boolean {
  return startsWithSum(context, segments[0]!);
}

/** "2 x 3.20", "38.42 L @ £1.449". */
const timesPrice =
  /(?<![\p{L}\d])(\d+(?:[.,]\d{1,3})?)\s?(?:\p{L}{1,3}\.?\s)?(?:x|×|@|\*)\s?(?:\p{Sc}\s?)?(\d[\d.,' ]*)(?:\/\p{L}{1,2}(?!\p{L}))?/iu;

function readRow(
  context: Context,
  row: Row,
): { text: string; quantity?: number; price?: number; amount?: number } | undefined {
  const numbers = row.segments.flatMap((segment) => context.numbersIn(segment).map((number) => ({ segment, number })));
  const { text } = row;
  // What a colon stands behind is no name: "Tips: EUR 8.60".
  if (hasContactWord(text) || /\d{1,2}:\d{2}|\p{L}\)?\s?:\s?(?:\p{L}{3}\s)?\P{L}*$/u.test(text)) return undefined;
  const last = numbers.at(-1);
  const product = timesPrice.exec(text);
  const prices = product ? context.numbersOf(product[2]!.trim()) : [];
  const endsInPrice = prices.length === 1 && text.trimEnd().endsWith(product![0].trimEnd());
  const isAtEnd =
    last &&
    !endsInPrice &&
    context.isMoney(last.number) &&
    row.segments.at(-1) === last.segment &&
    /^\W*(?:\p{Lu}{1,2}\W*)?$/u.test(last.segment.text.slice(last.number.to));
  const amount = isAtEnd ? last.number.value : undefined;
  // "Screws 4x40" are so long, and no four of them.
  const isSize = amount !== undefined && product !== null && /^\d+[xX×]\d+(?![.,]?\d)/.test(product[0]);
  const times = isSize ? null : product;
  const count = times ?? countOf(context, row, isAtEnd ? last.segment : undefined);
  const quantity = count ? context.numbersOf(count[1]!)[0]?.value : undefined;
  const price = times ? prices[0]?.value : undefined;
  const words = cutAway(text, count?.[0], isAtEnd ? last.number : undefined, last?.segment.text);
  if (amount === undefined && words === "" && price === undefined) return undefined;
  return {
    text: /\p{L}{2}/u.test(words) ? words : "",
    ...(quantity !== undefined ? { quantity } : {}),
    ...(price !== undefined ? { price } : {}),
    ...(amount !== undefined ? { amount } : {}),
  };
}

/** "Americano (2x)", "3 x Tea" or a small number in a place of its own before the amount: how many there were. */
function countOf(
  { numbersIn }: Context,
  { text, segments }: Row,
  amount: Segment | undefined,
): readonly string[] | null {
  const beside = amount && segments[segments.indexOf(amount) - 1];
  const isAlone = beside && segments.length > 2 && /^\d{1,2}$/.test(beside.text) && numbersIn(beside).length === 1;
  if (isAlone) return [beside.text, beside.text];
  return /^(\d{1,3})\s?[x×]\s/i.exec(text) ?? /\((\d{1,3})\s?[x×]\)/i.exec(text);
}

/** The name without "2 x 3.20" and without the amount at the end. */
function cutAway(
  text: string,
  times: string | undefined,
  amount: FoundNumber | undefined,
  lastText: string | undefined,
): string {
  let words = text;
  if (amount && lastText !== undefined) words = words.slice(0, words.length - lastText.length + amount.from);
  const at = times ? words.lastIndexOf(times) : -1;
  if (at >= 0) words = `${words.slice(0, at)} ${words.slice(at + times!.length)}`;
  return words.replace(/\s+/g, " ").replace(/^[\s*#.-]+|[\s*:.-]+$/g, "");
}
