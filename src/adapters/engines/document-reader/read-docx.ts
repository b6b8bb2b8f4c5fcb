import { Problem } from "../../../platform/errors.ts";
import type { ZipParts } from "../../../platform/zip.ts";
import type { FlowBlock, FlowSegment } from "./lay-out-flow.ts";
import { attribute, walkXml } from "./xml.ts";

/** Reads a Word document as paragraphs and tables in reading order, headers first and footers last. */
export async function readDocx(zip: ZipParts): Promise<FlowBlock[]> {
  const body = await zip.read("word/document.xml");
  if (!body) throw new Problem("unreadable_document", "The Word file has no document part.");
  const blocks: FlowBlock[] = [];
  const parts = (kind: string): string[] =>
    zip.names.filter((name) => new RegExp(`^word/${kind}\\d*\\.xml$`).test(name)).slice(0, 3);
  for (const name of parts("header")) blocks.push(...readPart((await zip.read(name))!.toString("utf8")));
  blocks.push(...readPart(body.toString("utf8")));
  for (const name of parts("footer")) blocks.push(...readPart((await zip.read(name))!.toString("utf8")));
  return blocks;
}

interface OpenTable {
  rows: string[][];
  cell: string[] | undefined;
}

function readPart(xml: string): FlowBlock[] {
  const blocks: FlowBlock[] = [];
  const tables: OpenTable[] = [];
  let paragraph: string | undefined;
  let isText = false;
  let isBold = false;
  let hidden = 0;
  let isVanished = false;
  const endParagraph = (): void => {
    if (paragraph === undefined) return;
    const cell = tables.at(-1)?.cell;
    if (cell) {
      if (paragraph.trim()) cell.push(paragraph.trim());
    } else if (paragraph.trim()) {
      for (const line of paragraph.split("\n")) blocks.push({ kind: "line", segments: splitTabs(line), isBold });
    } else {
      blocks.push({ kind: "break" });
    }
    paragraph = undefined;
    isBold = false;
  };
  walkXml(xml, {
    open: (name, attributes) => {
      // Fallback content repeats what mc:Choice already said; deleted text is not part of the document.
      if (name === "Fallback" || name === "del") hidden++;
      if (hidden > 0) return;
      if (name === "p") paragraph = "";
      else if (name === "r") isVanished = false;
      else if (name === "vanish" && attribute(attributes, "val") !== "0") isVanished = true;
      else if (name === "t") isText = !isVanished;
      else if (name === "tab" && paragraph !== undefined) paragraph += "\t";
      else if ((name === "br" || name === "cr") && paragraph !== undefined) paragraph += "\n";
      else if (name === "b" && paragraph !== undefined) isBold = attribute(attributes, "val") !== "0";
      else if (name === "tbl") tables.push({ rows: [], cell: undefined });
      else if (name === "tr") tables.at(-1)?.rows.push([]);
      else if (name === "tc" && tables.length > 0) tables.at(-1)!.cell = [];
    },
    text: (text) => {
      if (isText && hidden === 0 && paragraph !== undefined) paragraph += text;
    },
    close: (name) => {
      if (name === "Fallback" || name === "del") hidden--;
      if (hidden > 0) return;
      if (name === "t") isText = false;
      else if (name === "p") endParagraph();
      else if (name === "tc") {
        const table = tables.at(-1);
        const lines = (table?.cell ?? []).flatMap((text) => text.split("\n"));
        table?.rows.at(-1)?.push(lines.map((line) => line.replace(/\s+/g, " ").trim()).join("\n"));
        if (table) table.cell = undefined;
      } else if (name === "tbl") {
        const table = tables.pop();
        const outer = tables.at(-1)?.cell;
        if (table && outer) outer.push(table.rows.map((row) => row.join(" ")).join(" "));
        else if (table) blocks.push({ kind: "table", rows: table.rows });
      }
    },
  });
  return blocks;
}

/** A paragraph with tabs is a row with columns. */
export function splitTabs(line: string): FlowSegment[] {
  const parts = line.split("\t");
  const step = parts.length > 1 ? Math.max(12, Math.min(45, 90 / parts.length)) : 0;
  const segments: FlowSegment[] = [];
  parts.forEach((text, index) => {
    if (text.trim()) segments.push({ text: text.trim().replace(/\s+/g, " "), column: 5 + index * step });
  });
  return segments;
}
