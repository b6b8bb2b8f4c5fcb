import { type FlowBlock, type FlowSegment, splitTabs } from "./lay-out-flow.ts";
import { findDelimiter } from "./sniff.ts";

/** Reads plain text; wide runs of blanks are columns, as in printed listings. */
export function readText(text: string): FlowBlock[] {
  return text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line): FlowBlock => {
      if (line.trim() === "") return { kind: "break" };
      if (line.includes("\t")) return { kind: "line", segments: splitTabs(line) };
      const segments: FlowSegment[] = [];
      for (const match of line.matchAll(/\S+(?: {1,2}\S+)*/g)) {
        // Eighty characters fill the width.
        segments.push({ text: match[0].replace(/\s+/g, " "), column: 4 + Math.min(85, match.index * 1.1) });
      }
      return { kind: "line", segments };
    });
}

/** Reads separated values with quotes as one table. */
export function readCsv(text: string): FlowBlock[] {
  const delimiter = findDelimiter(text) ?? ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = (): void => {
    row.push(cell.replace(/\s+/g, " ").trim());
    cell = "";
  };
  const endRow = (): void => {
    endCell();
    if (row.some((value) => value !== "")) rows.push(row);
    row = [];
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') {
        cell += '"';
        index++;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === "") isQuoted = true;
    else if (character === delimiter) endCell();
    else if (character === "\n") endRow();
    else if (character !== "\r") cell += character;
  }
  if (cell !== "" || row.length > 0) endRow();
  return [{ kind: "table", rows }];
}
