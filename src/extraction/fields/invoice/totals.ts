import { cent } from "../../reading/amounts.ts";
import { overlapsY } from "../../reading/geometry.ts";
import { isTaxHalf } from "../../reading/words.ts";
import type { Span } from "../claims.ts";
import type { Context } from "../context.ts";
import { findLineItems } from "../line-items.ts";
import { type Candidate, type Finding, mostFailed, type Notes, pick, scoreOf, withNotes } from "../pick.ts";
import { claimOf, proposeSpans } from "../propose.ts";
import { isItemRow, moneySpans } from "../spans.ts";
import { findTaxParts, type PlacedTax, ratesIn, sumOf } from "./taxes.ts";

export type TotalName = "net_total" | "tax_total" | "grand_total";
const labelsOf: Record<TotalName, readonly string[]> = {
  net_total: ["net_total"],
  tax_total: ["tax_total"],
  grand_total: ["grand_total", "amount_due"],
};

/** The sums of a document, each from the amount that is printed; arithmetic only says which of them to believe. */
export function findTotals(context: Context): Record<string, Finding> {
  return context.once("totals", () => (moneySpans(context).length > 0 ? pickTotals(context) : {}));
}

function pickTotals(context: Context): Record<string, Finding> {
  const taxes = findTaxParts(context);
  const linesSum = sumOfLines(context);
  const proven = proveByRate(context) ?? proveByPart(context, taxes);
  const propose = (name: TotalName): Candidate<number>[] =>
    proposeAmounts(context, moneySpans(context), labelsOf[name], (span, isLabelled) => {
      const isProven = proven?.[name] === span;
      return {
        sum_of_lines: linesSum !== undefined && Math.abs(Math.abs(span.value) - Math.abs(linesSum)) < cent,
        proven: isProven,
        proven_alone: isProven && !isLabelled,
        // "Balance 0.00": what is left of a bill that is paid.
        nothing: name === "grand_total" && span.value === 0,
      };
    });
  const found: Record<string, Finding> = {};
  for (const [name, output] of Object.entries(outputNames)) {
    // Nothing but its word says that an amount is one of these.
    const spans = moneySpans(context).filter((span) => claimOf(span, [name]) && !isOfGoods(context, span));
    const own = pick(name, proposeAmounts(context, spans, [name]));
    if (own) found[output] = own;
  }
  const lists = {
    net_total: propose("net_total"),
    tax_total: propose("tax_total"),
    grand_total: propose("grand_total"),
  };
  const rates = taxes.map(({ part }) => part.tax);
  const checked = checkSums(lists, rates, (found.rounding?.value as number | undefined) ?? 0);
  for (const name of ["grand_total", "net_total", "tax_total"] as const) {
    // The tax of one rate is not the tax, what it was charged on is neither, and one print of an amount is one sum.
    const own = checked[name].filter(
      ({ value, reasons, box }) =>
        name === "grand_total" ||
        !(
          reasons.one_of_bases ||
          (name === "tax_total" && (reasons.one_of_rates || value * Number(found.grand_total?.value ?? value) < 0)) ||
          box === found.grand_total?.box
        ),
    );
    const best = pick(name, own);
    if (best) found[name] = best;
  }
  return withFailure(found, taxes.length > 1);
}

function sumOfLines(context: Context): number | undefined {
  const totals = findLineItems(context).map(({ value }) => value.total);
  return totals.length > 0 && totals.every((total) => total !== null) ? sumOf(totals as number[]) : undefined;
}

const outputNames = {
  amount_due: "amount_due",
  prepaid: "prepaid_total",
  discount: "discount_total",
  shipping: "shipping_total",
  rounding: "rounding",
} as const;

/** Where all three are printed and do not add up, none of them is to be trusted. */
function withFailure(found: Record<string, Finding>, hasRates: boolean): Record<string, Finding> {
  const size = (name: string): number => Math.abs(found[name]?.value as number);
  const isWhole = found.net_total && found.tax_total && found.grand_total;
  const off = isWhole ? size("net_total") + size("tax_total") - size("grand_total") : 0;
  const between = amountsBetween(Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value])));
  if (hasRates || between.some((more) => Math.abs(off + more) < 2 * cent)) return found;
  const failed = Object.entries(found).map(([name, finding]) =>
    name in labelsOf ? [name, { ...finding, confidence: Math.min(finding.confidence, mostFailed) }] : [name, finding],
  );
  return Object.fromEntries(failed) as Record<string, Finding>;
}

