import { isLargePrint, isRightUnder } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import { fold } from "../../reading/normalize.ts";
import { movementIndex, sectionIndex, wordsOf } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import type { Amount, Cells } from "./movement-rows.ts";

export type Direction = "debit" | "credit";
/** What stands under a heading: money out, money in, balances of days, or anything. */
export type Section = Direction | "balance" | "any";

/** What a row says of the direction of its amount: its column, its sign, a word or letter beside it. */
export function directionIn(row: Row, { moved, role }: Cells): Direction | undefined {
  if (role === "debit" || role === "credit") return role;
  if (moved.number.value < 0) return "debit";
  return markOf(row, moved) ?? wordIn(row);
}

/** "120,00 S", "500.00 CR", "1.900,00+", or "Af" in a cell beside the amount. */
function markOf(row: Row, { segment, number }: Amount): Direction | undefined {
  const tail = segment.text.slice(number.to).trim();
  if (/^\+/.test(segment.text.slice(number.from)) || tail === "+") return "credit";
  const at = row.segments.indexOf(segment);
  const beside = [row.segments[at + 1]?.text, ...row.segments.slice(0, at).map(({ text }) => text)];
  return [/^\p{L}+\.?(?=$|\s)/u.exec(tail)?.[0], ...beside].map(markIn).find(Boolean);
}

function markIn(text: string | undefined): Direction | undefined {
  if (text && /^[-–−+]$/.test(text)) return text === "+" ? "credit" : "debit";
  return marks.get(fold(text ?? "").replace(/\.$/, ""));
}

const marks = new Map(wordsOf("mark.").map(({ meaning, phrase }) => [fold(phrase), meaning.slice(5) as Direction]));

/** Whether a cell holds nothing but the direction of the amount beside it. */
export function isMark(text: string): boolean {
  return markIn(text) !== undefined;
}

/** "Withdrawal", "CREDIT" in a cell of their own. */
function wordIn({ segments }: Row): Direction | undefined {
  return segments
    .flatMap((segment) => labelsIn(segment, movementIndex))
    .flatMap(({ name, isAlone }) => (isAlone && (name === "debit" || name === "credit") ? [name] : []))[0];
}

/** "Deposits and other credits", "Virements reçus": a heading over movements says which way they went. */
export function sectionOf({ layout }: Context, row: Row, isOverHeader: boolean): Section | undefined {
  const [heading] = row.segments;
  if (!heading || row.segments.length > 1 || /\d/.test(row.text) || row.text.split(" ").length > longestHeading)
    return undefined;
  const before = layout.rows[row.index - 1];
  // What stands right under a movement is more of its description.
  const isApart = before?.page !== row.page || !isRightUnder(row.top, before.bottom, layout.lineHeight);
  if (!isApart && !isOverHeader && !heading.isBold && !isLargePrint(heading.height, layout.lineHeight))
    return undefined;
  const named = labelsIn(heading, sectionIndex).map(({ name }) => name);
  const columns = labelsIn(heading, movementIndex).map(({ name }) => name);
  const said = new Set(named.length > 0 ? named : columns.filter((name) => name === "debit" || name === "credit"));
  return said.size > 1 ? "any" : ([...said][0] as Section | undefined);
}

/** Words of a heading such as "ATM and debit card withdrawals and other debits": a guess. */
const longestHeading = 10;
