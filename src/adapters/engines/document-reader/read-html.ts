import { table } from "../../../platform/table.ts";
import { attributeOf, type Color, isUnseen, readStyles } from "./html-styles.ts";
import type { FlowBlock } from "./lay-out-flow.ts";

const skipped = new Set(["script", "style", "noscript", "template", "svg", "head", "object", "iframe"]);
const blockTags = new Set(
  "p div br h1 h2 h3 h4 h5 h6 li ul ol dl dt dd section article header footer main aside nav address blockquote pre hr form fieldset figure tbody thead tfoot caption label".split(
    " ",
  ),
);
const entities: Record<string, string> = table({
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  euro: "€",
  pound: "£",
  yen: "¥",
  copy: "©",
  reg: "®",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  laquo: "«",
  raquo: "»",
  middot: "·",
  bull: "•",
  times: "×",
  deg: "°",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  ecirc: "ê",
  agrave: "à",
  aacute: "á",
  acirc: "â",
  ccedil: "ç",
  ntilde: "ñ",
  iacute: "í",
  oacute: "ó",
  uacute: "ú",
  atilde: "ã",
  otilde: "õ",
  icirc: "î",
  ocirc: "ô",
  ucirc: "û",
  ugrave: "ù",
  Eacute: "É",
  Egrave: "È",
  Agrave: "À",
  oelig: "œ",
});
const maxTokens = 2_000_000;
const deepest = 500;
const voidTags = new Set("br hr img input meta link col wbr area base embed source track".split(" "));