/** What may come between two sums: rounding, shipping that is added and a discount that is taken off, each or none of them. */
export function amountsBetween(data: Readonly<Record<string, unknown>>): number[] {
  const [rounding, shipping, discount] = ["rounding", "shipping_total", "discount_total"].map(
    (name) => Number(data[name]) || 0,
  );
  const sums = [0];
  for (const part of [rounding!, Math.abs(shipping!), -Math.abs(discount!)])
    if (part !== 0) sums.push(...sums.map((sum) => sum + part));
  return sums;
}

/** Amounts of the page as candidates for a sum of this meaning. */
export function proposeAmounts(
  context: Context,
  spans: readonly Span<number>[],
  meanings: readonly string[],
  more: (span: Span<number>, isLabelled: boolean) => Notes = () => ({}),
): Candidate<number>[] {
  const notes = amountNotes(context);
  return proposeSpans(context, spans, meanings, (span, own) => ({
    ...notes.get(span),
    due_label: own?.label.name === "amount_due" && meanings.length > 1,
    ...more(span, own !== undefined),
  }));
}

/** What the page says of each amount, whatever it may be the sum of. */
function amountNotes(context: Context): ReadonlyMap<Span<number>, Notes> {
  return context.once("amounts", () => {
    const spans = moneySpans(context);
    const taxes = findTaxParts(context);
    const isSplit = new Set(taxes.map(({ part }) => part.rate)).size > 1;
    const allParts =
      taxes.length > 1 && taxes.every(({ part }) => part.base !== null)
        ? Math.abs(sumOf(taxes.flatMap(({ part }) => [part.base!, part.tax])))
        : undefined;
    const discounts = spans.filter((span) => span.value !== 0 && claimOf(span, ["discount"]));
    // What the goods cost before a discount is no total, large as it is.
    const isReduced = (span: Span<number>): boolean =>
      discounts.some((discount) => {
        const rest = span.value - Math.abs(discount.value);
        return spans.some(
          ({ value, segment }) => segment.row > discount.segment.row && value > 0 && Math.abs(value - rest) < cent,
        );
      });
    // A whole number alone in its place may be anything, if other amounts are written like money.
    const isWritten = ({ segment, from }: Span<number>): boolean =>
      context.numbersIn(segment).some((number) => number.from === from && context.isMoney(number));
    const sizes = spans.filter((span) => !isReduced(span));
    const largest = Math.max(
      0,
      ...(sizes.some(isWritten) ? sizes.filter(isWritten) : sizes).map(({ value }) => Math.abs(value)),
    );
    // "CGST 9%" and "SGST 9%" are halves of the tax.
    const halfLabel = (span: Span<number>): string | undefined => {
      const label = claimOf(span, ["tax_total"])?.label;
      const word = label?.segment.text.slice(label.from, label.to).toUpperCase();
      return label?.isStrong && (isTaxHalf(word!) || ratesIn(context, label.segment).length > 0) ? word : undefined;
    };
    const isHalf = (span: Span<number>): boolean => {
      const own = halfLabel(span);
      return spans.some(
        (other) => own !== undefined && other.value === span.value && (halfLabel(other) ?? own) !== own,
      );
    };
    return new Map(
      spans.map((span): [Span<number>, Notes] => {
        const size = Math.abs(span.value);
        return [
          span,
          {
            largest: Math.abs(size - largest) < cent && !isReduced(span),
            reduced: isReduced(span),
            item_row: isItemRow(context, span.segment.row),
            one_of_rates: (isSplit && taxes.some(({ tax }) => tax === span)) || isHalf(span),
            one_of_bases: isSplit && taxes.some(({ base }) => base === span),
            sum_of_parts: allParts !== undefined && Math.abs(size - allParts) < 2 * cent,
          },
        ];
      }),
    );
  });
}

