import type { Box } from "../../ports/document-reader.ts";
import { findDates } from "../reading/dates.ts";
import { boxOfSpan, type Segment } from "../reading/layout.ts";
import type { Found } from "./candidates.ts";
import { type Context, isMoney } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";
import { identifiersIn } from "./identifiers.ts";
import { isContactLine, isPostalLine, isStreetLine } from "./party-words.ts";

// What stands where a header usually does, under labels that nobody knows. Reported with little confidence.

/** "Statement of charges F430-16": a code in print that is larger than the rest. */
export function codeInTitle(context: Context): Finding<string> | undefined {
  for (const segment of context.layout.segments) {
    if (segment.page > 1 || segment.box[1] > 0.5 || segment.height < context.layout.lineHeight * 1.3) continue;
    const code = identifiersIn(segment.text).at(-1);
    if (code && isCode(code.value) && /\p{L}{3}/u.test(segment.text.slice(0, code.from))) return guess(segment, code);
  }
  return undefined;
}

/** A code beside the issue date that no label gives to anything else. */
export function codeBeside(
  context: Context,
  issue: Finding<string> | undefined,
  order: string | undefined,
): Finding<string> | undefined {
  const at = segmentOf(context, issue);
  if (!at) return undefined;
  const isOthers = (segment: Segment): boolean => {
    const row = context.layout.rows[segment.row]!.segments;
    const above = context.layout.rows[segment.row - 1]?.segments ?? [];
    const before = row[row.indexOf(segment) - 1];
    const heading = above.length === row.length ? above[row.indexOf(segment)] : undefined;
    return [segment, before, heading].some(
      (part) => part && context.labelsOf(part).some((label) => label.isStrong && label.name !== "invoice_number"),
    );
  };
  for (const segment of context.layout.segments) {
    if (segment.page !== at.page || Math.abs(segment.row - at.row) > 2 || isOthers(segment)) continue;
    const code = identifiersIn(segment.text).find(({ value }) => isCode(value) && value !== order);
    if (!code || context.numbersIn(segment).some(isMoney)) continue;
    const { text } = segment;
    const isAlone = code.to - code.from === text.length;
    if (isAlone || !(isPostalLine(text) || isStreetLine(text) || isContactLine(text))) return guess(segment, code);
  }
  return undefined;
}

function isCode(value: string): boolean {
  return value.length > 3 && (value.match(/\d/g)?.length ?? 0) > 1;
}

function guess(segment: Segment, { value, from, to }: Found<string>): Finding<string> {
  return findingIn(value, segment, boxOfSpan(segment, from, to), { fit: 0, isLabelled: false, margin: 0 });
}

function segmentOf(context: Context, finding: Finding | undefined): Segment | undefined {
  return (
    (finding?.box &&
      context.layout.segments.find(({ page, box }) => page === finding.page && isInside(finding.box!, box))) ||
    undefined
  );
}

/** The only later date beside the issue date, within the usual terms, is when to pay, whatever it is called. */
export function laterDateBeside(context: Context, issue: Finding<string> | undefined): Finding<string> | undefined {
  const at = segmentOf(context, issue);
  if (!at) return undefined;
  const others = context.layout.segments
    .filter(({ page, row }) => page === at.page && Math.abs(row - at.row) <= 2)
    .flatMap((segment) => findDates(segment.text, context.dateOrder).map((date) => ({ segment, date })))
    .filter(({ date }) => date.iso !== issue!.value);
  const [only] = others;
  const days = only ? (Date.parse(only.date.iso) - Date.parse(issue!.value)) / 86_400_000 : 0;
  const isNamedOtherwise = (segment: Segment): boolean =>
    context.labels.some((label) => label.name === "delivery_date" && Math.abs(label.segment.row - segment.row) <= 1);
  if (!only || others.length > 1 || days < 5 || days > 120 || isNamedOtherwise(only.segment)) return undefined;
  return guess(only.segment, { value: only.date.iso, from: only.date.from, to: only.date.to });
}

function isInside(inner: Box, outer: Box): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];
}
