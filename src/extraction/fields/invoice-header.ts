import { findDates } from "../reading/dates.ts";
import { boxOfSpan, type Segment } from "../reading/layout.ts";
import { type Candidate, valuesNear } from "./candidates.ts";
import { type Context, isMoney } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";
import { identifiersIn } from "./identifiers.ts";
import { findIban } from "./invoice-iban.ts";
import { findItemHeaders } from "./item-headers.ts";
import type { Label } from "./labels.ts";
import { codeBeside, codeInTitle, laterDateBeside } from "./unlabelled-header.ts";

/** Number, dates and references of an invoice. */
export interface InvoiceHeader {
  invoice_number?: Finding<string>;
  issue_date?: Finding<string>;
  due_date?: Finding<string>;
  purchase_order?: Finding<string>;
  iban?: Finding<string>;
}

export function findInvoiceHeader(context: Context): InvoiceHeader {
  const header: InvoiceHeader = {};
  const labelled = findDueDate(context);
  const issue = findIssueDate(context, labelled?.value);
  const due = labelled ?? laterDateBeside(context, issue);
  const order = findIdentifier(context, "purchase_order");
  const number =
    findIdentifier(context, "invoice_number") ?? codeInTitle(context) ?? codeBeside(context, issue, order?.value);
  const iban = findIban(context);
  if (number) header.invoice_number = number;
  if (issue) header.issue_date = issue;
  if (due) header.due_date = due;
  if (order && order.value !== number?.value) header.purchase_order = order;
  if (iban) header.iban = iban;
  return header;
}

function findIdentifier(context: Context, name: "invoice_number" | "purchase_order"): Finding<string> | undefined {
  const isInItems = itemRows(context);
  const candidates = context.labels
    .filter((label) => label.name === name && !(!label.isStrong && isInItems(label.segment.row)))
    .flatMap((label) =>
      valuesNear(context.layout, label, (segment) => context.isLabel(segment), identifiersIn, { maxRowsBelow: 2 }),
    );
  const score = (candidate: Candidate<string>): number => {
    const { label, place, fit, value, segment } = candidate;
    const isGeneric =
      label.length <= 3 ||
      /^(number|nummer|numero|reference|ref)$/.test(label.segment.text.slice(label.from, label.to).toLowerCase());
    const isAfterTitle = isGeneric && place === "inline" && name === "invoice_number" && followsTitle(context, label);
    const generic = name === "invoice_number" && isBesideDates(context, label) ? 0.5 : 0.25;
    let points = fit * (label.isStrong || isAfterTitle ? 1 : isGeneric ? generic : 0.55);
    if (!label.isStrong && place === "below" && value.length < 4) points *= 0.3;
    if (!label.isStrong && place === "right" && !label.isAlone) points *= 0.4;
    // Recognition also makes "n2" of "n°".
    if (/^n?\d{1,2}$/.test(value)) points *= 0.4;
    if (isOwnedByOther(context, segment, name)) points *= 0.3;
    // A word in running text is no title.
    if (!label.isStrong && !isAfterTitle && label.from > 12) points *= 0.4;
    // "Ref 8344" under an item is the item's.
    if (isGeneric && !isAfterTitle && (segment.page > 1 || segment.box[1] > 0.4)) points *= 0.3;
    if (segment.page > 1) points *= 0.8;
    return points + Math.min(0.05, label.length * 0.003);
  };
  return pick(candidates, score, name === "invoice_number" ? 0.12 : 0.3);
}

/** "Ref." and "Number" among the dates of the document are its own. */
function isBesideDates(context: Context, { segment }: Label<string>): boolean {
  return context.labels.some(
    (other) =>
      (other.name === "issue_date" || other.name === "due_date") &&
      other.isStrong &&
      other.segment.page === segment.page &&
      Math.abs(other.segment.row - segment.row) <= 2,
  );
}

/** Headings and rows of goods hold references of their own: "Ref.", "nr" as a unit. */
function itemRows(context: Context): (row: number) => boolean {
  const headers = findItemHeaders(context);
  return (row) =>
    headers.some((header) => row >= header.firstRow && row <= header.lastRow) ||
    context.layout.rows[row]!.segments.filter((segment) => context.numbersIn(segment).some(isMoney)).length > 1;
}

/** "No. 4711" right behind the document's title, as in "Credit note (self-billed) No. 4711". */
function followsTitle(context: Context, label: Label<string>): boolean {
  return context.labelsOf(label.segment).some((other) => {
    if (
      other.segment.id !== label.segment.id ||
      other.name !== "invoice_number" ||
      other.from > 3 ||
      other.to > label.from ||
      other.length < 4
    )
      return false;
    return !/\p{Ll}{3,}/u.test(label.segment.text.slice(other.to, label.from).replace(/\([^)]*\)/g, ""));
  });
}

