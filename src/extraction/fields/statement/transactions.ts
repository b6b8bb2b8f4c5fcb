import type { Box } from "../../../ports/document-reader.ts";
import type { FoundNumber } from "../../reading/amounts.ts";
import { cent } from "../../reading/amounts.ts";
import { findDates } from "../../reading/dates.ts";
import { isInColumn, isNearColumn, isRightUnder, union } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import { boxOfSpan, type Row } from "../../reading/layout.ts";
import type { Segment } from "../../reading/segment.ts";
import { type MovementRole, movementIndex, saysCarried, statementIndex } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { candidateIn, type Finding, weigh } from "../pick.ts";
import { isLoneWhole, startsWithSum } from "../spans.ts";

export interface Transaction {
  date: string | null;
  description: string | null;
  debit: number | null;
  credit: number | null;
  balance: number | null;
}

interface Header {
  readonly columns: readonly { role: MovementRole; segment: Segment }[];
}

interface Open {
  readonly transaction: Transaction;
  readonly segment: Segment;
  box: Box;
  last: Row;
  isChecked: boolean | undefined;
  readonly isHeaded: boolean;
}

/** Reads the rows of movements; a date holds until the next one, and the running balance says what is debit and what is credit. */
export function findTransactions(
  context: Context,
  opening: number | undefined,
  period: [string, string] | undefined,
): Finding<Transaction>[] {
  const found: Open[] = [];
  let header: Header | undefined;
  let date: string | null = null;
  let balance = opening;
  for (const row of context.layout.rows) {
    const next = findHeader(context, row);
    if (next) {
      header = next;
      continue;
    }
    const lead = leadDate(context, row, header, period);
    const amounts = moneyOf(context, row, header);
    const isSum =
      isBalanceRow(row, lead === undefined) || (lead === undefined && startsWithSum(context, row.segments[0]!));
    if (isSum) {
      const carried = amounts.at(-1)?.number.value;
      // A balance brought forward is where the next movement starts from, and no movement.
      if (carried !== undefined && found.length === 0) balance ??= carried;
      continue;
    }
    const isMovement =
      amounts.length > 0 &&
      (lead !== undefined || (header !== undefined && date !== null && isInColumns(header, amounts)));
    if (!isMovement) {
      // A day alone on its row is that of what stands under it.
      if (lead && row.segments.length === 1 && lead.to >= row.text.length) date = lead.iso;
      else extend(context, found.at(-1), row, header, amounts.length);
      continue;
    }
    date = lead?.iso ?? date;
    const read = readAmounts(row, amounts, header, balance);
    if (!read) continue;
    balance = read.balance ?? (balance === undefined ? undefined : Math.round((balance + read.moved) * 100) / 100);
    found.push({
      transaction: {
        date,
        description: describe(row, lead, amounts),
        debit: read.moved < 0 ? -read.moved : null,
        credit: read.moved >= 0 ? read.moved : null,
        balance: read.balance ?? null,
      },
      box: row.segments.map((segment) => segment.box).reduce(union),
      segment: row.segments[0]!,
      isChecked: read.isChecked,
      last: row,
      isHeaded: header !== undefined,
    });
  }
  if (isNewestFirst(found.map(({ transaction }) => transaction))) checkUpwards(found);
  return found.map((open) =>
    weigh(
      "transactions",
      candidateIn(open.transaction, open.segment, open.box, {
        headed: open.isHeaded,
        checked: open.isChecked === true,
        failed: open.isChecked === false,
      }),
    ),
  );
}

export function isNewestFirst(transactions: readonly Transaction[]): boolean {
  const dates = transactions.flatMap(({ date }) => date ?? []);
  return dates.length > 1 && dates[0]! > dates.at(-1)!;
}

/** The newest movement stands first: each balance comes of the one below it. */
function checkUpwards(found: readonly Open[]): void {
  for (const [index, open] of found.entries()) {
    const { debit, credit, balance } = open.transaction;
    const before = found[index + 1]?.transaction.balance;
    open.isChecked =
      balance === null || before == null ? undefined : Math.abs(before + (credit ?? 0) - (debit ?? 0) - balance) < cent;
  }
}

/** Headings in one row, or in two that stand over each other: "Paid out" over "(£)". */
function findHeader({ layout }: Context, row: Row): Header | undefined {
  const next = layout.rows[row.index + 1];
  const isStacked =
    next?.page === row.page && isRightUnder(next.top, row.bottom, layout.lineHeight) && !headerOf(next.segments);
  return headerOf(row.segments) ?? (isStacked ? headerOf([...row.segments, ...next.segments]) : undefined);
}

function headerOf(segments: readonly Segment[]): Header | undefined {
  const columns = segments
    .flatMap((segment) => {
      const labels = labelsIn(segment, movementIndex);
      // "Montant débit" and "Credit amount" say more than that they are amounts.
      const label =
        labels.find(
          ({ name, to }) => (name === "debit" || name === "credit") && /^\P{L}*$/u.test(segment.text.slice(to)),
        ) ?? labels.find((candidate) => candidate.from <= 1);
      return label ? [{ role: label.name, segment }] : [];
    })
    .sort((left, right) => left.segment.box[0] - right.segment.box[0]);
  const roles = new Set(columns.map((column) => column.role));
  const hasMoney = roles.has("balance") || roles.has("amount") || roles.has("debit") || roles.has("credit");
  if (segments.some((segment) => /\d[.,]\d{2}(?!\d)/.test(segment.text))) return undefined;
  // Some banks call the date by words nobody else does.
  return hasMoney && (roles.has("date") || roles.has("description")) && segments.length >= 3 ? { columns } : undefined;
}

