import { isLargePrint, isRightUnder, isSameBlock } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import { statementIndex } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { type Section, sectionOf } from "./directions.ts";
import { markIn } from "./marks.ts";
import { besideEachOther, findHeader, type Header, partUnder } from "./movement-headers.ts";
import {
  type Amount,
  type Cells,
  cellsOf,
  fillsBothColumns,
  hasMovements,
  isInColumns,
  isLoneDay,
  isSumRow,
  type Lead,
  leadDate,
  moneyOf,
  type Period,
} from "./movement-rows.ts";

/** A movement as it is printed, before its direction is settled. */
export interface Movement extends Cells {
  readonly date: string | null;
  description: string | null;
  readonly row: Row;
  last: Row;
  readonly section: Section | undefined;
  readonly isHeaded: boolean;
}

/** A date holds until the next one, and a heading until the next one. */
export function findMovements(
  context: Context,
  period: Period | undefined,
): { movements: Movement[]; carried?: number } {
  const movements: Movement[] = [];
  const { rows } = context.layout;
  let headers: readonly (Header | undefined)[] = [undefined];
  let section: Section | undefined;
  let date: string | null = null;
  let carried: number | undefined;
  /** Where the list goes on: what stands apart from it without a date is something else. */
  let last: Row | undefined;
  let widest = 0;
  const isNext = (row: Row): boolean =>
    last?.page === row.page &&
    (isSameBlock(row.top, last.bottom, context.layout.lineHeight) || row.top - last.bottom <= widest);
  const readRow = (row: Row, header: Header | undefined): void => {
    const lead = leadDate(context, row, header, period);
    const amounts = moneyOf(context, row, header, lead);
    const heading = lead || amounts.length > 0 ? undefined : sectionOf(context, row);
    if (heading) {
      section = heading;
      return;
    }
    if (isSumRow(context, row, lead, header, amounts)) {
      if (amounts.length === 0) last = undefined;
      else if (isNext(row)) last = row;
      // A balance brought forward is where the next movement starts from, and no movement.
      if (movements.length === 0) carried ??= amounts.at(-1)?.number.value;
      return;
    }
    const isMovement =
      section !== "balance" &&
      amounts.length > 0 &&
      (header === undefined || hasMovements(header)) &&
      (lead !== undefined ||
        (header !== undefined &&
          date !== null &&
          isNext(row) &&
          isInColumns(header, amounts) &&
          !fillsBothColumns(amounts, header)));
    if (!isMovement) {
      // A day alone on its row is that of what stands under it.
      if (lead && row.segments.length === 1 && lead.to >= row.text.length) {
        date = lead.iso;
        last = row;
      } else if (isHeading(row, movements.at(-1))) last = undefined;
      else {
        extend(context, movements.at(-1), row, amounts.length);
        if (isNext(row)) last = row;
      }
      return;
    }
    date = lead?.iso ?? date;
    const cells = cellsOf(row, amounts, header);
    if (!cells) {
      // A balance alone in its row.
      if (movements.length === 0) carried ??= amounts.at(-1)?.number.value;
      return;
    }
    if (last?.page === row.page) widest = Math.max(widest, row.top - last.bottom);
    last = row;
    const description = describe(row, lead, amounts);
    movements.push({ ...cells, date, description, row, last: row, section, isHeaded: header !== undefined });
  };
  for (const row of rows) {
    const next = findHeader(context, row);
    if (next) {
      headers = besideEachOther(next);
      last = row;
      if (next.columns.some(({ role }) => role === "debit" || role === "credit")) section = undefined;
      continue;
    }
    for (const [index, header] of headers.entries()) {
      const part = headers.length > 1 ? partUnder(row, headers as readonly Header[], index) : row;
      if (part) readRow(part, header);
    }
  }
  return { movements, ...(carried === undefined ? {} : { carried }) };
}

function describe(row: Row, lead: Lead | undefined, amounts: readonly Amount[]): string | null {
  const parts = row.segments.map((segment) => {
    const own = amounts.find((amount) => amount.segment === segment);
    const from = segment === lead?.segment ? lead.to : 0;
    return segment.text.slice(from, own?.number.from).trim();
  });
  return parts.filter((text) => /\p{L}/u.test(text) && !markIn(text) && !isLoneDay(text)).join(" ") || null;
}

/** What is larger or bolder than the list over it, or named, begins something else. */
function isHeading({ segments: [heading] }: Row, open: Movement | undefined): boolean {
  if (!heading || !open) return false;
  return (
    isLargePrint(heading.height, open.row.segments[0]!.height) ||
    (heading.isBold && !open.row.segments.some(({ isBold }) => isBold)) ||
    labelsIn(heading, statementIndex).some(({ isStrong }) => isStrong)
  );
}

/** Text right under a movement goes on with it. */
function extend(context: Context, open: Movement | undefined, row: Row, amounts: number): void {
  if (!open?.isHeaded || amounts > 0 || row.page !== open.last.page) return;
  if (!isRightUnder(row.top, open.last.bottom, context.layout.lineHeight)) return;
  open.description = [open.description, row.text].filter(Boolean).join(" ");
  open.last = row;
}
