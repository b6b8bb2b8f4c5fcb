import type { Box } from "../../ports/document-reader.ts";
import type { Context } from "../fields/context.ts";
import type { ExtractedField } from "../fields/extract-fields.ts";
import { middle } from "../reading/geometry.ts";
import { boxOfSpan } from "../reading/layout.ts";
import { fold } from "../reading/normalize.ts";
import { findOfType } from "../templates/convert-value.ts";
import { readTemplateTable } from "../templates/read-template-table.ts";
import { castValue } from "./cast-value.ts";
import { columnRoles, headingsFor, labelsFor, lettersOf } from "./meanings.ts";
import { fieldTypeOf, type Leaf, leavesOf, type ObjectNode, type ScalarNode } from "./parse-schema.ts";
import type { Sources } from "./sources.ts";

/** A value of a row, with how sure it is and where it stands. */
type Cell = Omit<ExtractedField, "value"> & { readonly value: unknown };
type Row = ReadonlyMap<string, Cell>;

/** One way to fill a list: its rows, by the keys of the columns that it knows. */
interface Filling {
  readonly columns: number;
  readonly rows: readonly Row[];
}

/** The rows of a list of objects: from line items or transactions, from a table with such headings, whichever knows more columns. */
export function fillRows(sources: Sources, leaf: Leaf, item: ObjectNode): Row[] {
  const columns = leavesOf(item).filter(
    (column): column is Leaf & { node: ScalarNode } => column.node.kind === "scalar",
  );
  const fillings = [
    fromBuiltIn(sources, columns),
    ...fromTables(sources, columns),
    fromHeadings(sources, leaf, columns),
  ].filter((filling): filling is Filling => filling !== undefined && filling.columns * 2 >= columns.length);
  const best = fillings.reduce<Filling | undefined>(
    (one, other) => (!one || other.columns > one.columns ? other : one),
    undefined,
  );
  return (best?.rows ?? []).flatMap((row) => {
    const cast = new Map(
      columns.flatMap(({ key, node }): [string, Cell][] => {
        const cell = row.get(key);
        const value = cell ? castValue(sources.context, node, cell.value) : null;
        return cell && value !== null ? [[key, { ...cell, value }]] : [];
      }),
    );
    return cast.size > 0 ? [cast] : [];
  });
}

/** The line items of an invoice or a receipt, the transactions of a bank statement. */
function fromBuiltIn(
  { context, type, standard }: Sources,
  columns: readonly (Leaf & { node: ScalarNode })[],
): Filling | undefined {
  const list = type === "bank_statement" ? "transactions" : "lines";
  const { data, fields } = standard();
  const rows = (data[list] ?? []) as Record<string, unknown>[];
  if (rows.length === 0) return undefined;
  const known = new Set([...rows.flatMap((row) => Object.keys(row)), ...(list === "transactions" ? ["amount"] : [])]);
  const taken = new Set<string>();
  const mapped = columns.flatMap((column): { column: Leaf & { node: ScalarNode }; role: string }[] => {
    const role = columnRoles(column.steps.at(-1)!, column.node).find((name) => known.has(name) && !taken.has(name));
    if (role === undefined) return [];
    taken.add(role);
    return [{ column, role }];
  });
  // A name alone may be that of anything: towns are no goods.
  if (mapped.length < 2) return undefined;
  return {
    columns: mapped.length,
    rows: rows.map((row, index) => {
      const place = fields[`${list}[${index}]`];
      const page = place?.page ?? null;
      const used = new Set<string>();
      const cells = mapped.flatMap(({ column, role }): [string, Cell][] => {
        const value = role === "amount" && list === "transactions" ? moved(row) : row[role];
        if (value === null || value === undefined) return [];
        const box = place?.box && page ? placeIn(context, page, place.box, column.node, value, used) : null;
        return [[column.key, { value, confidence: place?.confidence ?? 0.5, page, box: box ?? place?.box ?? null }]];
      });
      return new Map(cells);
    }),
  };
}

/** What a movement did to the balance. */
function moved({ debit, credit }: Record<string, unknown>): number | null {
  if (typeof credit === "number") return credit;
  return typeof debit === "number" ? -Math.abs(debit) : null;
}

