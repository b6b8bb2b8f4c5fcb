import type { Box, ReadTable } from "../../ports/document-reader.ts";
import { isInColumn, isInFoot, isInHead, isSameWidth, union } from "../reading/geometry.ts";
import type { Row } from "../reading/layout.ts";
import type { Context } from "./context.ts";
import { type Finding, weigh } from "./pick.ts";

export interface Table {
  page: number;
  rows: string[][];
}

/** The tables of a document: those the file states, those its layout shows, and those recognised text lines up to. */
export function findTables(context: Context): Finding<Table>[] {
  const scannedPages = new Set(
    context.layout.segments.filter((segment) => segment.source === "ocr").map((segment) => segment.page),
  );
  const stated = context.document.tables.filter((table) => table.isStated);
  const inferred = joinParts(
    context.document.tables.filter((table) => !table.isStated && !scannedPages.has(table.page)).map(dropEmpty),
  )
    .flatMap((table) => cutAtProse(context, table))
    .map(dropEmpty)
    .filter((table) => isRealTable(table, isRuled(context, table)));
  const lined = findLinedUp(context).filter(
    (table) => scannedPages.has(table.page) || isMissed(context, table, [...stated, ...inferred]),
  );
  const all = [...stated.map(dropEmpty), ...inferred, ...lined]
    .filter((table) => table.rows.length > 0)
    .sort((left, right) => left.page - right.page || (left.box?.[1] ?? 0) - (right.box?.[1] ?? 0));
  return joinPages(all).map((table) => ({
    cells: table.rows.map((row) => row.map((cell) => cell.box)),
    ...weigh("tables", {
      value: { page: table.page, rows: table.rows.map((row) => row.map((cell) => cell.text)) },
      page: table.page,
      box: table.box,
      reading: 1,
      reasons: table.isStated ? { embedded: 1 } : {},
    }),
  }));
}

/** A table ends where a row is one run of text, cut up: a caption, or a line of a paragraph between two tables. */
function cutAtProse(context: Context, table: ReadTable): ReadTable[] {
  const bare = (text: string): string => text.replace(/\s/g, "");
  const runs = new Set(
    context.layout.rows
      .filter(({ page, segments }) => page === table.page && segments.length === 1)
      .map(({ segments }) => bare(segments[0]!.text)),
  );
  const isRun = table.rows.map(
    (row) => row.filter((cell) => cell.text !== "").length > 1 && runs.has(bare(row.map((cell) => cell.text).join(""))),
  );
  const cuts = isRun.filter(Boolean).length;
  // Where most rows are one run each, the words stand close together, and that is how this table is printed.
  if (cuts === 0 || cuts * 2 > isRun.length) return [table];
  const parts: ReadTable["rows"][number][][] = [[]];
  for (const [index, row] of table.rows.entries()) {
    if (isRun[index]) parts.push([]);
    else parts.at(-1)!.push(row);
  }
  return parts.filter((rows) => rows.length > 0).map((rows) => ({ ...table, rows, box: boxOfRows(rows) ?? table.box }));
}

function boxOfRows(rows: ReadTable["rows"]): Box | undefined {
  const boxes = rows.flat().flatMap((cell) => (cell.box && cell.text !== "" ? [cell.box] : []));
  return boxes.length > 0 ? boxes.reduce(union) : undefined;
}

/** Ruled rows under headings where the file's layout has no table; rows of figures alone are those of a chart. */
function isMissed(context: Context, table: ReadTable, others: readonly ReadTable[]): boolean {
  const headings = table.rows[0]!.filter((cell) => /^\D*\p{L}\D*$/u.test(cell.text)).length;
  const isApart = others.every(
    (other) =>
      other.page !== table.page || (other.box && (other.box[1] > table.box![3] || other.box[3] < table.box![1])),
  );
  return headings > 1 && isApart && isRuled(context, table) && isRealTable(table, true);
}

/** Without rows and columns that hold nothing. */
function dropEmpty(table: ReadTable): ReadTable {
  const rows = table.rows.filter((row) => row.some((cell) => cell.text !== ""));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const kept = Array.from({ length: columns }, (_, column) => column).filter((column) =>
    rows.some((row) => (row[column]?.text ?? "") !== ""),
  );
  return { ...table, rows: rows.map((row) => kept.map((column) => row[column] ?? { text: "", box: null })) };
}

