import type { FoundNumber } from "../reading/amounts.ts";
import { findIbans } from "../reading/checks.ts";
import type { Label } from "../reading/labels.ts";
import type { Segment } from "../reading/segment.ts";
import { type Claim, findSpans, type Span, segmentsBelow } from "./claims.ts";
import type { Context } from "./context.ts";
import { datesIn, identifiersIn } from "./identifiers.ts";
import { findItemHeaders } from "./item-headers.ts";

/** A document of nothing but dates or numbers must not make the search slow. */
const mostSpans = 600;

/** Every date of the document with the labels around it; "Date" over a list of goods is when each of them was delivered. */
export function dateSpans(context: Context): readonly Span<string>[] {
  return context.once("dates", () =>
    findSpans(context.layout, context.labels, context.isLabel, (text) =>
      datesIn(text, context.dateOrder).map(({ iso, from, to }) => ({ value: iso, from, to })),
    )
      .slice(0, mostSpans)
      .map((span) => withoutListLabels(context, span, ({ place }) => place === "below")),
  );
}

function withoutListLabels<Value>(
  context: Context,
  span: Span<Value>,
  mayBeOfList: (claim: Claim) => boolean = () => true,
): Span<Value> {
  const headers = findItemHeaders(context);
  const isOfList = ({ segment: { row } }: Label): boolean =>
    headers.some(({ firstRow, lastRow }) => row >= firstRow && row <= lastRow);
  return { ...span, claims: span.claims.filter((claim) => !(mayBeOfList(claim) && isOfList(claim.label))) };
}

/** Every code: numbers of documents, orders, customers. */
export function codeSpans(context: Context): readonly Span<string>[] {
  return context.once("codes", () =>
    findSpans(context.layout, context.labels, context.isLabel, (text) => identifiersIn(text)).slice(0, mostSpans),
  );
}

/** Every amount of money. A whole number alone in its place may be one beside the word for a sum; the headings of a list of goods name sums in a row of sums only. */
export function moneySpans(context: Context): readonly Span<number>[] {
  return context.once("money", () => {
    const spans = findSpans(context.layout, context.labels, context.isLabel, (text, segment) =>
      context.numbersIn(segment).filter((number) => context.isMoney(number) || isLoneWhole(number, text)),
    ).slice(0, mostSpans);
    const isSums = (row: number): boolean =>
      context.layout.rows[row]!.segments.some(
        (segment, index) =>
          startsWithSum(context, segment) && (index === 0 || context.labelsOf(segment).some(({ isAlone }) => isAlone)),
      );
    return spans.map((span) => (isSums(span.segment.row) ? span : withoutListLabels(context, span)));
  });
}

/** Whether a text is a whole number and nothing else. */
export function isLoneWhole({ decimals, isPercent }: FoundNumber, text: string): boolean {
  return decimals === 0 && !isPercent && /^\W*\d[\d.,' ]*\W*$/.test(text) && text.replace(/\D/g, "").length <= 9;
}

/** IBANs, and what stands behind the word even when its length or check digits are wrong. */
export function ibanSpans(context: Context): readonly (Span<string> & { isValid: boolean })[] {
  const valid = new Set<string>();
  const spans = findSpans(context.layout, context.labels, context.isLabel, (text, segment) => {
    const under = /[A-Z]{2}\d{2}[A-Z\d ]*$/.test(text) ? segmentsBelow(context.layout, segment, 1)[0] : undefined;
    // One that goes on in the next line is whole where its check digits say so.
    const long = under ? findIbans(`${text} ${under.segment.text}`).filter(({ isValid }) => isValid) : [];
    const found = long.length > 0 ? long : findIbans(text);
    for (const { value, isValid } of found) if (isValid) valid.add(value);
    const odd = [...text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{2,4}){2,8}(?![A-Za-z0-9*])/g)].filter(
      ({ index }) => !found.some(({ from, to }) => index < to && index >= from),
    );
    return [
      ...found,
      ...odd.map(({ 0: text, index }) => ({ value: text.replace(/\s/g, ""), from: index, to: index + text.length })),
    ];
  });
  return spans.map((span) => ({ ...span, isValid: valid.has(span.value) }));
}

/** Whether a text begins with the word for a sum; short weak words ("tax") mean other things as well. */
export function startsWithSum(context: Context, segment: Segment): boolean {
  return context
    .labelsOf(segment)
    .some(
      ({ name, from, isStrong, isAlone, length }) =>
        from <= 3 &&
        ["net_total", "tax_total", "grand_total", "amount_due"].includes(name) &&
        (isStrong || isAlone || length >= 5),
    );
}

/** Whether a row holds goods: their numbers, dates and codes are their own. */
export function isItemRow(context: Context, row: number): boolean {
  const { segments } = context.layout.rows[row]!;
  // "A late fee of $15.00 applies." left of the total makes no goods of it.
  const amounts = segments.filter((segment) => context.hasMoney(segment) && !/\p{L}{2}[.!?]$/u.test(segment.text));
  return amounts.length > 1 && !namesSums(context, row - 1);
}

/** Headings over a row of sums: "Net, Discount, VAT, Total". */
function namesSums(context: Context, row: number): boolean {
  const segments = context.layout.rows[row]?.segments ?? [];
  const hasTotal = segments.some((segment) =>
    context.labelsOf(segment).some(({ name, isStrong }) => name === "grand_total" && isStrong),
  );
  return hasTotal && segments.filter((segment) => startsWithSum(context, segment)).length >= 3;
}
