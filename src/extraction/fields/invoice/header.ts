import { findDates } from "../../reading/dates.ts";
import type { Claim, Span } from "../claims.ts";
import type { Context } from "../context.ts";
import { findItemHeaders } from "../item-headers.ts";
import { type Finding, pick } from "../pick.ts";
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
  const isHeading = itemHeadings(context);
  const candidates = proposeSpans(context, codeSpans(context), [field], (span, claim) => {
    const title = span.claims.find(({ label }) => label.name.startsWith("title."));
    const digits = span.value.replace(/\D/g, "").length;
    return {
      ...(title ? titleReasons(span, title) : {}),
      ...(span.value.length <= 2 ? { short: 1 } : {}),
      ...(digits < 2 ? { few_digits: 1 } : {}),
      ...(/\p{L}/u.test(span.value) && digits > 1 ? { mixed: 1 } : {}),
      ...(digits > 12 ? { long: 1 } : {}),
      ...(isItemRow(context, span.segment.row) ? { item_row: 1 } : {}),
      ...(claim && !claim.label.isStrong && isHeading(claim.label.segment.row) ? { item_heading: 1 } : {}),
      ...(span.value === taken ? { taken: 1 } : {}),
      ...(claim && isGeneric(claim) ? { generic: 1 } : {}),
      ...(issue && isBeside(span, issue) ? { beside_date: 1, ...(isLoneCode(span) ? { lone_code: 1 } : {}) } : {}),
    };
  });
  return pick(field, candidates);
}

/** "Rechnung 4711": the code behind the title of the document. */
function titleReasons(span: Span<string>, { place, gap, label }: Claim): Record<string, number> {
  if (place !== "inline" && !(place === "right" && label.isAlone) && !(place === "below" && label.isAlone)) return {};
  const between = place === "inline" ? span.segment.text.slice(label.to, span.from) : "";
  return {
    [`title_${place}`]: label.from <= 3 ? 1 : 0.5,
    title_gap: gap,
    ...(/\p{Ll}{4,}/u.test(between) ? { title_words: 1 } : {}),
  };
}

/** A code of letters and digits alone in its place that no label gives to anything. */
function isLoneCode({ value, segment, claims }: Span<string>): boolean {
  return claims.length === 0 && segment.text.trim() === value && /\p{L}/u.test(value) && /\d{2}/.test(value);
}

/** "No.", "Ref": numbers of anything. */
function isGeneric({ label }: Claim): boolean {
  const text = label.segment.text.slice(label.from, label.to);
  return label.length <= 3 || /^(number|nummer|n[úu]mero|reference|ref)$/i.test(text);
}

function isBeside(span: Span<unknown>, finding: Finding): boolean {
  const { box, page } = finding;
  return box !== null && page === span.segment.page && Math.abs(box[1] - span.box[1]) < 3 * span.segment.height;
}

function itemHeadings(context: Context): (row: number) => boolean {
  const headers = findItemHeaders(context);
  return (row) => headers.some((header) => row >= header.firstRow && row <= header.lastRow);
}

function dateReasons(context: Context, span: Span<string>, rank: number): Record<string, number> {
  return {
    ...(isItemRow(context, span.segment.row) ? { item_row: 1 } : {}),
    ...(rank === 0 ? { first: 1 } : {}),
    ...(isUndecided(context, span) ? { ambiguous: 1 } : {}),
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
  const candidates = proposeSpans(context, spans, ["issue_date"], (span, claim) => {
    const title = span.claims.find(({ label, place }) => label.name.startsWith("title.") && place === "inline");
    return {
      ...dateReasons(context, span, spans.indexOf(span)),
      ...(title ? { title_inline: 1 } : {}),
      ...(claim && claim.label.length <= 3 ? { tiny: 1 } : {}),
      ...(claim && claim.label.length <= 3 && title ? { tiny_behind_title: 1 } : {}),
      ...(dues.some((due) => due.value < span.value) ? { after_due: 1 } : {}),
      ...(dues.some((due) => due.value > span.value) ? { before_due: 1 } : {}),
    };
  });
  return withAlternatives(pick("issue_date", candidates));
}

const dayMs = 86_400_000;
/** The longest terms of payment that are usual. */
const longestTerms = 120;

function findDueDate(context: Context, issue: string | undefined): Finding<string> | undefined {
  const spans = dateSpans(context);
  const at = issue === undefined ? undefined : spans.find((span) => span.value === issue);
  const candidates = proposeSpans(context, spans, ["due_date"], (span) => {
    const days = issue ? (Date.parse(span.value) - Date.parse(issue)) / dayMs : undefined;
    const peers = spans.filter((other) => other.segment.id === span.segment.id);
    return {
      ...dateReasons(context, span, -1),
      ...(days === 0 ? { same_day: 1 } : {}),
      ...(days !== undefined && days < 0 ? { before_issue: 1 } : {}),
      ...(days !== undefined && days > 0 && days <= longestTerms ? { within_terms: 1 } : {}),
      ...(at && Math.abs(span.segment.row - at.segment.row) <= 2 && span.segment.page === at.segment.page
        ? { beside_date: 1 }
        : {}),
      // "payable within 30 days by 4 April, 3 % discount within 10 days by 15 March": the later one is due.
      ...(peers.length > 1 && peers.every((other) => other.value <= span.value) ? { latest_of_line: 1 } : {}),
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
