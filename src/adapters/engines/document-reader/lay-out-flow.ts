import type { Box, ReadPage, ReadTable, TableCell, TextLine, Word } from "../../../ports/document-reader.ts";

/** What a format without positions is made of, in reading order. */
export type FlowBlock =
  | { readonly kind: "line"; readonly segments: readonly FlowSegment[]; readonly isBold?: boolean }
  /** A cell may have several lines. */
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "break" };

export interface FlowSegment {
  readonly text: string;
  /** Column of a hundred at which the text starts. */
  readonly column: number;
}

const linesPerPage = 60;
const top = 0.05;
const lineStep = 0.9 / linesPerPage;
const lineBoxHeight = lineStep * 0.7;

/**
 * Gives documents without positions a page of their own, so that everything behind the readers
 * works with one model: labels left of values, columns above each other, rows level.
 */
export function layOutFlow(
  blocks: readonly FlowBlock[],
  maxPages: number,
): { pages: ReadPage[]; tables: ReadTable[]; isCut: boolean } {
  const pages: { number: number; lines: TextLine[] }[] = [];
  const tables: ReadTable[] = [];
  let row = linesPerPage;
  let isCut = false;
  const nextRow = (): { page: { number: number; lines: TextLine[] }; y: number } | undefined => {
    if (row >= linesPerPage) {
      if (pages.length >= maxPages) {
        isCut = true;
        return undefined;
      }
      pages.push({ number: pages.length + 1, lines: [] });
      row = 0;
    }
    const y = top + row * lineStep;
    row++;
    return { page: pages.at(-1)!, y };
  };
  for (const block of blocks) {
    if (block.kind === "break") {
      row++;
    } else if (block.kind === "line") {
      const place = nextRow();
      if (!place) break;
      for (const segment of block.segments) place.page.lines.push(makeLine(segment, place.y, block.isBold ?? false));
    } else {
      const table = layOutTable(block.rows, nextRow);
      if (table.rows.length > 0) tables.push(table);
    }
    if (isCut) break;
  }
  return {
    pages: pages.map((page) => ({ ...page, width: 595, height: 842, rulings: [] })),
    tables,
    isCut,
  };
}

function layOutTable(
  rows: readonly (readonly string[])[],
  nextRow: () => { page: { number: number; lines: TextLine[] }; y: number } | undefined,
): ReadTable {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(40, Math.max(4, ...rows.slice(0, 500).map((row) => longestLine(row[column]) + 2))),
  );
  const total = widths.reduce((sum, width) => sum + width, 0);
  const starts = widths.map(
    (_, column) => (widths.slice(0, column).reduce((sum, width) => sum + width, 0) / total) * 96 + 2,
  );
  const placed: TableCell[][] = [];
  let page = 1;
  for (const row of rows) {
    const cells = Array.from({ length: columns }, (_, column) => (row[column] ?? "").split("\n"));
    const boxes: (Box | null)[] = cells.map(() => null);
    const height = Math.max(...cells.map((lines) => lines.length));
    for (let index = 0; index < height; index++) {
      const place = nextRow();
      if (!place) return { page, box: null, rows: placed, isStated: true };
      if (placed.length === 0 && index === 0) page = place.page.number;
      for (const [column, lines] of cells.entries()) {
        const text = lines[index];
        if (!text) continue;
        const line = makeLine({ text, column: starts[column]! }, place.y, false, (widths[column]! / total) * 96 - 0.5);
        place.page.lines.push(line);
        boxes[column] ??= line.box;
      }
    }
    placed.push(cells.map((lines, column) => ({ text: lines.join(" "), box: boxes[column]! })));
  }
  return { page, box: null, rows: placed, isStated: true };
}

function longestLine(cell = ""): number {
  return Math.max(...cell.split("\n").map((line) => line.length));
}

function makeLine(segment: FlowSegment, y: number, isBold: boolean, maxWidth = 98): TextLine {
  const left = Math.min(0.98, segment.column / 100);
  // Half a hundredth per character is about what print does on A4.
  const width = Math.min(maxWidth / 100, 0.99 - left, Math.max(0.01, segment.text.length * 0.0085));
  const box: Box = [round(left), round(y), round(left + width), round(y + lineBoxHeight)];
  return { text: segment.text, box, words: splitWords(segment.text, box), confidence: 1, source: "text", isBold };
}

/** A line with tabs is a row with columns. */
export function splitTabs(line: string): FlowSegment[] {
  const parts = line.split("\t");
  const step = parts.length > 1 ? Math.max(12, Math.min(45, 90 / parts.length)) : 0;
  const segments: FlowSegment[] = [];
  parts.forEach((text, index) => {
    if (text.trim()) segments.push({ text: text.trim().replace(/\s+/g, " "), column: 5 + index * step });
  });
  return segments;
}

/** Cuts a line's box into word boxes in proportion to their characters. */
export function splitWords(text: string, box: Box): Word[] {
  const width = box[2] - box[0];
  const words: Word[] = [];
  for (const match of text.matchAll(/\S+/g)) {
    const from = box[0] + (match.index / text.length) * width;
    const to = box[0] + ((match.index + match[0].length) / text.length) * width;
    words.push({ text: match[0], box: [round(from), box[1], round(to), box[3]] });
  }
  return words;
}

function round(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 10000) / 10000;
}
