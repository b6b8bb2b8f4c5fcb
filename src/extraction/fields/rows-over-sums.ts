import { cent } from "../reading/amounts.ts";
import { endAlike } from "../reading/geometry.ts";
import type { Row } from "../reading/layout.ts";
import type { Context } from "./context.ts";
import { type CellRow, cutRow, type NumberCell } from "./item-rows.ts";
import { claimOf } from "./propose.ts";
import { moneySpans, startsWithSum } from "./spans.ts";

/** More taxes than a list has rates are those of its items. */
const mostTaxes = 20;
/** What a list of goods may add up to: the sums of the document by their labels. */
const sumNames = ["net_total", "grand_total", "amount_due"];

/** A total of a list with its row. */
export interface ListedTotal {
  readonly cells: CellRow;
  readonly total: NumberCell;
}

/** Whether amounts add up to a printed sum, or to one without a printed tax. */
export function isPrintedSum(context: Context, amounts: readonly number[]): boolean {
  const sums = context.once("printed sums", () => {
    const valuesOf = (names: readonly string[]): number[] =>
      moneySpans(context).flatMap((span) => (span.value !== 0 && claimOf(span, names) ? [span.value] : []));
    const taxes = [0, ...valuesOf(["tax_total"]).slice(0, mostTaxes)];
    return valuesOf(sumNames).flatMap((sum) => taxes.map((tax) => sum - tax));
  });
  const all = amounts.reduce((sum, value) => sum + value, 0);
  return amounts.length > 0 && sums.some((sum) => Math.abs(sum - all) < cent);
}

/** A list without headings that are known: rows right over the sums whose last amounts, one under the other, add up to one of these. */
export function findRowsOverSums(context: Context): ListedTotal[] {
  const { rows } = context.layout;
  let tried = 0;
  for (let index = 1; index < rows.length && tried < mostEnds; index++) {
    if (!isSum(context, rows[index]!) || isSum(context, rows[index - 1]!)) continue;
    tried++;
    const found = rowsOver(context, rows[index]!);
    if (found.length >= fewest) return found;
  }
  return [];
}

/** A document of nothing but sums must not make the search slow. */
const mostEnds = 20;
const mostRows = 300;

function rowsOver(context: Context, end: Row): ListedTotal[] {
  const found: ListedTotal[] = [];
  let proven = 0;
  for (const row of context.layout.rows.slice(Math.max(0, end.index - mostRows), end.index).reverse()) {
    if (row.page !== end.page) break;
    const cells = cutRow(context, row);
    const total = cells.numbers.at(-1);
    if (!total || !cells.numbers.some(({ number }) => context.isMoney(number))) continue;
    const isUnder = found.every((other) => endAlike(other.total.box, total.box));
    if (
      !context.isMoney(total.number) ||
      !isUnder ||
      cells.texts.length === 0 ||
      (isSum(context, row) && !isTax(context, row))
    )
      break;
    found.push({ cells, total });
    const amounts = found.map((one) => one.total.number.value);
    if (isPrintedSum(context, amounts)) proven = found.length;
  }
  return found.slice(0, proven).reverse();
}

/** One amount is a sum by itself. */
const fewest = 2;

/** Sums, and what is added to them or taken off. */
function isSum(context: Context, { segments }: Row): boolean {
  const isNamed = segments.some(
    (segment, index) =>
      (index === 0 && startsWithSum(context, segment)) ||
      context.labelsOf(segment).some(({ name, from, isStrong }) => isStrong && from <= 3 && besides.has(name)),
  );
  return isNamed && segments.some(context.hasMoney);
}

/** "Tax on electricity" amid what is charged is one of the charges, if they add up with it. */
function isTax({ labelsOf }: Context, { segments: [first] }: Row): boolean {
  const labels = first ? labelsOf(first) : [];
  return labels.length > 0 && labels.every(({ name }) => name === "tax_total");
}

const besides = new Set(["discount", "shipping", "prepaid", "rounding", "surcharge", "carried"]);