interface Amount {
  readonly segment: Segment;
  readonly number: FoundNumber;
  readonly box: Box;
}

/** "03.06" is a day where commas mark decimals. */
const shortDate = /^\d{1,2}\.\d{2}$/;

/** Amounts, and under the heading of one whole numbers that stand alone. */
function moneyOf(context: Context, row: Row, header: Header | undefined): Amount[] {
  return row.segments.flatMap((segment) =>
    context
      .numbersIn(segment)
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
function leadDate(
  context: Context,
  row: Row,
  header: Header | undefined,
  period: [string, string] | undefined,
): { segment: Segment; iso: string | null; to: number } | undefined {
  const lead = row.segments[0]!;
  const column = header?.columns.find(({ role }) => role === "date");
  const dated = column && row.segments.find(({ box }) => isInColumn(column.segment.box, box));
  for (const segment of new Set([lead, dated ?? lead])) {
    const found = findDates(segment.text, context.dateOrder);
    if (found[0] && found[0].from <= 1) return { segment, iso: found[0].iso, to: found.at(-1)!.to };
    const short = shortDay.exec(segment.text);
    const iso = short ? dateInPeriod(context, short[0], period) : null;
    // Three letters and a number may be anything, such as "REF 12".
    if (short && (iso || /^\d/.test(short[0]))) return { segment, iso, to: short[0].length };
  }
  return undefined;
}

/** "02 Mar", "02/03", "Mar 2", "MAR02": a day without its year. */
const shortDay = /^(?:\d{1,2}[ ./-](?:\d{1,2}|\p{L}{3,4})\.?|\p{L}{3,4}\.? ?\d{1,2})(?=\s|$)/u;

/** A word that may mean other balances too does so only where no date begins the row. */
function isBalanceRow(row: Row, isUndated: boolean): boolean {
  const labels = row.segments.flatMap((segment) => labelsIn(segment, statementIndex));
  return (
    labels.some(
      ({ name, isStrong, isAlone, from }) =>
        (name === "opening_balance" || name === "closing_balance") && (isStrong || (isUndated && isAlone)) && from <= 3,
    ) || saysCarried(row.text)
  );
}

function isInColumns(header: Header, amounts: readonly Amount[]): boolean {
  return amounts.some(({ box }) => ["debit", "credit", "amount"].includes(roleOf(header, box) ?? ""));
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

function readAmounts(
  row: Row,
  amounts: readonly Amount[],
  header: Header | undefined,
  before: number | undefined,
): { moved: number; balance: number | undefined; isChecked: boolean | undefined } | undefined {
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
  const after =
    byRole.get("balance")?.number.value ??
    (hasBalance && amounts.length > 1 ? amounts.at(-1)!.number.value : undefined);
  const moved =
    byRole.get("debit") ??
    byRole.get("credit") ??
    byRole.get("amount") ??
    (amounts.length > 1 || after === undefined ? amounts[0] : undefined);
  if (!moved) return undefined;
  const size = Math.abs(moved.number.value);
  const tail = moved.segment.text.slice(moved.number.to).trim();
  // "Withdrawal", "DR", "Af" in a cell of their own.
  const said = row.segments
    .flatMap((segment) => labelsIn(segment, movementIndex))
    .find(({ name, isAlone }) => isAlone && (name === "debit" || name === "credit"))?.name;
  let isDebit = byRole.has("debit")
    ? true
    : byRole.has("credit")
      ? false
      : moved.number.value < 0 || /^(DR|D|S|Af)\b/.test(tail) || said === "debit";
  let isChecked: boolean | undefined;
  if (before !== undefined && after !== undefined) {
    const isOut = Math.abs(before - size - after) < cent;
    const isIn = Math.abs(before + size - after) < cent;
    if (isOut !== isIn) isDebit = isOut;
    isChecked = isOut || isIn;
  }
  return { moved: isDebit ? -size : size, balance: after, isChecked };
}

function describe(
  row: Row,
  lead: { segment: Segment; to: number } | undefined,
  amounts: readonly Amount[],
): string | null {
  const parts = row.segments.map((segment) => {
    const own = amounts.find((amount) => amount.segment === segment);
    const from = segment === lead?.segment ? lead.to : 0;
    return segment.text.slice(from, own?.number.from).trim();
  });
  return parts.filter((text) => /\p{L}/u.test(text)).join(" ") || null;
}

/** Text right under a movement goes on with it. */
function extend(context: Context, open: Open | undefined, row: Row, header: Header | undefined, amounts: number): void {
  if (!open || !header || amounts > 0 || row.page !== open.last.page) return;
  if (!isRightUnder(row.top, open.last.bottom, context.layout.lineHeight)) return;
  if (labelsIn(row.segments[0]!, statementIndex).some((label) => label.isStrong)) return;
  open.transaction.description = [open.transaction.description, row.text].filter(Boolean).join(" ");
  open.last = row;
}

/** "02 Mar" takes its year from the statement's period, also across a new year. */
function dateInPeriod(context: Context, text: string, period: [string, string] | undefined): string | null {
  if (!period) return null;
  for (const edge of [period[0], period[1]]) {
    const bare = text.trim().replace(/\.$/, "");
    const separator = /^\d{1,2}[./-]\d{1,2}$/.test(bare) ? (bare.match(/[./-]/)?.[0] ?? "/") : " ";
    const date = findDates(`${bare}${separator}${edge.slice(0, 4)}`, context.dateOrder)[0]?.iso;
    if (date && date >= period[0] && date <= period[1]) return date;
  }
  return null;
}
