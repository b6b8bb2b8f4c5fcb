import { Problem } from "../../../platform/errors.ts";
import type { ZipParts } from "../../../platform/zip.ts";
import type { FlowBlock } from "./lay-out-flow.ts";
import { attribute, walkXml } from "./xml.ts";

const maxCells = 200_000;
const maxSheets = 50;
/** Built-in number formats that show a date. */
const dateFormats = new Set([14, 15, 16, 17, 22, 27, 30, 36, 45, 46, 47, 50, 57]);

/** Reads a workbook: each sheet is a heading and a table of what its cells show. */
export async function readXlsx(zip: ZipParts): Promise<FlowBlock[]> {
  const workbook = await zip.read("xl/workbook.xml");
  if (!workbook) throw new Problem("unreadable_document", "The Excel file has no workbook part.");
  const sheets = await listSheets(zip, workbook.toString("utf8"));
  const shared = readSharedStrings((await zip.read("xl/sharedStrings.xml"))?.toString("utf8"));
  const dates = readDateStyles((await zip.read("xl/styles.xml"))?.toString("utf8"));
  const is1904 = /date1904="(1|true)"/.test(workbook.toString("utf8"));
  const blocks: FlowBlock[] = [];
  let cells = 0;
  for (const sheet of sheets.slice(0, maxSheets)) {
    const part = await zip.read(sheet.path);
    if (!part) continue;
    const rows = readSheet(part.toString("utf8"), shared, dates, is1904, () => {
      cells++;
      if (cells > maxCells) throw new Problem("too_large", `The workbook has more than ${maxCells} cells.`);
    });
    if (rows.length === 0) continue;
    if (sheets.length > 1) blocks.push({ kind: "line", segments: [{ text: sheet.name, column: 2 }], isBold: true });
    blocks.push(...splitSheet(rows));
  }
  return blocks;
}

/** Empty rows end one table and start another. */
function splitSheet(rows: readonly (readonly string[])[]): FlowBlock[] {
  const blocks: FlowBlock[] = [];
  let current: string[][] = [];
  const flush = (): void => {
    if (current.length > 0) blocks.push({ kind: "table", rows: current });
    current = [];
  };
  for (const row of rows) {
    if (row.every((cell) => cell === "")) {
      flush();
      blocks.push({ kind: "break" });
    } else current.push([...row]);
  }
  flush();
  return blocks;
}

async function listSheets(zip: ZipParts, workbook: string): Promise<{ name: string; path: string }[]> {
  const targets = new Map<string, string>();
  const relations = (await zip.read("xl/_rels/workbook.xml.rels"))?.toString("utf8");
  if (relations) {
    walkXml(relations, {
      open: (name, attributes) => {
        if (name === "Relationship") targets.set(attributes.Id ?? "", attributes.Target ?? "");
      },
    });
  }
  const sheets: { name: string; path: string }[] = [];
  walkXml(workbook, {
    open: (name, attributes) => {
      if (name !== "sheet" || attributes.state === "hidden" || attributes.state === "veryHidden") return;
      const target = targets.get(attribute(attributes, "id") ?? "") ?? `worksheets/sheet${sheets.length + 1}.xml`;
      sheets.push({ name: attributes.name ?? "", path: target.startsWith("/") ? target.slice(1) : `xl/${target}` });
    },
  });
  return sheets;
}

function readSharedStrings(xml: string | undefined): string[] {
  const strings: string[] = [];
  let current = "";
  let isText = false;
  let phonetic = 0;
  if (!xml) return strings;
  walkXml(xml, {
    open: (name) => {
      if (name === "si") current = "";
      if (name === "rPh") phonetic++;
      isText = name === "t" && phonetic === 0;
    },
    text: (text) => {
      if (isText) current += text;
    },
    close: (name) => {
      if (name === "t") isText = false;
      if (name === "rPh") phonetic--;
      if (name === "si") strings.push(current);
    },
  });
  return strings;
}

function readDateStyles(xml: string | undefined): Set<number> {
  const custom = new Set<number>();
  const styles = new Set<number>();
  let isInCells = false;
  let index = 0;
  if (!xml) return styles;
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === "numFmt" && /[dy]/i.test((attributes.formatCode ?? "").replace(/"[^"]*"|\[[^\]]*\]/g, ""))) {
        custom.add(Number(attributes.numFmtId));
      }
      if (name === "cellXfs") isInCells = true;
      if (name === "xf" && isInCells) {
        const format = Number(attributes.numFmtId);
        if (dateFormats.has(format) || custom.has(format)) styles.add(index);
        index++;
      }
    },
    close: (name) => {
      if (name === "cellXfs") isInCells = false;
    },
  });
  return styles;
}

function readSheet(
  xml: string,
  shared: readonly string[],
  dates: ReadonlySet<number>,
  is1904: boolean,
  count: () => void,
): string[][] {
  const rows: string[][] = [];
  let cell: { column: number; type: string; style: number } | undefined;
  let value = "";
  let isValue = false;
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === "row") rows.push([]);
      else if (name === "c") {
        count();
        const column = columnOf(attributes.r ?? "") ?? rows.at(-1)?.length ?? 0;
        cell = { column: Math.min(column, 255), type: attributes.t ?? "n", style: Number(attributes.s ?? 0) };
        value = "";
      } else if (name === "v" || name === "t") isValue = true;
    },
    text: (text) => {
      if (isValue) value += text;
    },
    close: (name) => {
      if (name === "v" || name === "t") isValue = false;
      if (name !== "c" || !cell) return;
      const row = rows.at(-1)!;
      while (row.length < cell.column) row.push("");
      row[cell.column] = showCell(value, cell, shared, dates, is1904);
      cell = undefined;
    },
  });
  return rows;
}

function showCell(
  value: string,
  cell: { type: string; style: number },
  shared: readonly string[],
  dates: ReadonlySet<number>,
  is1904: boolean,
): string {
  if (cell.type === "s") return (shared[Number(value)] ?? "").replace(/\s+/g, " ").trim();
  if (cell.type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (cell.type === "n" && value !== "" && dates.has(cell.style)) {
    const days = Number(value) + (is1904 ? 1462 : 0);
    if (days > 1 && days < 200_000)
      return new Date(Math.round((days - 25_569) * 86_400_000)).toISOString().slice(0, 10);
  }
  // Binary fractions such as 0.1 + 0.2 show up as long tails in the file.
  if (cell.type === "n" && /\d\.\d{10,}/.test(value)) return String(Number(Number(value).toPrecision(12)));
  return value.replace(/\s+/g, " ").trim();
}

function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (!letters) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
