import { isLargePrint, isRightUnder } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import { movementIndex, sectionIndex } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { type Direction, markAfter, markIn } from "./marks.ts";
import { findHeader } from "./movement-headers.ts";
import type { Amount, Cells } from "./movement-rows.ts";

/** What stands under a heading: money out, money in, balances of days, or anything. */
export type Section = Direction | "balance" | "any";

/** What a row says of the direction of its amount: its column, the heading over it where that and the sign are not at odds, its sign, a word or letter beside it. */
export function directionIn(row: Row, { moved, role }: Cells, section: Direction | undefined): Direction | undefined {
  if (role === "debit" || role === "credit") return role;
  if (moved.number.value < 0) return section ?? "debit";
  return markOf(row, moved) ?? wordIn(row);
}

/** A mark behind the amount, or in a cell before it. */
function markOf(row: Row, { segment, number }: Amount): Direction | undefined {
  if (/^\+/.test(segment.text.slice(number.from))) return "credit";
  const before = row.segments.slice(0, row.segments.indexOf(segment));
  return markAfter(row, segment, number.to) ?? before.map(({ text }) => markIn(text)).find(Boolean);
}

/** "Withdrawal", "CREDIT" in a cell of their own. */
function wordIn({ segments }: Row): Direction | undefined {
  return segments
    .flatMap((segment) => labelsIn(segment, movementIndex))
    .flatMap(({ name, isAlone }) => (isAlone && (name === "debit" || name === "credit") ? [name] : []))[0];
}

/** "Deposits and other credits", "Virements reçus": a heading over movements says which way they went. */
export function sectionOf(context: Context, row: Row): Section | undefined {
  const { layout } = context;
  const [heading] = row.segments;
  if (!heading || row.segments.length > 1 || /\d/.test(row.text) || row.text.split(" ").length > longestHeading)
    return undefined;
  const before = layout.rows[row.index - 1];
  // What stands right under a movement is more of its description.
  const isApart = before?.page !== row.page || !isRightUnder(row.top, before.bottom, layout.lineHeight);
  const next = layout.rows[row.index + 1];
  const isOverHeader = next !== undefined && findHeader(context, next) !== undefined;
  if (!isApart && !isOverHeader && !heading.isBold && !isLargePrint(heading.height, layout.lineHeight))
    return undefined;
  const named = labelsIn(heading, sectionIndex).map(({ name }) => name);
  const columns = labelsIn(heading, movementIndex).map(({ name }) => name);
  const said = new Set(named.length > 0 ? named : columns.filter((name) => name === "debit" || name === "credit"));
  return said.size > 1 ? "any" : ([...said][0] as Section | undefined);
}

/** Words of a heading such as "ATM and debit card withdrawals and other debits": a guess. */
const longestHeading = 10;
