import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { Problem } from "../../../platform/errors.ts";
import { type Color, isUnseen, type Look, readStyles } from "./html-styles.ts";
import { type FlowBlock, splitTabs } from "./lay-out-flow.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const skipped = new Set("script style noscript template svg head object iframe datalist".split(" "));
const blockTags = new Set(
  "p div br h1 h2 h3 h4 h5 h6 li ul ol dl dt dd section article header footer main aside nav address blockquote pre hr form fieldset figure tbody thead tfoot caption label".split(
    " ",
  ),
);
/** A statement of a year has fewer; each takes memory. */
const mostTags = 500_000;

/** Reads what a page shows: text and tables. Nothing is fetched and nothing runs. */
export function readHtml(html: string): FlowBlock[] {
  if (countTags(html) > mostTags)
    throw new Problem("too_large", `The page has more than ${mostTags.toLocaleString("en")} tags.`);
  const lookOf = readStyles(html);
  const flow = collectFlow();
  const open: OpenElement[] = [{ children: parse(html).childNodes, next: 0 }];
  while (open.length > 0) {
    const inside = open.at(-1)!;
    const node = inside.children[inside.next++];
    if (!node) {
      if (inside.name) flow.leave(inside.name, inside.place);
      open.pop();
    } else if ("value" in node) {
      if (!isUnseen(inside.color, inside.background)) flow.add(node.value);
    } else if ("tagName" in node && !skipped.has(node.tagName)) {
      const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
      const look = lookOf({ name: node.tagName, attributes });
      if (look.isGone) continue;
      const place = inside.isRow ? "beside" : look.place;
      flow.enter(node.tagName, place);
      if (node.tagName === "input") flow.add(shownBy(attributes));
      if (node.tagName === "select") flow.add(chosenIn(node));
      const children = node.tagName === "select" ? [] : node.childNodes;
      open.push({
        name: node.tagName,
        children,
        next: 0,
        ...look,
        ...colorsIn(inside, look),
        place,
      });
    }
  }
  return flow.end();
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) count++;
  return count;
}

/** An element whose children are being read, with the colours that hold inside it. */
interface OpenElement {
  readonly name?: string;
  readonly children: readonly Node[];
  next: number;
  readonly color?: Color | undefined;
  readonly background?: Color | undefined;
  readonly place?: Look["place"];
  readonly isRow?: boolean;
}

function colorsIn(outer: OpenElement, { color, background }: Look): Pick<OpenElement, "color" | "background"> {
  return {
    color: color ?? outer.color,
    background: background === undefined || background === "none" ? outer.background : background,
  };
}

/** What a field of a form shows: what is typed into it, or whether it is ticked. */
function shownBy(attributes: ReadonlyMap<string, string>): string {
  const type = (attributes.get("type") ?? "text").toLowerCase();
  if (type === "checkbox" || type === "radio") return attributes.has("checked") ? " \u2611 " : " \u2610 ";
  if (["hidden", "password", "submit", "button", "reset", "image", "file"].includes(type)) return "";
  return ` ${attributes.get("value") ?? ""} `;
}

/** What a closed list shows: the option that is chosen, or else its first. */
function chosenIn(select: Element): string {
  const isElement = (node: Node): node is Element => "tagName" in node;
  const groups = select.childNodes.filter(isElement);
  const options = groups.flatMap((one) => (one.tagName === "optgroup" ? one.childNodes.filter(isElement) : [one]));
  const chosen = options.find(({ attrs }) => attrs.some(({ name }) => name === "selected")) ?? options[0];
  return chosen?.childNodes.map((node) => ("value" in node ? node.value : "")).join("") ?? "";
}

interface OpenTable {
  rows: string[][];
  cell: string | undefined;
  /** The row being read holds a table of its own: it only places things on the page. */
  isLayout: boolean;
}

/** Where one column of a line ends and another begins: a mark that no page has, since the parser drops it. */
const columnMark = "\u0000";
const columnMarks = / ?(?:\u0000 ?)+/g;

/** Gathers text into lines and tables, as elements begin and end. */
function collectFlow() {
  const blocks: FlowBlock[] = [];
  const tables: OpenTable[] = [];
  let line = "";
  let isBold = false;
  let lines = 0;
  /** How many lines there were before each open element that stands beside others. */
  const before: number[] = [];
  const endLine = (): void => {
    const text = line.replaceAll(columnMark, " ").replace(/\s+/g, " ").trim();
    const table = tables.at(-1);
    if (table && !table.isLayout) {
      if (table.cell !== undefined && text) table.cell += table.cell ? `\n${text}` : text;
    } else if (text) {
      const columns = line.replace(/\s+/g, " ").replace(columnMarks, "\t").trim();
      blocks.push({ kind: "line", segments: splitTabs(columns), isBold });
      lines++;
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
  const endRows = (table: OpenTable): void => {
    endCell(table);
    const rows = table.rows.filter((row) => row.some((cell) => cell !== ""));
    if (rows.length > 0) blocks.push({ kind: "table", rows });
    table.rows = [];
  };
  const openTable = (): void => {
    const outer = tables.at(-1);
    if (outer && !outer.isLayout) {
      endRows(outer);
      outer.isLayout = true;
    } else endLine();
    tables.push({ rows: [], cell: undefined, isLayout: false });
  };
  /** What begins or ends a row or a cell ends the cell before it. */
  const between = (name: string): OpenTable | undefined => {
    const table = tables.at(-1);
    if (!table) return undefined;
    endCell(table);
    if (name === "tr") table.isLayout = false;
    return table;
  };
  const isOfTable = (name: string): boolean => name === "tr" || name === "td" || name === "th";
  return {
    add: (text: string): void => {
      line += text;
    },
    enter: (name: string, place: Look["place"]): void => {
      if (name === "table") openTable();
      else if (isOfTable(name)) {
        const table = between(name);
        if (name === "tr") table?.rows.push([]);
        else if (table) table.cell = "";
      } else if (place === "beside") {
        line += columnMark;
        before.push(lines);
      } else if (place === "block" || blockTags.has(name)) {
        endLine();
        isBold = /^h[1-6]$/.test(name);
      }
    },
    leave: (name: string, place: Look["place"]): void => {
      if (name === "table") {
        endRows(tables.at(-1)!);
        tables.pop();
      } else if (isOfTable(name)) between(name);
      else if (place === "beside") {
        // What has several lines is not level with what follows.
        if (before.pop() === lines) line += columnMark;
        else endLine();
      } else if (place === "block" || blockTags.has(name)) {
        endLine();
        isBold = false;
      }
    },
    end: (): FlowBlock[] => {
      endLine();
      return blocks;
    },
  };
}
