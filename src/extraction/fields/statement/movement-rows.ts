import type { Box } from "../../../ports/document-reader.ts";
import type { FoundNumber } from "../../reading/amounts.ts";
import { type DateOrder, findDates } from "../../reading/dates.ts";
import { isInColumn, isNearColumn, isRightUnder } from "../../reading/geometry.ts";
import { type Label, labelsIn } from "../../reading/labels.ts";
import { boxOfSpan, type Row } from "../../reading/layout.ts";
import type { Segment } from "../../reading/segment.ts";
import { type MovementRole, movementIndex, saysCarried, statementIndex } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { isLoneWhole, startsWithSum } from "../spans.ts";
import { markAfter } from "./marks.ts";

export interface Header {
  readonly columns: readonly { role: MovementRole; segment: Segment }[];
}

/** The date of a row: where it stands and ends. */
export interface Lead {
  readonly segment: Segment;
  readonly iso: string | null;
  readonly to: number;
}

/** The first and the last day that the movements may have. */
export type Period = readonly [string, string];

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

function isDirection(role: MovementRole): boolean {
  return role === "debit" || role === "credit";
}

export interface Amount {
  readonly segment: Segment;
  readonly number: FoundNumber;
  readonly box: Box;
}

/** "03.06" is a day where commas mark decimals. */
const shortDate = /^\d{1,2}\.\d{2}$/;

/** Amounts, and under the heading of one whole numbers that stand alone. */
export function moneyOf(context: Context, row: Row, header: Header | undefined, lead: Lead | undefined): Amount[] {
  const isOfDate = ({ text, box }: Segment): boolean =>
    isLoneDay(text) &&
    (header?.columns.some(({ role, segment }) => role === "date" && isInColumn(segment.box, box)) ?? false);
  return row.segments.flatMap((segment) =>
    context
      .numbersIn(segment)
      .filter(({ from }) => !(segment === lead?.segment && from < lead.to) && !isOfDate(segment))
      .map((number) => ({ segment, number, box: boxOfSpan(segment, number.from, number.to) }))
      .filter(({ number, box }) => {
        const written = segment.text.slice(number.from, number.to);
        if (context.isMoney(number)) return !(context.decimalMark === "," && shortDate.test(written));
        return header?.columns.some(
          ({ role, segment: head }) =>
            isLoneWhole(number, segment.text) && isMoneyRole(role) && isInColumn(head.box, box),
        );
      }),
  );
}

/** The date that a row begins with, or has in the column for it; "02 Mar" and "JAN03" take their year from the period. */
export function leadDate(
  context: Context,
  row: Row,
  header: Header | undefined,
  period: Period | undefined,
): Lead | undefined {
  const lead = row.segments[0]!;
  const column = header?.columns.find(({ role }) => role === "date");
  const dated = column && row.segments.find(({ box }) => isInColumn(column.segment.box, box));
  for (const segment of new Set([lead, dated ?? lead])) {
    const found = findDates(segment.text, context.dateOrder);
    if (found[0] && found[0].from <= 1)
      return { segment, iso: yearFirst(segment.text, found[0].iso, period) ?? found[0].iso, to: found.at(-1)!.to };
    const short = shortDay.exec(segment.text);
    const iso = short ? dateInPeriod(context, short[0], period) : null;
    // Three letters and a number may be anything, such as "REF 12".
    if (short && (iso || /^\d/.test(short[0]))) return { segment, iso, to: short[0].length };
  }
  return undefined;
}

/** "26.10.01" is the first of October where the statement is of that month, as in Hungary. */
function yearFirst(text: string, read: string, period: Period | undefined): string | undefined {
  const [, year, month, day] = /^(\d{2})[./-](\d{2})[./-](\d{2})(?!\d)/.exec(text) ?? [];
  const turned = `20${year}-${month}-${day}`;
  if (!year || !period || daysAway(read, period) < longestDelay) return undefined;
  return daysAway(turned, period) < longestDelay ? turned : undefined;
}

/** "02 Mar", "02/03", "Mar 2", "MAR02": a day without its year. */
const shortDay = /^(?:\d{1,2}[ ./-](?:\d{1,2}|\p{L}{3,4})\.?|\p{L}{3,4}\.? ?\d{1,2})(?=\s|$)/u;

/** "14.06." alone in its cell: the day that the money counts from. */
export function isLoneDay(text: string): boolean {
  const [date] = findDates(text, "dmy");
  if (date) return date.from === 0 && !/[\p{L}\d]/u.test(text.slice(date.to));
  return shortDay.exec(text)?.[0].length === text.length;
}

/** A balance, a sum or what is carried over to the next page. What may mean other things as well does not where a date begins the row. */
export function isSumRow(
  context: Context,
  row: Row,
  lead: Lead | undefined,
  header: Header | undefined,
  amounts: readonly Amount[],
): boolean {
  const isUndated = lead === undefined;
  const labels = row.segments.flatMap((segment) => labelsIn(segment, statementIndex));
  const isSum = labels.some(
    ({ name, isStrong, isAlone, segment, from, to }) =>
      from <= 3 &&
      (name === "opening_balance" || name === "closing_balance"
        ? isStrong || (isUndated && isDay(context, segment.text.slice(to)))
        : name === "sum" && (isUndated || isAlone)),
  );
  if (isSum) return true;
  if (isUndated) return saysCarried(row.text) || row.segments.some((segment) => startsWithSum(context, segment));
  // "Übertrag auf Sparkonto" behind a date is a transfer, and so is "Übertrag" with an amount that moves.
  const isCarried = row.segments.some((segment) =>
    context.labelsOf(segment).some(({ name, isAlone }) => name === "carried" && isAlone),
  );
  return isCarried && !(header && isInColumns(header, amounts));
}

