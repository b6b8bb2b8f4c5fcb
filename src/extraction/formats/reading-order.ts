import type { ReadDocument } from "../../ports/document-reader.ts";
import { createContext } from "../fields/context.ts";
import { findTables } from "../fields/tables.ts";
import { isRightUnder } from "../reading/geometry.ts";
import type { Row } from "../reading/layout.ts";
import { isPostalLine } from "../reading/words.ts";

/** A part of a page in the order in which it is read. */
export type Block =
  | { kind: "heading"; level: 1 | 2; page: number; text: string; box: readonly number[] }
  | { kind: "paragraph"; page: number; text: string; box: readonly number[] }
  | { kind: "table"; page: number; rows: string[][]; box: readonly number[] | null };

/** Print this much larger than the rest is a heading, and this much larger the heading of it all. */
const largerBy = 1.2;
const largestBy = 1.6;

/** The document for people who feed it to something that reads: headings, paragraphs and tables in order, each with its place. */
export function readingOrder(document: ReadDocument): Block[] {
  const context = createContext(document);
  const { layout } = context;
  const tables = findTables(context).filter(
    ({ box, value, reasons }) => box !== null && (reasons.embedded || !isLetterhead(value.rows)),
  );
  const bare = (text: string): string => text.replace(/\s/g, "");
  const texts = new Map(tables.map((table) => [table, bare(table.value.rows.flat().join(""))]));
  // A line between the rows of a table that is none of them stays a line.
  const tableOf = (row: Row) =>
    tables.find(
      (table) =>
        table.page === row.page &&
        row.top >= table.box![1] - 0.002 &&
        row.bottom <= table.box![3] + 0.002 &&
        row.segments.every(({ text }) => texts.get(table)!.includes(bare(text))),
    );
  const blocks: Block[] = [];
  const shown = new Set<unknown>();
  /** The row before, where it was running text. */
  let last: Row | undefined;
  for (const row of layout.rows) {
    const table = tableOf(row);
    if (table) {
      if (!shown.has(table)) blocks.push({ kind: "table", page: row.page, rows: table.value.rows, box: table.box });
      shown.add(table);
      last = undefined;
      continue;
    }
    const text = row.segments.map((segment) => segment.text).join("  ");
    const box = [row.segments[0]!.box[0], row.top, row.segments.at(-1)!.box[2], row.bottom];
    const height = Math.max(...row.segments.map((segment) => segment.height));
    const isBold = row.segments.every((segment) => segment.isBold) && row.segments.length === 1 && text.length < 80;
    if (height > layout.lineHeight * largerBy || (isBold && text.length > 2)) {
      const level = height > layout.lineHeight * largestBy ? 1 : 2;
      blocks.push({ kind: "heading", level, page: row.page, text, box });
      last = undefined;
      continue;
    }
    const before = blocks.at(-1);
    const goesOn =
      last?.page === row.page && isRightUnder(row.top, last.bottom, layout.lineHeight) && row.segments.length === 1;
    if (goesOn && before?.kind === "paragraph") {
      before.text += `\n${text}`;
      before.box = [Math.min(before.box[0]!, box[0]!), before.box[1]!, Math.max(before.box[2]!, box[2]!), box[3]!];
    } else blocks.push({ kind: "paragraph", page: row.page, text, box });
    last = row;
  }
  return blocks;
}

/** Addresses beside each other line up like a table; in a table of addresses every other row has a town. */
function isLetterhead(rows: readonly (readonly string[])[]): boolean {
  const towns = rows.filter((row) => row.some(isPostalLine)).length;
  return towns > 0 && towns * 2 < rows.length;
}

export function toMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(writeBlock).join("\n\n")}\n`;
}

function writeBlock(block: Block): string {
  if (block.kind === "heading") return `${"#".repeat(block.level)} ${inert(block.text)}`;
  if (block.kind === "paragraph") return block.text.split("\n").map(inert).join("  \n");
  const width = Math.max(1, ...block.rows.map((row) => row.length));
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, column) => inert(row[column] ?? "").replace(/\|/g, "\\|")).join(" | ")} |`;
  const [head = [], ...rest] = block.rows;
  return [line(head), `|${" --- |".repeat(width)}`, ...rest.map(line)].join("\n");
}

/** Nothing in a document may turn into marks of its own. */
function inert(text: string): string {
  return text
    .replace(/([\\`*_{}[\]<>#])/g, "\\$1")
    .replace(/^(\d+)\.(?=\s|$)/, "$1\\.")
    .replace(/^([-+])/, "\\$1");
}
