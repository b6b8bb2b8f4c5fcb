import type { Context } from "../fields/context.ts";
import type { ExtractedField } from "../fields/extract-fields.ts";
import { middle } from "../reading/geometry.ts";
import { boxOfSpan } from "../reading/layout.ts";
import { placesOf } from "../templates/convert-value.ts";
import { readTemplateTable } from "../templates/read-template-table.ts";
import { castValue } from "./cast-value.ts";
import { columnRoles, headingsFor, labelsFor, lettersOf } from "./meanings.ts";
import { fieldTypeOf, type Leaf, leavesOf, type ObjectNode, type ScalarNode } from "./parse-schema.ts";
import type { Sources } from "./sources.ts";

type Column = Leaf & { readonly node: ScalarNode };
type Row = ReadonlyMap<string, ExtractedField>;

/** One way to fill a list: its rows, by the keys of the columns that it knows. */
interface Filling {
  readonly columns: number;
  readonly rows: readonly Row[];
}

/** The rows of a list of objects: from line items or transactions, from a table with such headings, whichever knows more columns. */
export function fillRows(sources: Sources, leaf: Leaf, item: ObjectNode): Row[] {
  const columns = leavesOf(item).filter((column): column is Column => column.node.kind === "scalar");
  const ways = [fromBuiltIn(sources, columns), ...fromTables(sources, columns), fromHeadings(sources, leaf, columns)];
  const [best] = ways
    .filter((filling) => filling.columns * 2 >= columns.length)
    .sort((one, other) => other.columns - one.columns);
  return (best?.rows ?? []).flatMap((row) => {
    const cast = new Map(
      columns.flatMap(({ key, node }): [string, ExtractedField][] => {
        const cell = row.get(key);
        const value = cell ? castValue(sources.context, node, cell.value) : null;
        return cell && value !== null ? [[key, { ...cell, value }]] : [];
      }),
    );
    return cast.size > 0 ? [cast] : [];
  });
}

/** The line items of an invoice or a receipt, the transactions of a bank statement. */
function fromBuiltIn({ context, type, standard }: Sources, columns: readonly Column[]): Filling {
  const list = type === "bank_statement" ? "transactions" : "lines";
  const { data, fields } = standard();
  const rows = ((data[list] ?? []) as Record<string, unknown>[]).map((row) =>
    list === "transactions" ? { ...row, amount: moved(row) } : row,
  );
  const known = new Set(rows.flatMap((row) => Object.keys(row)));
  const roles = new Map<string, string>();
  for (const { key, steps, node } of columns) {
    const role = columnRoles(steps.at(-1)!, node).find((name) => known.delete(name));
    if (role !== undefined) roles.set(key, role);
  }
  // A name alone may be that of anything: towns are no goods.
  if (roles.size < 2) return { columns: 0, rows: [] };
  const found = rows.map((row, index) => ({
    values: Object.fromEntries([...roles].map(([key, role]) => [key, row[role]])),
    place: fields[`${list}[${index}]`]!,
  }));
  return { columns: roles.size, rows: placeRows(context, columns, found) };
}

/** What a movement did to the balance. */
function moved({ debit, credit }: Record<string, unknown>): number | null {
  if (typeof credit === "number") return credit;
  return typeof debit === "number" ? -Math.abs(debit) : null;
}

/** Tables whose first row names the columns. */
function fromTables({ tables }: Sources, columns: readonly Leaf[]): Filling[] {
  return tables().map(({ value, cells: boxes, confidence, page, box }) => {
    const [head = [], ...body] = value.rows;
    const letters = head.map(lettersOf);
    const mapped = columns.flatMap((column) => {
      const headings = headingsFor(column.steps.at(-1)!, column.node).map(lettersOf);
      const index = letters.findIndex((text) => text !== "" && headings.includes(text));
      return index < 0 ? [] : [{ key: column.key, index }];
    });
    const rows = body.map((row, at) => {
      const cells = mapped.filter(({ index }) => row[index]);
      return new Map(
        cells.map(({ key, index }): [string, ExtractedField] => [
          key,
          { value: row[index], confidence, page, box: boxes?.[at + 1]?.[index] ?? box },
        ]),
      );
    });
    return { columns: mapped.length, rows };
  });
}

/** Rows under such headings where the layout states no table. */
function fromHeadings({ context }: Sources, leaf: Leaf, columns: readonly Column[]): Filling {
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
  const rows = (found?.value ?? []).map((values) => ({ values, place: found! }));
  const placed = placeRows(context, columns, rows);
  return { columns: new Set(placed.flatMap((row) => [...row.keys()])).size, rows: placed };
}

/** Each value at its own place inside of where its row stands. */
function placeRows(
  context: Context,
  columns: readonly Column[],
  rows: readonly { values: Record<string, unknown>; place: Pick<ExtractedField, "confidence" | "page" | "box"> }[],
): Row[] {
  const used = new Set<string>();
  return rows.map(({ values, place: { confidence, page, box } }) => {
    const cells = columns.flatMap(({ key, node }): [string, ExtractedField][] => {
      const value = values[key] ?? null;
      if (value === null) return [];
      return [[key, placeIn(context, { value, confidence, page, box }, node, used)]];
    });
    return new Map(cells);
  });
}

/** A list of single values is what stands beside its label, cut at commas; each must stand there by itself. */
export function fillValues(sources: Sources, leaf: Leaf, item: ScalarNode): ExtractedField[] {
  const names = labelsFor(leaf);
  const found =
    sources.pairFor(names) ??
    sources.byRules({ name: leaf.key, type: "string", labels: names.length > 0 ? names : undefined });
  if (!found || typeof found.value !== "string") return [];
  return found.value.split(/\s*[,;|•]\s+|\s*[;|•]\s*/).flatMap((part): ExtractedField[] => {
    const value = castValue(sources.context, item, part);
    return value === null ? [] : [placeIn(sources.context, { ...found, value }, item, new Set())];
  });
}

/** Narrows the place of a value down to the words inside of it that say so, and that say nothing else already. */
function placeIn(context: Context, field: ExtractedField, node: ScalarNode, used: Set<string>): ExtractedField {
  const { value, page, box: within } = field;
  const type = typeof value === "number" ? "number" : fieldTypeOf(node);
  for (const segment of within ? context.layout.segments : []) {
    const height = middle(segment.box);
    const isInside = segment.page === page && height >= within![1] && height <= within![3];
    if (!isInside || segment.box[2] < within![0] || segment.box[0] > within![2]) continue;
    for (const { from, to } of placesOf(context, type, segment.text, value)) {
      const box = boxOfSpan(segment, from, to);
      if (used.has(`${page} ${box}`)) continue;
      used.add(`${page} ${box}`);
      return { ...field, box };
    }
  }
  return field;
}