/** Two lines of print on a sheet of A4: a guess. */
const partsGap = 0.03;

/** Parts of one table that a heading or a wide gap cut apart: same page, same columns, one right under the other. */
function joinParts(tables: readonly ReadTable[]): ReadTable[] {
  const joined: ReadTable[] = [];
  for (const table of tables) {
    const last = joined.at(-1);
    const isNext =
      last?.page === table.page &&
      last.box &&
      table.box &&
      table.box[1] - last.box[3] < partsGap &&
      table.box[1] >= last.box[1];
    if (last && isNext && width(last) === width(table) && isSameWidth(last.box!, table.box!) && width(table) > 1) {
      joined[joined.length - 1] = { ...last, rows: [...last.rows, ...table.rows], box: union(last.box!, table.box!) };
    } else joined.push(table);
  }
  return joined;
}

/** A table that ends low on a page and goes on, with the same columns, high on the next is one; its heading is not repeated. */
function joinPages(tables: readonly ReadTable[]): ReadTable[] {
  const joined: { table: ReadTable; last: ReadTable }[] = [];
  for (const table of tables) {
    const open = joined.at(-1);
    const goesOn =
      open?.last.box &&
      table.box &&
      table.page === open.last.page + 1 &&
      isInFoot(open.last.box) &&
      isInHead(table.box) &&
      width(table) > 1 &&
      width(table) === width(open.last) &&
      isSameWidth(open.last.box, table.box);
    if (!open || !goesOn) {
      joined.push({ table, last: table });
      continue;
    }
    const heading = textsOf(open.table.rows[0]!);
    const rows = textsOf(table.rows[0]!) === heading ? table.rows.slice(1) : table.rows;
    joined[joined.length - 1] = { table: { ...open.table, rows: [...open.table.rows, ...rows] }, last: table };
  }
  return joined.map(({ table }) => table);
}

function textsOf(row: ReadTable["rows"][number]): string {
  return row.map((cell) => cell.text).join("|");
}

function width(table: ReadTable): number {
  return Math.max(0, ...table.rows.map((row) => row.length));
}

/** Text in columns, lists with bullets and the ticks of charts look like tables to a layout reader; they are not. */
function isRealTable(table: ReadTable, isDrawn: boolean): boolean {
  const columns = width(table);
  const rows = table.rows.length;
  if (columns < 2 || rows < 2) return false;
  const cells = table.rows.flat();
  const filled = cells.filter((cell) => cell.text !== "");
  if (filled.length < 4 || filled.length < cells.length * 0.3) return false;
  const long = filled.filter((cell) => cell.text.length > 60).length;
  const numeric = filled.filter((cell) => isNumeric(cell.text)).length;
  if (isDrawn) return filled.length >= cells.length * 0.5 && !isAxis(table, filled.length);
  if (numeric < filled.length * 0.15 && long > filled.length * 0.25) return false;
  // A short first column of bullets, notes or broken-off words before long text.
  const lastColumn = table.rows.map((row) => row.at(-1)?.text ?? "");
  const prose = lastColumn.filter((text) => text.length > 45).length;
  if (columns === 2 && prose > rows * 0.4 && numeric < filled.length * 0.2) return false;
  const split = table.rows.filter(
    (row) => /\p{Ll}$/u.test(row[0]?.text ?? "") && /^\p{Ll}/u.test(row[1]?.text ?? ""),
  ).length;
  if (columns === 2 && split > rows * 0.4) return false;
  if (rows <= 4 && numeric === 0 && columns <= 3 && filled.every((cell) => cell.text.length < 16)) return false;
  return !isAxis(table, filled.length);
}