/** Whether the run of text begins with a label of something else, as in "Customer no. 4711". */
function isOwnedByOther(context: Context, segment: Segment, name: string): boolean {
  const own = context.labelsOf(segment).filter((label) => label.isStrong && label.from <= 2);
  return own.length > 0 && own.every((label) => label.name !== name);
}

function findIssueDate(context: Context, due: string | undefined): Finding<string> | undefined {
  const others = new Set(
    context.labels
      .filter((label) => label.isStrong && (label.name === "delivery_date" || label.name === "due_date"))
      .flatMap((label) => datesNear(context, label))
      .filter((candidate) => candidate.fit > 0.6)
      .map((candidate) => `${candidate.segment.id}:${candidate.value}`),
  );
  const candidates = context.labels
    .filter((label) => label.name === "issue_date")
    .flatMap((label) => datesNear(context, label));
  const score = (candidate: Candidate<string>): number => {
    const { label, fit, segment, value } = candidate;
    const isTiny = label.length <= 3;
    let points = fit * (label.isStrong ? 1 : isTiny ? 0.45 : 0.6);
    if (isTiny && (candidate.place !== "inline" || fit < 0.9)) points *= 0.3;
    // "vom" and "du" mean the issue date only behind the document's title or number.
    if (isTiny && !isBehindNumber(context, label)) points *= 0.3;
    if (!label.isStrong && others.has(`${segment.id}:${value}`)) points *= 0.2;
    if (!label.isStrong && ownLabel(context, label)) points *= 0.35;
    if (due !== undefined && value > due) points *= 0.4;
    return points;
  };
  const found = pick(candidates, score, 0.1);
  if (found) return found;
  const first = context.layout.segments
    .filter((segment) => segment.page === 1)
    .flatMap((segment) => findDates(segment.text, context.dateOrder).map((date) => ({ segment, date })))
    .find(({ segment, date }) => date.iso !== due && !others.has(`${segment.id}:${date.iso}`));
  if (!first) return undefined;
  return findingIn(first.date.iso, first.segment, boxOfSpan(first.segment, first.date.from, first.date.to), {
    fit: 0.3,
    isLabelled: false,
    margin: 0.2,
  });
}

function isBehindNumber(context: Context, label: Label<string>): boolean {
  const title = context
    .labelsOf(label.segment)
    .find((other) => other.name === "invoice_number" && other.to <= label.from);
  return title !== undefined && identifiersIn(label.segment.text.slice(title.to, label.from)).length > 0;
}

/** A weak label inside a strong one of another kind, as "date" in "delivery date", belongs to that one. */
function ownLabel(context: Context, label: Label<string>): boolean {
  return context
    .labelsOf(label.segment)
    .some((other) => other.isStrong && other.name !== label.name && other.from <= label.from && other.from <= 2);
}

function findDueDate(context: Context): Finding<string> | undefined {
  const candidates = context.labels
    .filter((label) => label.name === "due_date")
    .flatMap((label) => {
      const near = datesNear(context, label);
      // "payable within 30 days by 4 April, 3 % discount within 10 days by 15 March": the later one is due.
      const all = findDates(label.segment.text.slice(label.to), context.dateOrder);
      const latest = all
        .map((date) => date.iso)
        .sort()
        .at(-1);
      return near.map((candidate) =>
        candidate.place === "inline" && all.length > 1 && latest ? { ...candidate, value: latest } : candidate,
      );
    });
  const score = (candidate: Candidate<string>): number => {
    const { label, fit } = candidate;
    let points = fit * (label.isStrong ? 1 : 0.6);
    if (!label.isStrong && label.length <= 5 && candidate.place !== "inline" && !label.isAlone) points *= 0.4;
    if (/skonto|discount|escompte|sconto|korting/i.test(candidate.segment.text.slice(0, label.from))) points *= 0.6;
    return points;
  };
  return pick(candidates, score, 0.3);
}

function datesNear(context: Context, label: Label): Candidate<string>[] {
  return valuesNear(
    context.layout,
    label,
    (segment) => context.isLabel(segment),
    (text) => findDates(text, context.dateOrder).map((date) => ({ value: date.iso, from: date.from, to: date.to })),
    { maxRowsBelow: 3 },
  );
}

/** The best candidate above a floor, as a finding with its margin to the next different value. */
function pick(
  candidates: readonly Candidate<string>[],
  score: (candidate: Candidate<string>) => number,
  floor: number,
): Finding<string> | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, points: score(candidate) }))
    .sort((left, right) => right.points - left.points || left.candidate.segment.row - right.candidate.segment.row);
  const winner = ranked[0];
  if (!winner || winner.points < floor) return undefined;
  const rival = ranked.find((other) => other.candidate.value !== winner.candidate.value);
  return findingIn(winner.candidate.value, winner.candidate.segment, winner.candidate.box, {
    fit: Math.min(1, winner.points),
    isLabelled: winner.candidate.label.isStrong,
    margin: rival ? Math.max(0, 1 - rival.points / winner.points) : 1,
  });
}