/** Amounts that fit together are more likely the sums: net and tax (of all rates) give the total. */
function checkSums(
  lists: Record<TotalName, Candidate<number>[]>,
  rates: readonly number[],
  rounding: number,
): Record<TotalName, Candidate<number>[]> {
  const likely = (name: TotalName): { candidate: Candidate<number>; p: number }[] =>
    lists[name]
      .map((candidate) => ({ candidate, p: 1 / (1 + Math.exp(-scoreOf(name, candidate.reasons))) }))
      .sort((left, right) => right.p - left.p)
      .slice(0, mostTried);
  const nets = likely("net_total");
  const grosses = likely("grand_total");
  const taxes = likely("tax_total");
  const proof = new Map<Candidate<number>, number>();
  const prove = (candidate: Candidate<number>, p: number): void => {
    proof.set(candidate, Math.max(proof.get(candidate) ?? 0, p));
  };
  const allRates = rates.length > 1 ? sumOf(rates) : undefined;
  for (const net of nets)
    for (const gross of grosses) {
      const difference = Math.abs(gross.candidate.value) - rounding - Math.abs(net.candidate.value);
      if (difference < cent || net.candidate === gross.candidate) continue;
      if (allRates !== undefined && Math.abs(difference - Math.abs(allRates)) < 2 * cent) {
        prove(net.candidate, gross.p);
        prove(gross.candidate, net.p);
      }
      for (const tax of taxes) {
        if (Math.abs(difference - Math.abs(tax.candidate.value)) > cent || tax.candidate.value === 0) continue;
        prove(net.candidate, Math.min(gross.p, Math.max(tax.p, hint)));
        prove(gross.candidate, Math.min(net.p, Math.max(tax.p, hint)));
        prove(tax.candidate, Math.min(gross.p, net.p));
      }
    }
  const byValue = new Map<number, number>();
  for (const [{ value }, p] of proof) byValue.set(value, Math.max(byValue.get(value) ?? 0, p));
  const apply = (list: Candidate<number>[]): Candidate<number>[] =>
    list.map((candidate) => {
      const own = proof.get(candidate) ?? byValue.get(candidate.value);
      return own === undefined ? candidate : withNotes(candidate, { checked: Math.max(hint, own) });
    });
  return {
    net_total: apply(lists.net_total),
    tax_total: apply(lists.tax_total),
    grand_total: apply(lists.grand_total),
  };
}

/** Whatever they are called: an amount, a printed rate of it and their sum, close together, are net, tax and gross. */
function proveByRate(context: Context): Record<TotalName, Span<number>> | undefined {
  const rates = new Set(context.layout.segments.flatMap((segment) => ratesIn(context, segment)));
  const last =
    rates.size > 0
      ? moneySpans(context)
          .filter((span) => !isOfGoods(context, span))
          .slice(-mostProven)
      : [];
  let best: Record<TotalName, Span<number>> | undefined;
  for (const [index, gross] of last.entries()) {
    if (best && Math.abs(gross.value) <= Math.abs(best.grand_total.value)) continue;
    // An item, a rate of it and the subtotal may fit as well.
    if (claimOf(gross, labelsOf.net_total)?.label.isStrong) continue;
    const before = last
      .slice(Math.max(0, index - nearby), index)
      .filter(({ segment, value }) => segment.page === gross.segment.page && value !== 0);
    for (const net of before) {
      const tax = before.find((span) => span !== net && Math.abs(net.value + span.value - gross.value) <= cent);
      if (tax && [...rates].some((rate) => Math.abs((net.value * rate) / 100 - tax.value) < cent))
        best = { net_total: net, tax_total: tax, grand_total: gross };
    }
  }
  return best;
}

/** A table of rates behind the total: what its only row was charged on and its tax give a sum that is named. */
function proveByPart(
  context: Context,
  [only, ...others]: readonly PlacedTax[],
): Record<TotalName, Span<number>> | undefined {
  if (!only?.base || others.length > 0) return undefined;
  const whole = only.base.value + only.tax.value;
  const gross = moneySpans(context).find(
    (span) => Math.abs(span.value - whole) < cent && claimOf(span, labelsOf.grand_total),
  );
  return gross && { net_total: only.base, tax_total: only.tax, grand_total: gross };
}

/** The price of an item with its tax, or a discount among the goods, is no sum of the document. */
function isOfGoods(context: Context, { box, segment }: Span<number>): boolean {
  return findLineItems(context).some((item) => item.page === segment.page && item.box && overlapsY(item.box, box));
}

/** The sums are among the last amounts, and near each other. */
const mostProven = 40;
const nearby = 6;

/** Enough for any page; the search grows with its cube. */
const mostTried = 24;
/** A sum that comes out is worth something even if no word speaks for its parts. */
const hint = 0.3;