/** Nothing, or a day: "Kontostand am 30.11.2023 um 20:02 Uhr". */
function isDay({ dateOrder }: Context, text: string): boolean {
  return findDates(text, dateOrder).length > 0 || !/\p{L}/u.test(text);
}

export function isInColumns(header: Header, amounts: readonly Amount[]): boolean {
  return amounts.some(({ box }) => isMovedRole(roleOf(header, box)));
}

/** A table of balances alone has no movements. */
export function hasMovements({ columns }: Header): boolean {
  return columns.some(({ role }) => isMovedRole(role));
}

function isMovedRole(role: MovementRole | undefined): boolean {
  return role !== undefined && (isDirection(role) || role === "amount");
}

function roleOf(header: Header | undefined, box: Box): MovementRole | undefined {
  const near = header?.columns
    .filter(({ role }) => isMoneyRole(role))
    .map(({ role, segment }) => ({
      role,
      distance: isInColumn(segment.box, box)
        ? 0
        : Math.min(Math.abs(segment.box[2] - box[2]), Math.abs(segment.box[0] - box[0])),
    }))
    .sort((left, right) => left.distance - right.distance)[0];
  return near && isNearColumn(near.distance) ? near.role : undefined;
}

function isMoneyRole(role: MovementRole): boolean {
  return role !== "date" && role !== "description";
}

/** "50.00 D" is owed to the bank. */
function signedBalance(row: Row, { segment, number }: Amount): number {
  return markAfter(row, segment, number.to) === "debit" ? -Math.abs(number.value) : number.value;
}

/** What moved, the column it stands in, and the balance after it. */
export interface Cells {
  readonly moved: Amount;
  readonly role: MovementRole | undefined;
  readonly balance: number | undefined;
}

export function cellsOf(row: Row, amounts: readonly Amount[], header: Header | undefined): Cells | undefined {
  const byRole = new Map<MovementRole, Amount>();
  const columns = (header?.columns ?? []).filter(({ role }) => isMoneyRole(role));
  const isFull = amounts.length === columns.length;
  for (const [index, amount] of amounts.entries()) {
    // Where every column has its amount their order tells them apart, wherever in the cell they stand.
    const role = isFull ? columns[index]!.role : roleOf(header, amount.box);
    // "0.00" fills the column that the amount is not in.
    const isFiller = amount.number.value === 0 && role !== "balance";
    if (role && !isFiller && !byRole.has(role)) byRole.set(role, amount);
  }
  const hasBalance = header === undefined || header.columns.some(({ role }) => role === "balance");
  const after = byRole.get("balance") ?? (hasBalance && amounts.length > 1 ? amounts.at(-1) : undefined);
  const balance = after && signedBalance(row, after);
  const role = (["debit", "credit", "amount"] as const).find((one) => byRole.has(one));
  const moved = role ? byRole.get(role) : amounts.length > 1 || balance === undefined ? amounts[0] : undefined;
  return moved && { moved, role, balance };
}

/** The sums of both columns under a list. */
export function fillsBothColumns(amounts: readonly Amount[], header: Header | undefined): boolean {
  const roles = amounts.filter(({ number }) => number.value !== 0).map(({ box }) => roleOf(header, box));
  return roles.includes("debit") && roles.includes("credit");
}

/** "02 Mar" takes its year from the statement's period, also across a new year; a day that was booked late lies before it. */
function dateInPeriod(context: Context, text: string, period: Period | undefined): string | null {
  if (!period) return null;
  const bare = text.trim().replace(/\.$/, "");
  const separator = /^\d{1,2}[./-]\d{1,2}$/.test(bare) ? (bare.match(/[./-]/)?.[0] ?? "/") : " ";
  const years = [period[0], period[1]].map((day) => Number(day.slice(0, 4)));
  const near = (order: DateOrder, most: number): string | undefined => {
    const days = [years[0]! - 1, ...years, years[1]! + 1].flatMap(
      (year) => findDates(`${bare}${separator}${year}`, order)[0]?.iso ?? [],
    );
    const [nearest] = days.sort((one, other) => daysAway(one, period) - daysAway(other, period));
    return nearest && daysAway(nearest, period) < most ? nearest : undefined;
  };
  // Beside "2024-06-03" a day is written "06-03".
  const isMonthFirst = separator === "-" && /(?<!\d)20\d{2}-\d{2}-\d{2}(?!\d)/.test(context.layout.text);
  return near(isMonthFirst ? "mdy" : context.dateOrder, longestDelay) ?? null;
}

function daysAway(day: string, [start, end]: Period): number {
  return Math.max(0, Date.parse(start) - Date.parse(day), Date.parse(day) - Date.parse(end)) / msPerDay;
}

const msPerDay = 86_400_000;
/** Half a year: beyond it the other year is nearer. */
const longestDelay = 183;
