import { cent } from "../../reading/amounts.ts";
import { decimalsOf } from "../../reading/currency.ts";
import { isInColumn, isNearColumn, union } from "../../reading/geometry.ts";
import type { Segment } from "../../reading/segment.ts";
import type { Span } from "../claims.ts";
import type { Context } from "../context.ts";
import { moneySpans } from "../spans.ts";

/** One rate of tax with what it was charged on. */
export interface TaxPart {
  rate: number | null;
  base: number | null;
  tax: number;
}

/** No tax on sales is higher, in per cent: Hungary has 27. */
export const highestRate = 30;

export interface PlacedTax {
  readonly part: TaxPart;
  readonly tax: Span<number>;
  readonly base: Span<number> | undefined;
}

/** Rows or columns in which a printed rate of an amount gives another: the tax of each rate. */
export function findTaxParts(context: Context): PlacedTax[] {
  return context.once("taxes", () => {
    const spans = moneySpans(context);
    const found = new Map<string, PlacedTax>();
    for (const row of context.layout.rows) {
      const rates = row.segments.flatMap((segment) => ratesIn(context, segment));
      if (rates.length === 0) continue;
      const inRow = spans.filter(({ segment }) => segment.row === row.index);
      const hasLabel = row.segments.some((segment) =>
        context.labelsOf(segment).some(({ name, isStrong }) => name === "tax_total" && isStrong),
      );
      for (const rate of rates) {
        const isRateOf = (base: Span<number>, tax: Span<number>): boolean =>
          base !== tax &&
          // What is held back has a rate as well, but is taken off.
          tax.value * base.value > 0 &&
          Math.abs((base.value * rate) / 100 - tax.value) < Math.max(cent, decimalsOf(context.currency) === 0 ? 1 : 0);
        const pair = inRow.flatMap((base) =>
          inRow.filter((tax) => isRateOf(base, tax)).map((tax) => ({ base, tax })),
        )[0];
        const last = inRow.at(-1);
        const far =
          !pair && hasLabel && last && inRow.length === 1 ? spans.find((base) => isRateOf(base, last)) : undefined;
        const key = (tax: Span<number>): string => `${rate}:${tax.value}`;
        if (pair && !isItem(context, pair))
          found.set(key(pair.tax), { part: { rate, base: pair.base.value, tax: pair.tax.value }, ...pair });
        else if (hasLabel && last && inRow.length === 1 && rates.length === 1 && !found.has(key(last)))
          found.set(key(last), {
            part: { rate, base: far?.value ?? null, tax: last.value },
            tax: last,
            base: undefined,
          });
      }
    }
    const parts = [...found.values()];
    const all = sumOf(parts.map(({ part }) => part.tax));
    // Tax that is held back has the other sign.
    return parts.filter(({ part }) => part.tax * all > 0);
  });
}

/** In a row of goods the rate belongs to the goods. */
function isItem(context: Context, { tax }: { tax: Span<number> }): boolean {
  const row = context.layout.rows[tax.segment.row]!;
  const words = row.segments.filter((segment) => /\p{L}{3}/u.test(segment.text));
  return (
    words.length > 0 && words.every((segment) => context.labelsOf(segment).length === 0) && row.segments.length > 4
  );
}

/** The tax by rates, where the page breaks it down. */
export function findTaxBreakdown(context: Context): TaxPart[] {
  return findTaxParts(context).map(({ part }) => part);
}

/** Rates of tax that are printed in a run of text: "21 %", or 21 in a column with the heading "VAT %". */
export function ratesIn(context: Context, segment: Segment): number[] {
  const isUnderPercent = rateColumns(context).has(segment.id);
  return context
    .numbersIn(segment)
    .filter((number) => (number.isPercent || isUnderPercent) && number.value > 0 && number.value <= highestRate)
    .map(({ value }) => value);
}

/** Numbers alone in their place under a heading for a tax in per cent; the sign may stand on a line of its own. */
function rateColumns(context: Context): ReadonlySet<number> {
  return context.once("rate columns", () => {
    const { rows, segments } = context.layout;
    const saysTax = (segment: Segment): boolean => context.labelsOf(segment).some(({ name }) => name === "tax_total");
    const isOver = (one: Segment, sign: Segment): boolean =>
      one.page === sign.page && isNearColumn(Math.max(one.box[0] - sign.box[2], sign.box[0] - one.box[2]));
    const headings = segments
      .filter(({ text }) => /(?<!\d ?)%/.test(text))
      .flatMap((sign) => {
        if (saysTax(sign)) return [sign];
        const above = rows.slice(Math.max(0, sign.row - 2), sign.row).flatMap((row) => row.segments);
        const tax = above.find((one) => isOver(one, sign) && saysTax(one));
        return tax ? [{ ...sign, box: union(tax.box, sign.box) }] : [];
      });
    const under = new Map<number, Segment[]>();
    for (const segment of segments)
      if (/^\d{1,2}([.,]\d{1,2})?$/.test(segment.text))
        under.set(segment.page, [...(under.get(segment.page) ?? []), segment]);
    return new Set(
      headings.flatMap(({ page, row, box }) =>
        (under.get(page) ?? []).filter((one) => one.row > row && isInColumn(one.box, box)).map(({ id }) => id),
      ),
    );
  });
}

export function sumOf(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) * 100) / 100;
}
