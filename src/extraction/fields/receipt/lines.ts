import type { FoundNumber } from "../../reading/amounts.ts";
import { cent, tillRounding } from "../../reading/amounts.ts";
import { union } from "../../reading/geometry.ts";
import type { Label } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import { isNoSum, saysCash, saysChange, startsCash } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { findItemHeaders } from "../item-headers.ts";
import { findLineItems, type LineItem } from "../line-items.ts";
import { candidateIn, type Finding, weigh } from "../pick.ts";
import { claimOf } from "../propose.ts";
import { isLoneWhole, moneySpans, startsWithSum } from "../spans.ts";
import { isAmountRow } from "./amounts.ts";
import { isThousandths, isWorth, readCountsInNames } from "./counts.ts";
import { type IsAmount, type RowParts, readRow } from "./rows.ts";

interface OpenLine {
  readonly item: LineItem;
  readonly row: Row;
  readonly rows: Row[];
  isChecked: boolean;
  /** "You saved -0.50": perhaps taken off, perhaps only told. */
  readonly isSaving: boolean;
}

/** "2 x 3.20" on a row of its own. */
interface Count {
  readonly quantity: number;
  readonly price: number;
  readonly row: Row;
}

/** What was bought: under headings or without any; of two readings the one that comes to a sum on the page, and of two that do the one that counts more. */
export function findReceiptLines(
  context: Context,
  total: number | undefined,
  head: Finding | undefined,
): Finding<LineItem>[] {
  const listed = findItemHeaders(context).length > 0 ? findLineItems(context) : [];
  const headed = listed.map(({ value }) => value);
  const isSum = (lines: readonly OpenLine[]): boolean => comesToSum(context, lines.map(itemOf), total);
  const top = head?.page === 1 ? head.box![3] : 0;
  // "SPAR MARKET 145" over the address is the number of a shop.
  const isNumber = ({ hasCurrency, decimals }: FoundNumber): boolean => !hasCurrency && decimals === 0;
  const rows = context.layout.rows.filter(
    (row) =>
      row.page > 1 ||
      row.top >= top ||
      !row.segments.some(context.hasMoney) ||
      !row.segments.every((segment) => context.numbersIn(segment).every(isNumber)),
  );
  const priced = readSlip(context, rows, context.isMoney, total);
  // Amounts without cents are told from other numbers by what they come to.
  const whole =
    priced.length > 0 ? [] : readSlip(context, rows, (number, { text }) => isLoneWhole(number, text), total);
  const read = priced.length > 0 || isSum(whole) ? [...priced, ...whole] : [];
  // What was saved is told again below the goods, or was taken off there.
  const full = read.filter(({ isSaving }) => !isSaving);
  const slip = isSum(full) || !isSum(read) ? full : read;
  const addsUp = isSum(slip);
  const counted = (items: readonly LineItem[]): number =>
    items.filter(({ quantity, description }) => quantity !== null && description !== null).length;
  const isListed = comesToSum(context, headed, total)
    ? !addsUp || counted(headed) >= counted(slip.map(itemOf))
    : !addsUp;
  if (listed.length > 0 && isListed) return listed;
  return slip.map(({ item, row, rows, isChecked }) => {
    const same = isChecked ? undefined : headed.find((one) => one.total === item.total && one.quantity !== null);
    return weigh(
      "lines",
      candidateIn(
        { ...item, ...(same ? { quantity: same.quantity, unit_price: same.unit_price } : {}) },
        row.segments[0]!,
        rows.flatMap((one) => one.segments.map((segment) => segment.box)).reduce(union),
        { checked: isChecked || addsUp, failed: total !== undefined && !addsUp },
      ),
    );
  });
}

const itemOf = ({ item }: OpenLine): LineItem => item;

const sumOf = (items: readonly LineItem[]): number => items.reduce((all, { total }) => all + (total ?? 0), 0);

/** Whether the items add up to the total, or to a sum before taxes and tips. */
function comesToSum(context: Context, items: readonly LineItem[], total: number | undefined): boolean {
  const sums = moneySpans(context).filter((span) => claimOf(span, ["net_total", "grand_total", "amount_due"]));
  return [total, ...sums.map(({ value }) => value)].some(
    (value) => value !== undefined && value !== 0 && Math.abs(sumOf(items) - value) < tillRounding,
  );
}

