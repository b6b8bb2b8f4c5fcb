import { findDates } from "../../reading/dates.ts";
import { labelsIn } from "../../reading/labels.ts";
import { fieldIndex, isPostalLine } from "../../reading/words.ts";
import type { Span } from "../claims.ts";
import type { Context } from "../context.ts";
import { type Finding, type Notes, pick } from "../pick.ts";
import { proposeSpans } from "../propose.ts";
import { codeSpans, dateSpans, ibanSpans, isItemRow } from "../spans.ts";

/** Number, dates and references of an invoice. */
export function findInvoiceHeader(context: Context): Record<string, Finding> {
  const issue = findIssueDate(context);
  const due = findDueDate(context, issue?.value);
  const order = findCode(context, "purchase_order", undefined, issue);
  const number = findCode(context, "invoice_number", order?.score ? order.value : undefined, issue);
  const iban = findIban(context);
  return {
    ...(number ? { invoice_number: number } : {}),
    ...(issue ? { issue_date: issue } : {}),
    ...(due ? { due_date: due } : {}),
    ...(order && order.value !== number?.value ? { purchase_order: order } : {}),
    ...(iban ? { iban } : {}),
  };
}

function findCode(
  context: Context,
  field: "invoice_number" | "purchase_order",
  taken: string | undefined,
  issue: Finding<string> | undefined,
): Finding<string> | undefined {
  const candidates = proposeSpans(context, codeSpans(context).filter(isNoPostcode), [field], (span) => ({
    item_row: isItemRow(context, span.segment.row),
    taken: span.value === taken,
    amid_words: isAmidWords(span),
    ...(issue && isBeside(span, issue) ? { beside_date: 1, lone_code: isLoneCode(span) } : {}),
  }));
  return pick(field, candidates);
}

/** "NETTO 14 PV" and "73728 Esslingen" hold a number; what a label beside or above means stands alone. */
function isAmidWords({ segment, from, to, claims }: Span<string>): boolean {
  const isInline = claims.some(({ place, label }) => place === "inline" && label.name === "invoice_number");
  return !isInline && /\p{L}{4}/u.test(`${segment.text.slice(0, from)} ${segment.text.slice(to)}`);
}

/** "BA2 3QE" and "973 34 LULEÅ" beside a label are somebody's address. */
function isNoPostcode({ segment, claims }: Span<string>): boolean {
  return !isPostalLine(segment.text) || claims.some(({ place }) => place === "inline");
}

/** A code of letters and digits alone in its place that no label gives to anything. */
function isLoneCode({ value, segment, claims }: Span<string>): boolean {
  return claims.length === 0 && segment.text.trim() === value && /\p{L}/u.test(value) && /\d{2}/.test(value);
}

function isBeside(span: Span<unknown>, finding: Finding): boolean {
  const { box, page } = finding;
  return box !== null && page === span.segment.page && Math.abs(box[1] - span.box[1]) < 3 * span.segment.height;
}

function dateReasons(context: Context, span: Span<string>, rank: number): Notes {
  return {
    item_row: isItemRow(context, span.segment.row),
    first: rank === 0,
    ambiguous: isUndecided(context, span),
  };
}

/** 03/04/2024 with nothing on the page that tells which is the month. */
export function isUndecided(context: Context, { segment, from, to }: Span<string>): boolean {
  return context.isOrderOpen && (findDates(segment.text.slice(from, to), context.dateOrder)[0]?.isAmbiguous ?? false);
}

/** What a date would be if the other of day and month came first. */
export function withAlternatives(finding: Finding<string> | undefined): Finding<string> | undefined {
  if (!finding?.reasons.ambiguous) return finding;
  const [year, month, day] = finding.value.split("-");
  return { ...finding, alternatives: [`${year}-${day}-${month}`] };
}

function findIssueDate(context: Context): Finding<string> | undefined {
  const spans = dateSpans(context);
  const dues = spans.filter((span) => span.claims.some(({ label }) => label.name === "due_date" && label.isStrong));
  const candidates = proposeSpans(context, spans, ["issue_date"], (span) => ({
    ...dateReasons(context, span, spans.indexOf(span)),
    before_due: dues.some((due) => due.value > span.value),
    // "Göttingen, den 22.09.2025": where and when a letter was written.
    behind_place: isBehindPlace(span.segment.text.slice(0, span.from)) && span.to >= span.segment.text.trimEnd().length,
  }));
  return withAlternatives(pick("issue_date", candidates));
}

/** A town and a comma, and an article at most. */
function isBehindPlace(before: string): boolean {
  return /^\p{Lu}[\p{L}./ -]{2,40}, ?(?:\p{L}{1,5}\.? ?)?$/u.test(before);
}

function findDueDate(context: Context, issue: string | undefined): Finding<string> | undefined {
  const spans = dateSpans(context);
  const at = issue === undefined ? undefined : spans.find((span) => span.value === issue);
  const candidates = proposeSpans(context, spans, ["due_date"], (span) => {
    const peers = spans.filter((other) => other.segment.id === span.segment.id);
    return {
      ...dateReasons(context, span, -1),
      beside_date: at && Math.abs(span.segment.row - at.segment.row) <= 2 && span.segment.page === at.segment.page,
      // "payable within 30 days by 4 April, 3 % discount within 10 days by 15 March": the later one is due.
      // "bis zum 20.06.2026 fällig"
      due_behind: labelsIn(span.segment, fieldIndex).some(
        ({ name, from, isStrong }) => name === "due_date" && isStrong && from > span.to && from - span.to <= 2,
      ),
      latest_of_line: peers.length > 1 && peers.every((other) => other.value <= span.value),
    };
  });
  return withAlternatives(pick("due_date", candidates));
}

function findIban(context: Context): Finding<string> | undefined {
  const candidates = proposeSpans(context, ibanSpans(context), ["iban"], (span) => {
    const isValid = (span as { isValid?: boolean }).isValid === true;
    return isValid ? { checked: 1 } : { failed: 1 };
  });
  return pick("iban", candidates);
}