/** Where an element ends, with others of its name inside it. */
function endOfElement(html: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name}(?=[\\s/>])`, "gi");
  tags.lastIndex = from;
  let depth = 1;
  for (let tag = tags.exec(html); tag; tag = tags.exec(html)) {
    depth += tag[1] === "/" ? -1 : 1;
    if (depth === 0) {
      const end = html.indexOf(">", tag.index);
      return end < 0 ? html.length : end + 1;
    }
  }
  return html.length;
}

/** Elements that end where another of their kind begins, each with the one that they cannot reach beyond. */
const endedBy: Readonly<Record<string, { readonly names: readonly string[]; readonly within: string }>> = table({
  td: { names: ["td", "th"], within: "table" },
  th: { names: ["td", "th"], within: "table" },
  tr: { names: ["tr", "td", "th"], within: "table" },
  li: { names: ["li"], within: "ul" },
  p: { names: ["p"], within: "div" },
  option: { names: ["option"], within: "select" },
});

/** An open element, with the colours that hold inside it. */
interface OpenElement {
  readonly name: string;
  readonly color: Color | undefined;
  readonly background: Color | undefined;
}

/** What a field of a form shows: what is typed into it, or whether it is ticked. */
function shownBy(input: string): string {
  const type = (attributeOf(input, "type") ?? "text").toLowerCase();
  if (type === "checkbox" || type === "radio") return /\schecked(?=[\s=/>]|$)/i.test(input) ? " \u2611 " : " \u2610 ";
  if (["hidden", "password", "submit", "button", "reset", "image", "file"].includes(type)) return "";
  return ` ${decodeEntities(attributeOf(input, "value") ?? "")} `;
}

interface OpenTable {
  rows: string[][];
  cell: string | undefined;
  /** The row being read holds a table of its own: it only places things on the page. */
  isLayout: boolean;
}

/** Reads what a page shows: text and tables. Nothing is fetched and nothing runs. */
export function readHtml(html: string): FlowBlock[] {
  const blocks: FlowBlock[] = [];
  const tables: OpenTable[] = [];
  let line = "";
  let isBold = false;
  let position = 0;
  let tokens = 0;
  let option = -1;
  const lookOf = readStyles(html);
  const open: OpenElement[] = [];
  const close = (name: string, from: number): void => {
    const at = open.findLastIndex((element) => element.name === name);
    if (at >= from) open.length = at;
  };
  const endLine = (): void => {
    const text = line.replace(/\s+/g, " ").trim();
    const table = tables.at(-1);
    if (table && !table.isLayout) {
      if (table.cell !== undefined && text) table.cell += table.cell ? `\n${text}` : text;
    } else if (text) {
      blocks.push({ kind: "line", segments: [{ text, column: 5 }], isBold });
    }
    line = "";
  };
  const endCell = (table: OpenTable): void => {
    endLine();
    if (table.cell === undefined) return;
    if (table.rows.length === 0) table.rows.push([]);
    table.rows.at(-1)!.push(table.cell);
    table.cell = undefined;
  };
  const endTable = (): void => {
    const table = tables.at(-1);
    if (!table) return;
    endCell(table);
    endRows(table);
    tables.pop();
  };
  const endRows = (table: OpenTable): void => {
    const rows = table.rows.filter((row) => row.some((cell) => cell !== ""));
    if (rows.length > 0) blocks.push({ kind: "table", rows });
    table.rows = [];
  };
  while (position < html.length && tokens < maxTokens) {
    tokens++;
    const start = html.indexOf("<", position);
    if (start !== position) {
      const inside = open.at(-1);
      if (!isUnseen(inside?.color, inside?.background))
        line += decodeEntities(html.slice(position, start < 0 ? html.length : start));
      if (start < 0) break;
    }
    if (html.startsWith("<!--", start)) {
      const end = html.indexOf("-->", start + 4);
      position = end < 0 ? html.length : end + 3;
      continue;
    }
    const tag = /^<(\/?)([a-zA-Z][\w:-]*)/.exec(html.slice(start, start + 60));
    const end = html.indexOf(">", start);
    if (!tag) {
      if (/^<[!?]/.test(html.slice(start, start + 2)) && end >= 0) position = end + 1;
      else {
        line += "<";
        position = start + 1;
      }
      continue;
    }
    if (end < 0) break;
    position = end + 1;
    const name = tag[2]!.toLowerCase();
    const isClosing = tag[1] === "/";
    const tagText = html.slice(start, end);
    if (isClosing) close(name, 0);
    else {
      const ended = endedBy[name];
      if (ended) {
        const outer = open.findLastIndex((element) => element.name === ended.within);
        for (const each of ended.names) close(each, outer + 1);
      }
      const look = lookOf({ name, text: tagText });
      const isVoid = voidTags.has(name) || html[end - 1] === "/";
      if (look.isGone || (name === "option" && start !== option)) {
        if (!isVoid) position = endOfElement(html, name, end + 1);
        continue;
      }
      if (name === "input") line += shownBy(tagText);
      else if (name === "select") option = shownOption(html, end);
      const outer = open.at(-1);
      if (!isVoid && open.length < deepest)
        open.push({
          name,
          color: look.color ?? outer?.color,
          background: look.background === undefined || look.background === "none" ? outer?.background : look.background,
        });
    }
    if (!isClosing && skipped.has(name) && html[end - 1] !== "/") {
      const close = new RegExp(`</${name}\\s*>`, "i").exec(html.slice(position));
      position = close ? position + close.index + close[0].length : html.length;
      continue;
    }
    if (name === "table") {
      if (isClosing) endTable();
      else {
        const outer = tables.at(-1);
        if (outer && !outer.isLayout) {
          endCell(outer);
          endRows(outer);
          outer.isLayout = true;
        } else endLine();
        tables.push({ rows: [], cell: undefined, isLayout: false });
      }
    } else if (name === "tr") {
      const table = tables.at(-1);
      if (table) {
        endCell(table);
        table.isLayout = false;
        if (!isClosing) table.rows.push([]);
      }
    } else if (name === "td" || name === "th") {
      const table = tables.at(-1);
      if (table) {
        endCell(table);
        if (!isClosing) table.cell = "";
      }
    } else if (blockTags.has(name)) {
      endLine();
      isBold = !isClosing && /^h[1-6]$/.test(name);
    }
  }
  endLine();
  while (tables.length > 0) endTable();
  return blocks;
}

/** Which option a closed list shows: the chosen one, or else its first. */
function shownOption(html: string, from: number): number {
  const end = html.indexOf("</select", from);
  const options = [...html.slice(from, end < 0 ? html.length : end).matchAll(/<option\b[^>]*>/gi)];
  const chosen = options.find(([option]) => /\sselected(?=[\s=/>])/i.test(option)) ?? options[0];
  return chosen ? from + chosen.index : -1;
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{1,10});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
}