/** Between the head of a slip and its total: a name with an amount at the end of its row, and the quantity beside or below it. */
function readSlip(context: Context, rows: readonly Row[], isAmount: IsAmount, total: number | undefined): OpenLine[] {
  const items: OpenLine[] = [];
  let name: { text: string; row: Row; quantity: number | undefined; last: number } | undefined;
  let count: Count | undefined;
  let isAfterSum = false;
  const hasAmount = ({ segments }: Row): boolean =>
    segments.some((segment) => context.numbersIn(segment).some((number) => isAmount(number, segment)));
  const firstSum = rows.find((row) => isSumRow(context, row) && hasAmount(row))?.index ?? 0;
  for (const row of rows) {
    if (isAfterSum && isTip(context, row)) continue;
    // "Diesel" over "38.42 L @ 1.449" over "Fuel: 55.67".
    const worth = name && count?.row.index === row.index - 1 ? count.quantity * count.price : Number.NaN;
    const parts = readRow(context, row, isAmount, worth);
    const isCounted = Math.abs((parts?.amount ?? Number.NaN) - worth) < cent;
    const isSaving = isNoSum(row.text);
    const isOff = (parts?.amount ?? 0) < 0 && !isAfterSum && !isSumRow(context, row);
    if (!isOff && !isCounted && !isPriced(parts) && endsItems(context, row, isAmount, row.index < firstSum)) {
      isAfterSum ||= isSumRow(context, row);
      // What was saved on a thing stands below it.
      if (items.length > 0 && !isSaving) break;
      name = undefined;
      continue;
    }
    if (!parts) {
      name = undefined;
      continue;
    }
    const { amount } = parts;
    // "EUR 412.50" on the slip of a card.
    if (items.length === 0 && amount !== undefined && amount === total && isAmountRow(row)) continue;
    const text = isCounted ? "" : parts.text;
    const price = isCounted ? count!.price : parts.price;
    // Whatever it is called, what all before it come to is their sum.
    const isSum = amount !== undefined && amount === total && Math.abs(sumOf(items.map(itemOf)) - amount) < cent;
    if (isSum && items.length > 1) break;
    const isUnder = name !== undefined && row.index - name.last === 1;
    const quantity = isCounted
      ? count!.quantity
      : (parts.quantity ?? (text === "" && isUnder ? name!.quantity : undefined));
    if (amount === undefined && text === "" && quantity !== undefined && price !== undefined) {
      // It counts what stands over it, or else what comes next.
      count = { quantity, price, row };
      if (takeCount(items.at(-1), count)) count = undefined;
      else if (name && isUnder) name.last = row.index;
      continue;
    }
    if (amount === undefined) {
      // Numbers between a name and its amount are its codes.
      if (name && isUnder && !/\p{L}{3}/u.test(row.text)) name.last = row.index;
      else name = text !== "" && !isSumAlone(context, row) ? { text, row, quantity, last: row.index } : undefined;
      continue;
    }
    const isChecked = quantity !== undefined && price !== undefined && isWorth({ quantity, price }, amount);
    const above = items.at(-1)?.row;
    // "0.71 lbs @ 0.79 TW 0.01" and "5 FOR 0.99" say more of what stands over them.
    const isRemark = /^\W*\d/.test(row.text) && ((price !== undefined && !isChecked) || /\d\s?for\s/i.test(row.text));
    if (isRemark && above && row.index - above.index === 1) continue;
    // "Red wine 0.75" over "2 x 3.20   6.40" is a name as well.
    if (isChecked && text === "" && !isUnder && above && row.index - above.index === 1) {
      items.pop();
      name = { text: above.text, row: above, quantity: undefined, last: above.index };
    }
    // "Coffee" over "2 x 3.20   6.40".
    const isNamed = text === "" && name !== undefined && row.index - name.last === 1;
    const description = isNamed ? name!.text : text;
    if (description === "") continue;
    items.push({
      item: {
        description,
        quantity: quantity ?? 1,
        unit_price: price ?? (quantity === undefined ? amount : null),
        total: amount,
      },
      row,
      rows: isNamed ? [name!.row, row] : [row],
      isChecked,
      isSaving,
    });
    name = undefined;
    takeCount(items.at(-1), count);
    count = undefined;
  }
  readCountsInNames(context, items);
  return items;
}

function takeCount(line: OpenLine | undefined, count: Count | undefined): boolean {
  if (!line || !count || line.isChecked) return false;
  const { price } = count;
  const quantities = isThousandths(count.quantity) ? [count.quantity / 1000, count.quantity] : [count.quantity];
  const quantity = quantities.find((one) => isWorth({ quantity: one, price }, line.item.total ?? 0));
  if (quantity === undefined) return false;
  line.item.quantity = quantity;
  line.item.unit_price = count.price;
  line.rows.push(count.row);
  line.isChecked = true;
  return true;
}

/** "Qty 2 @ 6.50 each   13.00" is no count of all goods. */
function isPriced(parts: RowParts | undefined): boolean {
  const { quantity, price, amount } = parts ?? {};
  return (
    amount !== undefined &&
    quantity !== undefined &&
    quantity !== 1 &&
    price !== undefined &&
    isWorth({ quantity, price }, amount)
  );
}

/** Sums, payments, taxes: what is said about the goods as a whole. */
function endsItems(context: Context, row: Row, isAmount: IsAmount, isOverSum: boolean): boolean {
  const { text, segments } = row;
  // "CHOC BAR" over the sum is no payment in cash.
  const isPayment = isOverSum ? startsCash(text) : saysCash(text) || saysChange(text);
  return (
    segments.some((segment) => context.numbersIn(segment).some((number) => isAmount(number, segment))) &&
    (isSumRow(context, row) || isPayment || isNoSum(text))
  );
}

function isSumRow(context: Context, { segments }: Row): boolean {
  const lead = segments.find(({ text }) => /[\p{L}\d]/u.test(text)) ?? segments[0]!;
  return startsWithSum(context, lead) || context.labelsOf(lead).some(endsInSum);
}

/** Without an amount only the word alone speaks of a sum: "PST-014 Brake pads" are goods. */
function isSumAlone(context: Context, { segments }: Row): boolean {
  return startsWithSum(context, segments[0]!) && context.labelsOf(segments[0]!).some(({ isAlone }) => isAlone);
}

/** "FUEL TOTAL", "06:33 PM Total" */
function endsInSum({ name, segment, to, length }: Label): boolean {
  return name === "grand_total" && length >= 4 && /^\W*$/.test(segment.text.slice(to));
}

function isTip(context: Context, { segments }: Row): boolean {
  return context.labelsOf(segments[0]!).some(({ name, from }) => name === "surcharge" && from <= 2);
}