/** Lines drawn between at least most of its rows make a table of anything. */
function isRuled(context: Context, table: ReadTable): boolean {
  const page = context.document.pages.find((candidate) => candidate.number === table.page);
  const box = table.box;
  if (!page || !box || width(table) < 2 || table.rows.length < 2) return false;
  const heights = new Set<number>();
  for (const { from, to } of page.rulings) {
    const isLevel = Math.abs(from[1] - to[1]) < 0.003 && Math.abs(to[0] - from[0]) > 0.03;
    if (
      isLevel &&
      from[1] > box[1] - 0.02 &&
      from[1] < box[3] + 0.02 &&
      Math.min(from[0], to[0]) < box[2] &&
      Math.max(from[0], to[0]) > box[0]
    )
      heights.add(Math.round(from[1] * 200));
  }
  return heights.size >= Math.max(3, table.rows.length * 0.6);
}

/** Ticks of an axis: evenly spaced numbers in a column, hardly any words beside them. */
function isAxis(table: ReadTable, filled: number): boolean {
  // Full rows of three and more under headings in words may well count in fives.
  const isHeaded = table.rows[0]!.every((cell) => /\p{L}/u.test(cell.text));
  if (isHeaded && width(table) > 2 && filled === table.rows.length * width(table)) return false;
  for (let column = 0; column < width(table); column++) {
    const values = table.rows
      .map((row) => row[column]?.text ?? "")
      .filter((text) => /^-?[\d,.]+%?$/.test(text))
      .map((text) => Number(text.replace(/[,%]/g, "")));
    if (values.length < 2 || values.length < table.rows.length - 1) continue;
    const steps = values.slice(1).map((value, index) => value - values[index]!);
    const isEven = steps.every((step) => step !== 0 && Math.abs(step - steps[0]!) < Math.abs(steps[0]!) * 0.01);
    const isCoarse = values
      .filter((value) => value !== 0)
      .every((value) => Math.abs(value / steps[0]! - Math.round(value / steps[0]!)) < 0.01);
    const isCount = Math.abs(steps[0]!) === 1 && values[0]! < 5;
    const isYears = values.every((value) => value > 1900 && value < 2100);
    if (isEven && isCoarse && !isCount && !isYears && (values.length > 2 || filled < 8)) return true;
  }
  return false;
}

function isNumeric(text: string): boolean {
  return /\d/.test(text) && text.replace(/[\d\s.,%$€£()+–-]/g, "").length <= 3;
}

/** Rows of at least three runs of text that keep the same columns: recognised pages have no other layout, and ruled rows may be missed. */
function findLinedUp(context: Context): ReadTable[] {
  const tables: ReadTable[] = [];
  let run: Row[] = [];
  const flush = (): void => {
    if (run.length >= 3) {
      const table = asTable(run);
      if (table) tables.push(table);
    }
    run = [];
  };
  for (const row of context.layout.rows) {
    const last = run.at(-1);
    if (last && (last.page !== row.page || row.top - last.bottom > context.layout.lineHeight * 2.5)) flush();
    if (row.segments.length >= 3 || (run.length > 0 && row.segments.length === 2)) run.push(row);
    else flush();
  }
  flush();
  return tables;
}

function asTable(rows: readonly Row[]): ReadTable | undefined {
  const columns: { box: Box; count: number }[] = [];
  const segments = rows.flatMap((row) => row.segments);
  for (const segment of segments) {
    const column = columns.find((candidate) => isInColumn(candidate.box, segment.box));
    if (column) {
      column.count++;
      column.box = union(column.box, segment.box);
    } else columns.push({ box: segment.box, count: 1 });
  }
  const kept = columns
    .filter((column) => column.count >= Math.max(2, rows.length * 0.3))
    .sort((left, right) => left.box[0] - right.box[0]);
  if (kept.length < 3) return undefined;
  const cells = rows.map((row) =>
    kept.map((column) => {
      const inside = row.segments.filter((segment) => isInColumn(column.box, segment.box));
      return {
        text: inside.map((segment) => segment.text).join(" "),
        box: inside.length > 0 ? inside.map((segment) => segment.box).reduce(union) : null,
      };
    }),
  );
  const filled = cells.flat().filter((cell) => cell.text !== "").length;
  if (filled < kept.length * rows.length * 0.5) return undefined;
  return {
    page: rows[0]!.page,
    box: segments.map((segment) => segment.box).reduce(union),
    rows: cells,
    isStated: false,
  };
}
