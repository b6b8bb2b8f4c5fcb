import type { Box } from "../../../ports/document-reader.ts";
import type { FoundNumber } from "../../reading/amounts.ts";
import { type DateOrder, findDates } from "../../reading/dates.ts";
import { isInColumn, isNearColumn } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import { boxOfSpan, type Row } from "../../reading/layout.ts";
import type { Segment } from "../../reading/segment.ts";
import { type MovementRole, saysCarried, statementIndex } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { isLoneWhole, startsWithSum } from "../spans.ts";
import { markAfter } from "./marks.ts";
import { type Header, isDirection, isMoneyRole } from "./movement-headers.ts";

/** The date of a row: where it stands and ends. */
export interface Lead {
  readonly segment: Segment;
  readonly iso: string | null;
  readonly to: number;
}

/** The first and the last day that the movements may have. */
export type Period = readonly [string, string];

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
