import type { Box } from "../../ports/document-reader.ts";
import { isInColumn, isNearColumn, isSameBlock } from "../reading/geometry.ts";
import { labelsIn } from "../reading/labels.ts";
import { boxOfSpan, type Row } from "../reading/layout.ts";
import { type ColumnRole, columnIndex, isPostalLine } from "../reading/words.ts";
import type { Context } from "./context.ts";

interface Column {
  readonly role: ColumnRole;
  readonly box: Box;
}

/** The headings over a list of goods or services. */
export interface ItemHeader {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly page: number;
  readonly columns: readonly Column[];
}

/** Rows that name at least two columns, one of them of amounts. Headings may be stacked over up to four rows. */
export function findItemHeaders(context: Context): ItemHeader[] {
  return context.once("item headers", () => {
    const headers = searchItemHeaders(context, false);
    // "Einzelpreis" and "Teilsumme" over a list that does not say what it lists.
    return headers.length > 0 ? headers : searchItemHeaders(context, true);
  });
}

function searchItemHeaders(context: Context, isOnlyChoice: boolean): ItemHeader[] {
  const headers: ItemHeader[] = [];
  for (const row of context.layout.rows) {
    // "7 Items, Subtotal 8.57" heads nothing.
    if (headers.some((header) => row.index <= header.lastRow) || row.segments.some(context.hasMoney)) continue;
    let columns = columnsOf(context, row);
    if (!isHeader(columns, isOnlyChoice)) continue;
    let lastRow = row.index;
    let firstRow = row.index;
    for (const step of [-1, 1, 2]) {
      const other = context.layout.rows[row.index + step];
      if (!other || other.page !== row.page || !isStackedOn(context, row, other)) continue;
      if (other.segments.some((segment) => context.hasMoney(segment) || isPair(segment.text))) {
        if (step > 0) break;
        continue;
      }
      const own = columnsOf(context, other);
      const more = own.filter((column) => !columns.some((known) => isInColumn(known.box, column.box)));
      const isStacked = other.segments.every((segment) => segment.text.length < 30);
      if (more.length > 0 && isStacked) columns = [...columns, ...more];
      if (isStacked && step > 0 && more.length > 0) lastRow = other.index;
      // "Bill to: Marrow Foods" right over a list is no heading of it.
      if (isStacked && step < 0 && (own.length > 0 || (other.segments.length > 1 && !isPostalLine(other.text))))
        firstRow = Math.min(firstRow, other.index);
    }
    headers.push({ firstRow, lastRow, page: row.page, columns: columns.filter((one) => !isDoubtful(one, columns)) });
  }
  return headers;
}

/** "Price" beside "Total" is the price of one. */
function isDoubtful({ role, box }: Column, columns: readonly Column[]): boolean {
  const hasOther = columns.some((other) => other.role !== role && other.box.join() === box.join());
  return hasOther && columns.some((other) => other.role === role && other.box.join() !== box.join());
}

/** "Name: Rivas" is no heading: it has its value with it. */
function isPair(text: string): boolean {
  return /:\s*[\p{L}\d]/u.test(text);
}

/** Two rows of headings with at most one between them. */
function isStackedOn({ layout: { lineHeight } }: Context, row: Row, other: Row): boolean {
  return isSameBlock(Math.max(row.top, other.top), Math.min(row.bottom, other.bottom) + lineHeight, lineHeight);
}

function columnsOf(context: Context, row: Row): Column[] {
  const columns: Column[] = [];
  for (const segment of row.segments) {
    if (segment.text.length > 60 || context.hasMoney(segment) || isPair(segment.text)) continue;
    const labels = labelsIn(segment, columnIndex);
    const isCovered =
      labels.length > 0 &&
      labels.reduce((sum, label) => sum + (label.to - label.from), 0) * 2 >=
        segment.text.replace(/[^\p{L}]/gu, "").length;
    if (!isCovered) continue;
    for (const label of labels) columns.push({ role: label.name, box: boxOfSpan(segment, label.from, label.to) });
  }
  return columns;
}

function isHeader(columns: readonly Column[], isOnlyChoice: boolean): boolean {
  const roles = new Set(columns.map((column) => column.role));
  const places = columns.filter(
    (column, index) => columns.findIndex((other) => isInColumn(other.box, column.box)) === index,
  ).length;
  const hasAmount = roles.has("total") || roles.has("unit_price");
  return (
    places >= 2 &&
    hasAmount &&
    (roles.has("description") ||
      roles.has("quantity") ||
      (isOnlyChoice && roles.has("unit_price") && roles.has("total")) ||
      (roles.has("code") && places >= 3))
  );
}

/** The role of the column that a box stands under. */
export function nearestRole(box: Box, header: ItemHeader): ColumnRole | undefined {
  let best: { role: ColumnRole; distance: number } | undefined;
  for (const column of header.columns) {
    const distance = isInColumn(column.box, box)
      ? 0
      : Math.min(
          Math.abs(column.box[2] - box[2]),
          Math.abs(column.box[0] - box[0]),
          Math.abs((column.box[0] + column.box[2]) / 2 - (box[0] + box[2]) / 2),
        );
    if (!best || distance < best.distance) best = { role: column.role, distance };
  }
  return best && isNearColumn(best.distance) ? best.role : undefined;
}
