import type { Box } from "../../../ports/document-reader.ts";
import { cent } from "../../reading/amounts.ts";
import { isRightUnder, union } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import { statementIndex } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { candidateIn, type Finding, weigh } from "../pick.ts";
import { type Direction, directionIn, isMark, type Section, sectionOf } from "./directions.ts";
import {
  type Amount,
  type Cells,
  cellsOf,
  findHeader,
  type Header,
  hasMovements,
  isInColumns,
  isLoneDay,
  isSumRow,
  type Lead,
  leadDate,
  moneyOf,
  type Period,
} from "./movement-rows.ts";

export interface Transaction {
  date: string | null;
  description: string | null;
  debit: number | null;
  credit: number | null;
  balance: number | null;
}

/** A movement as it is printed, before its direction is settled. */
interface Movement extends Cells {
  readonly date: string | null;
  description: string | null;
  readonly row: Row;
  last: Row;
  readonly section: Section | undefined;
  readonly isHeaded: boolean;
}

interface Settled {
  readonly transaction: Transaction;
  isChecked: boolean | undefined;
}

/** Reads the movements of a statement; the running balance says what is debit and what is credit, and elsewhere columns, signs, words and headings do. */
export function findTransactions(
  context: Context,
  opening: number | undefined,
  period: Period | undefined,
): Finding<Transaction>[] {
  const { movements, carried } = findMovements(context, period);
  const settled = settle(movements, opening ?? carried);
  if (isNewestFirst(settled.map(({ transaction }) => transaction))) checkUpwards(settled);
  return settled.map(({ transaction, isChecked }, index) => {
    const { row, isHeaded } = movements[index]!;
    return weigh(
      "transactions",
      candidateIn(
        transaction,
        row.segments[0]!,
        row.segments.map(({ box }) => box).reduce((one, other): Box => union(one, other)),
        {
          headed: isHeaded,
          checked: isChecked === true,
          failed: isChecked === false,
        },
      ),
    );
  });
}

/** A date holds until the next one, and a heading until the next one. */
function findMovements(context: Context, period: Period | undefined): { movements: Movement[]; carried?: number } {
  const movements: Movement[] = [];
  let header: Header | undefined;
  let section: Section | undefined;
  let date: string | null = null;
  let carried: number | undefined;
  for (const row of context.layout.rows) {
    const next = findHeader(context, row);
    if (next) {
      header = next;
      if (next.columns.some(({ role }) => role === "debit" || role === "credit")) section = undefined;
      continue;
    }
    const lead = leadDate(context, row, header, period);
    const amounts = moneyOf(context, row, header);
    const following = context.layout.rows[row.index + 1];
    const heading =
      lead || amounts.length > 0
        ? undefined
        : sectionOf(context, row, following !== undefined && findHeader(context, following) !== undefined);
    if (heading) {
      section = heading;
      continue;
    }
    if (isSumRow(context, row, lead, header, amounts)) {
      // A balance brought forward is where the next movement starts from, and no movement.
      if (movements.length === 0) carried ??= amounts.at(-1)?.number.value;
      continue;
    }
    const isMovement =
      section !== "balance" &&
      amounts.length > 0 &&
      (header === undefined || hasMovements(header)) &&
      (lead !== undefined || (header !== undefined && date !== null && isInColumns(header, amounts)));
    if (!isMovement) {
      // A day alone on its row is that of what stands under it.
      if (lead && row.segments.length === 1 && lead.to >= row.text.length) date = lead.iso;
      else extend(context, movements.at(-1), row, amounts.length);
      continue;
    }
    date = lead?.iso ?? date;
    const cells = cellsOf(amounts, header);
    if (!cells) continue;
    const description = describe(row, lead, amounts);
    movements.push({ ...cells, date, description, row, last: row, section, isHeaded: header !== undefined });
  }
  return { movements, ...(carried === undefined ? {} : { carried }) };
}

function settle(movements: readonly Movement[], opening: number | undefined): Settled[] {
  const said = movements.map((movement) => directionIn(movement.row, movement));
  // "500.00 CR" among bare amounts: these are the debits.
  const isCreditMarked = said.includes("credit") && !said.includes("debit");
  const rest: Direction = isCreditMarked && movements.every(({ role }) => role !== "credit") ? "debit" : "credit";
  let before = opening;
  return movements.map(({ moved, balance: after, section, date, description }, index): Settled => {
    const size = Math.abs(moved.number.value);
    let direction = said[index] ?? (section === "debit" || section === "credit" ? section : rest);
    let isChecked: boolean | undefined;
    if (before !== undefined && after !== undefined) {
      const isOut = Math.abs(before - size - after) < cent;
      const isIn = Math.abs(before + size - after) < cent;
      if (isOut !== isIn) direction = isOut ? "debit" : "credit";
      isChecked = isOut || isIn;
    }
    const isDebit = direction === "debit";
    before = after ?? (before === undefined ? undefined : Math.round((before + (isDebit ? -size : size)) * 100) / 100);
    const transaction = {
      date,
      description,
      debit: isDebit ? size : null,
      credit: isDebit ? null : size,
      balance: after ?? null,
    };
    return { transaction, isChecked };
  });
}

export function isNewestFirst(transactions: readonly Transaction[]): boolean {
  const dates = transactions.flatMap(({ date }) => date ?? []);
  return dates.length > 1 && dates[0]! > dates.at(-1)!;
}

/** The newest movement stands first: each balance comes of the one below it. */
function checkUpwards(found: readonly Settled[]): void {
  for (const [index, open] of found.entries()) {
    const { debit, credit, balance } = open.transaction;
    const before = found[index + 1]?.transaction.balance;
    open.isChecked =
      balance === null || before == null ? undefined : Math.abs(before + (credit ?? 0) - (debit ?? 0) - balance) < cent;
  }
}

function describe(row: Row, lead: Lead | undefined, amounts: readonly Amount[]): string | null {
  const parts = row.segments.map((segment) => {
    const own = amounts.find((amount) => amount.segment === segment);
    const from = segment === lead?.segment ? lead.to : 0;
    return segment.text.slice(from, own?.number.from).trim();
  });
  return parts.filter((text) => /\p{L}/u.test(text) && !isMark(text) && !isLoneDay(text)).join(" ") || null;
}

/** Text right under a movement goes on with it. */
function extend(context: Context, open: Movement | undefined, row: Row, amounts: number): void {
  if (!open?.isHeaded || amounts > 0 || row.page !== open.last.page) return;
  if (!isRightUnder(row.top, open.last.bottom, context.layout.lineHeight)) return;
  if (labelsIn(row.segments[0]!, statementIndex).some((label) => label.isStrong)) return;
  open.description = [open.description, row.text].filter(Boolean).join(" ");
  open.last = row;
}