/** Tables whose first row names the columns. */
function fromTables({ tables }: Sources, columns: readonly Leaf[]): Filling[] {
  return tables().map((table) => {
    const [head = [], ...body] = table.value.rows;
    const letters = head.map(lettersOf);
    const mapped = columns.flatMap((column) => {
      const headings = headingsFor(column.steps.at(-1)!, column.node).map(lettersOf);
      const index = letters.findIndex((text) => text !== "" && headings.includes(text));
      return index < 0 ? [] : [{ key: column.key, index }];
    });
    const rows = body.map((row, at) => {
      const cells = mapped.flatMap(({ key, index }): [string, Cell][] => {
        const box = table.cells?.[at + 1]?.[index] ?? table.box;
        const value = row[index];
        return value ? [[key, { value, confidence: table.confidence, page: table.page, box }]] : [];
      });
      return new Map(cells);
    });
    return { columns: mapped.length, rows };
  });
}

/** Rows under such headings where the layout states no table. */
function fromHeadings(
  { context }: Sources,
  leaf: Leaf,
  columns: readonly (Leaf & { node: ScalarNode })[],
): Filling | undefined {
  const found = readTemplateTable(context, {
    name: leaf.key,
    type: "table",
    required: false,
    columns: columns.map(({ key, steps, node }) => ({
      name: key,
      type: fieldTypeOf(node),
      header: headingsFor(steps.at(-1)!, node),
    })),
  });
  if (!found) return undefined;
  const keys = new Set(found.value.flatMap((row) => Object.keys(row).filter((key) => row[key] !== null)));
  const used = new Set<string>();
  const rows = found.value.map((row) => {
    const cells = columns.flatMap(({ key, node }): [string, Cell][] => {
      const value = row[key];
      if (value === null || value === undefined) return [];
      const box = placeIn(context, found.page ?? 1, found.box!, node, value, used) ?? found.box;
      return [[key, { value, confidence: found.confidence, page: found.page, box }]];
    });
    return new Map(cells);
  });
  return { columns: keys.size, rows };
}

/** A list of single values is what stands beside its label, cut at commas; each must stand there by itself. */
export function fillValues(sources: Sources, leaf: Leaf, item: ScalarNode): Cell[] {
  const names = [...leaf.node.labels, ...labelsFor(leaf)];
  const found =
    sources.pairFor(names) ??
    sources.byRules({ name: leaf.key, type: "string", labels: names.length > 0 ? names : undefined });
  if (!found || typeof found.value !== "string") return [];
  return found.value.split(/\s*[,;|•]\s+|\s*[;|•]\s*/).flatMap((part): Cell[] => {
    const value = castValue(sources.context, item, part);
    if (value === null) return [];
    const box = found.box && found.page ? placeIn(sources.context, found.page, found.box, item, value) : null;
    return [{ ...found, value, box: box ?? found.box }];
  });
}

/** The words inside a box that hold a value. */
function placeIn(
  context: Context,
  page: number,
  within: Box,
  node: ScalarNode,
  value: unknown,
  used: Set<string> = new Set(),
): Box | undefined {
  for (const segment of context.layout.segments) {
    const height = middle(segment.box);
    const isInside = segment.page === page && height >= within[1] && height <= within[3];
    if (!isInside || segment.box[2] < within[0] || segment.box[0] > within[2]) continue;
    for (const { from, to } of placesOf(context, segment.text, node, value)) {
      const box = boxOfSpan(segment, from, to);
      const key = `${page} ${box}`;
      if (used.has(key)) continue;
      used.add(key);
      return box;
    }
  }
  return undefined;
}

function placesOf(context: Context, text: string, node: ScalarNode, value: unknown): { from: number; to: number }[] {
  const type = typeof value === "number" ? "number" : fieldTypeOf(node);
  if (type !== "string") return findOfType(context, type, text).filter((found) => found.value === value);
  const from = fold(text).indexOf(fold(String(value)));
  return from < 0 ? [] : [{ from, to: from + String(value).length }];
}
