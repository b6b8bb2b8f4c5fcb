import { Problem } from "../../../platform/errors.ts";
import type { ZipParts } from "../../../platform/zip.ts";
import { type FlowBlock, splitTabs } from "./lay-out-flow.ts";
import { attribute, walkXml } from "./xml.ts";

/** Reads a Word document as paragraphs and tables in reading order, headers first and footers last. */
export async function readDocx(zip: ZipParts): Promise<FlowBlock[]> {
  const body = await zip.read("word/document.xml");
  if (!body) throw new Problem("unreadable_document", "The Word file has no document part.");
  const blocks: FlowBlock[] = [];
  const sheet = await zip.read("word/styles.xml");
  const styles = sheet ? readStyles(sheet.toString("utf8")) : new Map<string, Style>();
  const read = (xml: Buffer): FlowBlock[] => readPart(xml.toString("utf8"), styles);
  const parts = (kind: string): string[] =>
    zip.names.filter((name) => new RegExp(`^word/${kind}\\d*\\.xml$`).test(name)).slice(0, 3);
  for (const name of parts("header")) blocks.push(...read((await zip.read(name))!));
  blocks.push(...read(body));
  for (const name of parts("footer")) blocks.push(...read((await zip.read(name))!));
  return blocks;
}

interface OpenTable {
  rows: string[][];
  cell: string[] | undefined;
  /** A style of tables may paint its rows. */
  isStyled: boolean;
}

interface Style {
  isVanished: boolean;
  isShaded: boolean;
}

/** Which styles hide their text, and which lay a colour under it. */
function readStyles(xml: string): Map<string, Style> {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === "style") {
        style = { isVanished: false, isShaded: false };
        styles.set(attribute(attributes, "styleId") ?? "", style);
      } else if (style && name === "vanish") style.isVanished = isOn(attributes);
      else if (style && isPaint(name, attributes)) style.isShaded = true;
    },
    text: () => undefined,
    close: (name) => {
      if (name === "style") style = undefined;
    },
  });
  return styles;
}

const isOn = (attributes: Parameters<typeof attribute>[0]): boolean =>
  !["0", "false", "off"].includes(attribute(attributes, "val") ?? "");

/** A colour under the text, other than white. */
const isPaint = (name: string, attributes: Parameters<typeof attribute>[0]): boolean =>
  (name === "shd" && !/^(?:auto|f[0-9a-f]f[0-9a-f]f[0-9a-f])?$/i.test(attribute(attributes, "fill") ?? "")) ||
  (name === "highlight" && attribute(attributes, "val") !== "white");

/** Half points: smaller letters cannot be read by anybody. */
const smallestPrint = 3;
/** Boxes of the symbol fonts: ticked, crossed, empty. */
const symbols: Readonly<Record<string, string>> = {
  F0FE: "☑",
  F052: "☑",
  F0FD: "☒",
  F053: "☒",
  F0A8: "☐",
  F0A3: "☐",
  F06F: "☐",
  F0FC: "✓",
  F0FB: "✗",
};

function readPart(xml: string, styles: ReadonlyMap<string, Style>): FlowBlock[] {
  const blocks: FlowBlock[] = [];
  const tables: OpenTable[] = [];
  let paragraph: string | undefined;
  let isText = false;
  let isBold = false;
  let hidden = 0;
  let isVanished = false;
  let isWhite = false;
  let boxes = 0;
  // What lies under the text of a run, a paragraph, a cell; what a style of tables paints is not told.
  const painted = { run: false, paragraph: false, cell: [] as boolean[] };
  let properties: "run" | "paragraph" | "cell" | undefined;
  let isTicked = false;
  const isSeen = (): boolean =>
    !isVanished && (!isWhite || painted.run || painted.paragraph || painted.cell.some(Boolean) || boxes > 0);
  const paint = (): void => {
    if (properties === "cell") painted.cell[painted.cell.length - 1] = true;
    else if (properties) painted[properties] = true;
  };
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
      if (name === "p") {
        paragraph = "";
        painted.paragraph = false;
      } else if (name === "r") {
        isVanished = false;
        isWhite = false;
        painted.run = false;
      } else if (name === "rPr") properties = "run";
      else if (name === "pPr") properties = "paragraph";
      else if (name === "tcPr") properties = "cell";
      else if (name === "vanish" && isOn(attributes)) isVanished = true;
      else if (name === "color" && properties === "run")
        isWhite = /^f[0-9a-f]f[0-9a-f]f[0-9a-f]$/i.test(attribute(attributes, "val") ?? "");
      else if (name === "sz" && properties === "run" && Number(attribute(attributes, "val")) < smallestPrint)
        isVanished = true;
      else if (name === "rStyle" || name === "pStyle") {
        const style = styles.get(attribute(attributes, "val") ?? "");
        if (style?.isVanished && name === "rStyle") isVanished = true;
        if (style?.isShaded) paint();
      } else if (isPaint(name, attributes)) paint();
      else if (name === "txbxContent") boxes++;
      else if (name === "tblStyle" && tables.length > 0) tables.at(-1)!.isStyled = true;
      else if (name === "checkBox") isTicked = false;
      else if (name === "checked" || name === "default") isTicked = isOn(attributes);
      else if (name === "sym" && paragraph !== undefined && isSeen())
        paragraph += symbols[(attribute(attributes, "char") ?? "").toUpperCase()] ?? "";
      else if (name === "t") isText = isSeen();
      else if (name === "tab" && paragraph !== undefined) paragraph += "\t";
      else if ((name === "br" || name === "cr") && paragraph !== undefined) paragraph += "\n";
      else if (name === "b" && paragraph !== undefined) isBold = attribute(attributes, "val") !== "0";
      else if (name === "tbl") tables.push({ rows: [], cell: undefined, isStyled: false });
      else if (name === "tr") tables.at(-1)?.rows.push([]);
      else if (name === "tc" && tables.length > 0) {
        tables.at(-1)!.cell = [];
        painted.cell.push(tables.at(-1)!.isStyled);
      }
    },
    text: (text) => {
      if (isText && hidden === 0 && paragraph !== undefined) paragraph += text;
    },
    close: (name) => {
      if (name === "Fallback" || name === "del") hidden--;
      if (hidden > 0) return;
      if (name === "t") isText = false;
      else if (name === "p") endParagraph();
      else if (name === "rPr" || name === "pPr" || name === "tcPr") properties = undefined;
      else if (name === "txbxContent") boxes--;
      else if (name === "checkBox" && paragraph !== undefined) paragraph += isTicked ? "☑" : "☐";
      else if (name === "tc") {
        painted.cell.pop();
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
