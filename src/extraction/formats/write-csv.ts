import { type Cell, isFormulaLike, listSheets, type Report, singleValues } from "./flatten.ts";

/** One row for each line item (transaction, pair ...) with the document's own values beside it; one row when there is no list. */
export function writeCsv(report: Report, wantedList?: string): string {
  const notes: [string, Cell][] = report.warnings.length > 0 ? [["warnings", report.warnings.join("; ")]] : [];
  const single = [...singleValues(report.data).filter(([name]) => name !== "text"), ...notes];
  const lists = listSheets(report.data);
  const list = lists.find((candidate) => candidate.name === wantedList) ?? lists[0];
  const columns = (list?.columns ?? []).map((column) => (list!.hasHeader ? `${list!.name}.${column}` : column));
  const rows: Cell[][] = [
    [...single.map(([name]) => name), ...columns],
    ...(list?.rows ?? [[]]).map((row) => [...single.map(([, value]) => value), ...row]),
  ];
  // The mark at the start makes Excel read UTF-8.
  return `\ufeff${rows.map((row) => row.map(writeCell).join(",")).join("\r\n")}\r\n`;
}

/** Numbers stay numbers; text that a spreadsheet would run gets an apostrophe in front. */
function writeCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  const safe = isFormulaLike(cell) && !/^-?\d+([.,]\d+)?$/.test(cell) ? `'${cell}` : cell;
  const clean = safe.replace(/\r\n?|\n/g, " ").replace(/\u0000/g, "");
  return /[",;\t]|^\s|\s$/.test(clean) ? `"${clean.replace(/"/g, '""')}"` : clean;
}
