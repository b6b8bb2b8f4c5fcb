import type { Box } from "../../ports/document-reader.ts";
import { findIbans, findVatIds } from "../reading/checks.ts";
import { findDates } from "../reading/dates.ts";
import { boxOfSpan, type Segment } from "../reading/layout.ts";
import { type Candidate, type Found, valuesNear } from "./candidates.ts";
import { type Context, isMoney } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";
import { findItemHeaders } from "./item-headers.ts";
import type { Label } from "./labels.ts";
import { isContactLine, isPostalLine, isStreetLine } from "./party-words.ts";

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

/** Codes such as RE-20190610/507 or A-73511: at least one digit, no date, no amount. */
export function identifiersIn(text: string): Found<string>[] {
  const dates = findDates(text, "dmy").filter((date) => {
    const raw = text.slice(date.from, date.to);
    // "2021-05-123" begins like a date; a whole word that is one is no number of anything.
    return /[/.\s]/.test(raw) || (/^\d{1,2}-\d{1,2}-\d{4}$/.test(raw) && !/[\p{L}\d/-]/u.test(text[date.to] ?? ""));
  });
  const codes = [...findIbans(text), ...findVatIds(text)];
  const found: Found<string>[] = [];
  for (const match of text.matchAll(
    /(?<![\p{L}\d(])(?:[\p{Lu}\p{Ll}]{1,5}[ ](?=\d))?[\p{Lu}\p{Ll}\d][\p{L}\d_]*(?:[-/._–][\p{L}\d_]+)*/gu,
  )) {
    const from = match.index;
    const to = from + match[0].length;
    if (!/\d/.test(match[0]) || match[0].length > 40) continue;
    if (text[to] === "%" || /^\s?[€$£]/.test(text.slice(to))) continue;
    if ([...dates, ...codes].some((other) => from < other.to && other.from < to)) continue;
    if (/^\d+[.,]\d{2}$/.test(match[0]) || /^(19|20)\d{2}$/.test(match[0])) continue;
    let value = match[0];
    // "No 123" is a label and its value; "INV 123" is one code.
    const lead = /^(\p{L}{1,5}) /u.exec(value)?.[1];
    // In "FACTURA DE VENTA 41/2024" the lead ends a title.
    const endsTitle = lead !== undefined && lead.length > 3 && /\p{Lu}{2}\s+$/u.test(text.slice(0, from));
    if (
      lead &&
      (endsTitle || lead !== lead.toUpperCase() || /^(NO|NR|N|NUM|DU|LE|VOM|VON|OF|ID|REF|PO|AM|DATE)$/.test(lead))
    )
      value = value.slice(lead.length + 1);
    found.push({ value, from: to - value.length, to });
  }
  return found;
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

/** "Statement of charges F430-16": a code in print that is larger than the rest. */
function codeInTitle(context: Context): Finding<string> | undefined {
  for (const segment of context.layout.segments) {
    if (segment.page > 1 || segment.box[1] > 0.5 || segment.height < context.layout.lineHeight * 1.3) continue;
    const code = identifiersIn(segment.text).at(-1);
    if (code && isCode(code.value) && /\p{L}{3}/u.test(segment.text.slice(0, code.from))) return guess(segment, code);
  }
  return undefined;
}

/** A code beside the issue date that no label gives to anything else. */
function codeBeside(
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
function laterDateBeside(context: Context, issue: Finding<string> | undefined): Finding<string> | undefined {
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

function datesNear(context: Context, label: Label): Candidate<string>[] {
  return valuesNear(
    context.layout,
    label,
    (segment) => context.isLabel(segment),
    (text) => findDates(text, context.dateOrder).map((date) => ({ value: date.iso, from: date.from, to: date.to })),
    { maxRowsBelow: 3 },
  );
}

function findIban(context: Context): Finding<string> | undefined {
  const all = context.layout.segments.flatMap((segment) => findIbans(segment.text).map((code) => ({ segment, code })));
  const ranked = all
    .map((entry) => ({
      ...entry,
      points: (entry.code.isValid ? 1 : 0.4) + (hasIbanLabel(context, entry.segment) ? 0.5 : 0),
    }))
    .sort((left, right) => right.points - left.points);
  const winner = ranked[0];
  if (!winner) return findOddIban(context);
  return findingIn(winner.code.value, winner.segment, boxOfSpan(winner.segment, winner.code.from, winner.code.to), {
    fit: Math.min(1, winner.points),
    isLabelled: hasIbanLabel(context, winner.segment),
    isChecked: winner.code.isValid,
    margin: ranked.some((other) => other.code.value !== winner.code.value && other.points === winner.points) ? 0.2 : 1,
  });
}

/** What stands behind the word IBAN is reported even when its length or check digits are wrong, with little confidence. */
function findOddIban(context: Context): Finding<string> | undefined {
  const find = (text: string): Found<string>[] =>
    [...text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{2,4}){2,8}(?![A-Za-z0-9*])/g)].map((match) => ({
      value: match[0].replace(/\s/g, ""),
      from: match.index,
      to: match.index + match[0].length,
    }));
  const candidate = context.labels
    .filter((label) => label.name === "iban")
    .flatMap((label) => valuesNear(context.layout, label, (segment) => context.isLabel(segment), find))
    .sort((left, right) => right.fit - left.fit)[0];
  if (!candidate) return undefined;
  return findingIn(candidate.value, candidate.segment, candidate.box, {
    fit: 0.2,
    isLabelled: false,
    isChecked: false,
    margin: 0,
  });
}

function hasIbanLabel(context: Context, segment: Segment): boolean {
  const row = context.layout.rows[segment.row]!;
  return context.labels.some(
    (label) => label.name === "iban" && (label.segment.id === segment.id || row.segments.includes(label.segment)),
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
