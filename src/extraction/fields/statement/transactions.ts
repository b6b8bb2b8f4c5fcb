import type { Box } from "../../../ports/document-reader.ts";
import { cent } from "../../reading/amounts.ts";
import { union } from "../../reading/geometry.ts";
import type { Context } from "../context.ts";
import { candidateIn, type Finding, weigh } from "../pick.ts";
import { directionIn } from "./directions.ts";
import { findMovements, type Movement } from "./find-movements.ts";
import type { Direction } from "./marks.ts";
import type { Period } from "./movement-rows.ts";

export interface Transaction {
  date: string | null;
  description: string | null;
  debit: number | null;
  credit: number | null;
  balance: number | null;
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

/** The headings over movements that count: one over amounts of both signs leaves it to the signs. */
function uniformSections(movements: readonly Movement[]): ReadonlySet<Direction> {
  const signsUnder = (section: Direction): Set<boolean> =>
    new Set(movements.filter((one) => one.section === section).map(({ moved }) => moved.number.value < 0));
  return new Set((["debit", "credit"] as const).filter((section) => signsUnder(section).size === 1));
}

function settle(movements: readonly Movement[], opening: number | undefined): Settled[] {
  const uniform = uniformSections(movements);
  const said = movements.map((movement) =>
    directionIn(
      movement.row,
      movement,
      [...uniform].find((section) => section === movement.section),
    ),
  );
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
