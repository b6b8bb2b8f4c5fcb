import { cent, tillRounding } from "../../reading/amounts.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import { columnIndex, saysCash, saysChange } from "../../reading/words.ts";
import type { Span } from "../claims.ts";
import type { Context } from "../context.ts";
import { findTaxBreakdown, highestRate, type TaxPart } from "../invoice/taxes.ts";
import { proposeAmounts } from "../invoice/totals.ts";
import { type Candidate, type Finding, pick } from "../pick.ts";
import { claimOf } from "../propose.ts";
import { moneySpans } from "../spans.ts";

const sumNames = ["grand_total", "amount_due"];

/** What was paid and the tax in it: by their labels, and by cash minus change. */
export function findReceiptAmounts(context: Context): { fields: Record<string, Finding>; taxes: TaxPart[] } {
  const spans = moneySpans(context);
  if (spans.length === 0) return { fields: {}, taxes: [] };
  const cash = spans.filter((span) => saysCash(wordsBefore(context, span)) && isLastOfRow(spans, span));
  const change = spans.filter((span) => saysChange(wordsBefore(context, span)) && isLastOfRow(spans, span));
  const given = cash.flatMap((paid) => [...change.map((back) => paid.value - back.value)]);
  const column = spans.filter((span) => isLastOfRow(spans, span) && context.hasMoney(span.segment));
  // Where no word means a sum, what was paid is the total.
  const isNamed = spans.some((span) => claimOf(span, sumNames));
  const meanings = isNamed ? sumNames : [...sumNames, "prepaid"];
  const changed = new Map(column.map((span) => [span, laterTotal(column, span)] as const).filter(([, later]) => later));
  const propose = (meanings: readonly string[]): Candidate<number>[] =>
    proposeAmounts(context, spans, meanings, (span, isLabelled) => {
      const isChecked = given.some((value) => value > 0 && Math.abs(value - span.value) < cent / 2);
      return {
        cash: cash.includes(span),
        change: change.includes(span),
        checked: isChecked,
        proven_alone: isChecked && !isLabelled,
        replaced_later: isRoundedLater(spans, span) || changed.has(span),
        paid: change.length === 0 && cash.some((paid) => paid !== span && Math.abs(paid.value - span.value) < cent / 2),
        // "Betrag EUR 238.00" on the slip of a card.
        amount_word: !isNamed && isAmountRow(context.layout.rows[span.segment.row]!),
        beside_larger: isBesideLarger(spans, span),
        ...([...changed.values()].includes(span) ? { sum_of_parts: true } : {}),
        sum_of_lines: !changed.has(span) && isSumOfAbove(column, span),
      };
    });
  const total = pick("total", propose(meanings));
  const taxes = findTaxBreakdown(context).filter(({ tax }) => !total || tax < total.value);
  const tax = pick("tax", propose(["tax_total"]));
  const isTax = tax && total && Math.abs(tax.value) < (Math.abs(total.value) * highestRate) / 100;
  return { fields: { ...(total ? { total } : {}), ...(isTax ? { tax } : {}) }, taxes };
}

/** The words that an amount belongs to: those left of it, up to the amount before. */
function wordsBefore(context: Context, { segment, from }: Span<number>): string {
  const row = context.layout.rows[segment.row]!.segments;
  const before = row.slice(0, row.indexOf(segment)).map((part) => part.text);
  return `${before.join(" ")} ${segment.text.slice(0, from)}`;
}

function isLastOfRow(spans: readonly Span<number>[], span: Span<number>): boolean {
  return !spans.some(
    (other) =>
      other.segment.row === span.segment.row &&
      (other.box[0] > span.box[0] || (other.segment === span.segment && other.from > span.from)),
  );
}

/** A row of nothing but a currency and an amount, or what heads a column of amounts and these: "EUR 412.50", "Amount EUR 238.00". */
export function isAmountRow({ segments, text }: Row): boolean {
  const [lead] = segments;
  return (
    /^(?:\p{Sc}|\p{Lu}{3}) ?\d[\d.,' ]*$|^\d[\d.,' ]* ?(?:\p{Sc}|\p{Lu}{3})$/u.test(text) ||
    labelsIn(lead!, columnIndex).some(
      ({ name, from, to }) =>
        name === "total" &&
        from <= 2 &&
        /^\W*(?:\p{L}{2,3}\W*)?[\d.,\s]*\W*(?:\p{L}{2,3}\W*)?$/u.test(lead!.text.slice(to)),
    )
  );
}

/** "TOTAL 24.15 2.36" below a table of taxes: the smaller one is the tax. */
function isBesideLarger(spans: readonly Span<number>[], span: Span<number>): boolean {
  return spans.some(
    (other) => other.segment.row === span.segment.row && Math.abs(other.value) > Math.abs(span.value) + cent,
  );
}

/** Two or more amounts right above it give it, whatever the words beside it have become; a subtotal of as much may come between. */
function isSumOfAbove(column: readonly Span<number>[], span: Span<number>): boolean {
  let sum = 0;
  const own = column.indexOf(span);
  const start = column[own - 1]?.value === span.value ? own - 2 : own - 1;
  for (let index = start; index >= 0 && sum < span.value; index--) {
    sum += column[index]!.value;
    if (index < start && Math.abs(sum - span.value) < cent) return true;
  }
  return false;
}

/** A later total differs by the rounding to five cents only: that one was paid. */
function isRoundedLater(spans: readonly Span<number>[], span: Span<number>): boolean {
  return spans.some(
    (other) =>
      other.segment.row > span.segment.row &&
      other.claims.some(({ label }) => label.name === "grand_total") &&
      other.value !== span.value &&
      Math.abs(other.value - span.value) < tillRounding &&
      Math.abs(other.value * 20 - Math.round(other.value * 20)) < 1e-6,
  );
}

/** "Total 50.00, Tip 5.00, Total 55.00": the total that comes of this amount and of what stands between the two. */
function laterTotal(column: readonly Span<number>[], span: Span<number>): Span<number> | undefined {
  let sum = span.value;
  const start = column.indexOf(span) + 1;
  if (start === 0) return undefined;
  for (const later of column.slice(start)) {
    if (sum !== span.value && claimOf(later, sumNames)) return Math.abs(later.value - sum) < cent ? later : undefined;
    sum += claimOf(later, ["discount"]) ? -Math.abs(later.value) : later.value;
  }
  return undefined;
}
