import type { Box, ReadTable } from "../../ports/document-reader.ts";
import { isInColumn, isInFoot, isInHead, isSameBlock, isSameEdge, isSameWidth, union } from "../reading/geometry.ts";
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
    .filter((table) => isRealTable(table, isRuled(context, table)))
    .map((table) => withHeading(context, table));
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

/** A row of words right over the columns, as many as they are, is their heading: it may be centred where they are not. */
function withHeading(context: Context, table: ReadTable): ReadTable {
  const { box } = table;
  const isHeaded = table.rows[0]!.every((cell) => cell.text === "" || !/\d/.test(cell.text));
  if (!box || isHeaded) return table;
  const above = context.layout.rows.findLast((row) => row.page === table.page && row.bottom <= box[1] + touching);
  if (!above || above.segments.length !== width(table) || !isSameBlock(box[1], above.bottom, context.layout.lineHeight))
    return table;
  const columns = above.segments.map((_, column) =>
    boxOfRows(table.rows.map((row) => (row[column] ? [row[column]] : []))),
  );
  const isOver = above.segments.every(({ text, box: own }, column) => {
    const under = columns[column];
    return under && !/\d/.test(text) && own[0] < under[2] && under[0] < own[2];
  });
  if (!isOver) return table;
  const heading = above.segments.map(({ text, box: own }) => ({ text, box: own }));
  return { ...table, rows: [heading, ...table.rows], box: [box[0], above.top, box[2], box[3]] };
}

const touching = 0.003;

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

/** Without blanks: the same heading may be cut into other words on the next page. */
function textsOf(row: ReadTable["rows"][number]): string {
  return row.map((cell) => cell.text.replace(/\s/g, "")).join("|");
}

function width(table: ReadTable): number {
  return Math.max(0, ...table.rows.map((row) => row.length));
}

/** Rows and columns that are mostly empty are no table; a layout reader makes one of text in columns. */
function isRealTable(table: ReadTable, isDrawn: boolean): boolean {
  if (width(table) < 2 || table.rows.length < 2) return false;
  const cells = table.rows.flat();
  const filled = cells.filter((cell) => cell.text !== "").length;
  return filled >= 4 && filled >= cells.length * (isDrawn ? fullestDrawn : fullest);
}

/** How much of a table holds something: tried on 26 documents (bench/extraction). */
const fullest = 0.3;
const fullestDrawn = 0.5;

/** Lines drawn between at least most of its rows make a table of anything. */
function isRuled(context: Context, table: ReadTable): boolean {
  const page = context.document.pages.find((candidate) => candidate.number === table.page);
  const box = table.box;
  if (!page || !box || width(table) < 2 || table.rows.length < 2) return false;
  const heights = new Set<number>();
  for (const { from, to } of page.rulings) {
    if (
      isSameEdge(from[1], to[1]) &&
      from[1] > box[1] - partsGap &&
      from[1] < box[3] + partsGap &&
      Math.min(from[0], to[0]) < box[2] &&
      Math.max(from[0], to[0]) > box[0]
    )
      heights.add(Math.round(from[1] * 200));
  }
  return heights.size >= Math.max(3, table.rows.length / 2);
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
    if (last && (last.page !== row.page || !isSameBlock(row.top, last.bottom, context.layout.lineHeight))) flush();
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
    .filter((column) => column.count >= Math.max(2, rows.length * fullest))
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
  if (filled < kept.length * rows.length * fullestDrawn) return undefined;
  return {
    page: rows[0]!.page,
    box: segments.map((segment) => segment.box).reduce(union),
    rows: cells,
    isStated: false,
  };
}
