import { isInColumn, isRightUnder } from "../../reading/geometry.ts";
import { type Label, labelsIn } from "../../reading/labels.ts";
import { boxOfSpan, type Row } from "../../reading/layout.ts";
import type { Segment } from "../../reading/segment.ts";
import { type MovementRole, movementIndex } from "../../reading/words.ts";
import type { Context } from "../context.ts";

export interface Header {
  readonly columns: readonly { role: MovementRole; segment: Segment }[];
}

/** Headings in one row, or in some that stand over each other: "Paid out" over "(£)", "Ending" over "daily" over "balance". */
export function findHeader({ layout }: Context, row: Row): Header | undefined {
  const own = headerOf(row.segments);
  let found = own;
  let last = row;
  const parts = [...row.segments];
  for (let line = 1; line < mostLines; line++) {
    const next = layout.rows[last.index + 1];
    const isStacked = next?.page === row.page && isRightUnder(next.top, last.bottom, layout.lineHeight);
    if (!isStacked || headerOf(next.segments) || (own && /\d/.test(next.text))) break;
    const columns = own?.columns ?? [];
    parts.push(...next.segments.filter(({ box }) => !columns.some(({ segment }) => isInColumn(segment.box, box))));
    found = headerOf(parts) ?? found;
    // Two rows make one heading where neither is one by itself.
    if (!own) break;
    last = next;
  }
  return found;
}

const mostLines = 3;

/** "Check, Date, Amount" twice in a row are two lists side by side, each with its part of every row. */
export function besideEachOther({ columns }: Header): Header[] {
  const cut = columns.findIndex(
    ({ role }, index) => role === "date" && columns.slice(0, index).some((before) => before.role === "amount"),
  );
  if (cut < 0) return [{ columns }];
  return [{ columns: columns.slice(0, cut) }, ...besideEachOther({ columns: columns.slice(cut) })];
}

/** The part of a row that stands under one of several lists. */
export function partUnder(row: Row, headers: readonly Header[], index: number): Row | undefined {
  const endOf = (header: Header | undefined): number | undefined =>
    header?.columns.findLast(({ role }) => role === "amount")?.segment.box[2];
  const from = endOf(headers[index - 1]) ?? Number.NEGATIVE_INFINITY;
  const to = index === headers.length - 1 ? Number.POSITIVE_INFINITY : endOf(headers[index])!;
  const segments = row.segments.filter(({ box }) => (box[0] + box[2]) / 2 > from && (box[0] + box[2]) / 2 < to);
  return segments.length > 0 ? { ...row, segments, text: segments.map(({ text }) => text).join(" ") } : undefined;
}

/** The row of the first heading of movements: what stands above it is said of the account. */
export function firstMovementRow(context: Context): number {
  return context.once("first movement row", () => {
    const row = context.layout.rows.findIndex((one) => findHeader(context, one));
    return row < 0 ? Number.POSITIVE_INFINITY : row;
  });
}

function headerOf(segments: readonly Segment[]): Header | undefined {
  const columns = segments
    // "Date d'arrêté : 31 Mars 2026" has its value with it.
    .filter(({ text }) => !/:\s*[\p{L}\d]/u.test(text))
    .flatMap(cutBetween)
    .flatMap((segment) => {
      const labels = columnLabels(segment);
      const directions = labels.filter(({ name }) => isDirection(name));
      // "Montant débit" and "Credit amount" say more than that they are amounts.
      const label =
        directions.find(({ to }) => /^\P{L}*$/u.test(segment.text.slice(to))) ??
        labels.find(({ name, to }) => name === "balance" && to === segment.text.length) ??
        labels.find(({ from }) => !/\p{L}/u.test(segment.text.slice(0, from)));
      // "Ausgang / Eingang", "Af Bij": one column for both.
      const isBoth = new Set(directions.map(({ name }) => name)).size > 1 && directions[0]!.from <= 1;
      return label ? [{ role: isBoth ? "amount" : label.name, segment }] : [];
    })
    .sort((left, right) => left.segment.box[0] - right.segment.box[0]);
  const roles = new Set(columns.map((column) => column.role));
  const hasMoney = roles.has("balance") || roles.has("amount") || roles.has("debit") || roles.has("credit");
  if (segments.some((segment) => /\d[.,]\d{2}(?!\d)/.test(segment.text))) return undefined;
  // Some banks call the date by words nobody else does.
  return hasMoney && (roles.has("date") || roles.has("description")) && segments.length >= 3 ? { columns } : undefined;
}

/** The "in" of "Belastung in EUR" is no word for money in. */
function columnLabels(segment: Segment): Label<MovementRole>[] {
  return labelsIn(segment, movementIndex).filter(({ from, length }) => from === 0 || length > 2);
}

/** "Belastung in EUR  Gutschrift in EUR" and "Kwota  Saldo" are two headings close together; "Ausgang / Eingang" is one of both. */
function cutBetween(segment: Segment): Segment[] {
  const labels = columnLabels(segment).filter(({ name }) => isMoneyRole(name));
  const [first, second] = labels.filter(({ name }) => isDirection(name));
  const isTwo = second && first!.name !== second.name && /\p{L}/u.test(segment.text.slice(first!.to, second.from));
  const balance = labels.find(({ name, from }) => name === "balance" && from > 0 && labels[0]!.name === "amount");
  const at = isTwo ? second.from : balance?.from;
  if (at === undefined) return [segment];
  const part = (from: number, to: number): Segment => ({
    ...segment,
    text: segment.text.slice(from, to).trim(),
    box: boxOfSpan(segment, from, to),
  });
  return [part(0, at), part(at, segment.text.length)];
}

export function isDirection(role: MovementRole): boolean {
  return role === "debit" || role === "credit";
}

export function isMoneyRole(role: MovementRole): boolean {
  return role !== "date" && role !== "description";
}
