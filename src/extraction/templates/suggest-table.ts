import type { Context } from "../fields/context.ts";
import { endAlike, isInColumn, startAlike } from "../reading/geometry.ts";
import type { Row } from "../reading/layout.ts";
import type { Segment } from "../reading/segment.ts";
import { placesOf, typeOfValue } from "./convert-value.ts";
import { readTemplateTable } from "./read-template-table.ts";
import type { TemplateColumn, TemplateField } from "./schema.ts";

/** A table field whose headings stand over the cells of the first row that was given. */
export function suggestTable(
  context: Context,
  name: string,
  wanted: readonly Record<string, unknown>[],
): TemplateField | undefined {
  const first = wanted[0];
  if (!first || typeof first !== "object") return undefined;
  const given = Object.entries(first).filter(([, value]) => value !== null && typeof value !== "object");
  for (const row of context.layout.rows) {
    const cells = given.map(([column, value]) => ({ column, value, cell: cellWith(context, row, value) }));
    if (cells.length === 0 || cells.some(({ cell }) => !cell)) continue;
    const columns = cells.flatMap(({ column, value, cell }): TemplateColumn[] => {
      const header = headingOver(context, row, cell!);
      return header ? [{ name: column, type: typeOfValue(value) as TemplateColumn["type"], header: [header] }] : [];
    });
    if (columns.length < cells.length) continue;
    const field: TemplateField = { name, type: "table", required: true, columns };
    const found = readTemplateTable(context, field)?.value;
    if (found && found.length >= wanted.length) return field;
  }
  return undefined;
}

function cellWith(context: Context, row: Row, value: unknown): Segment | undefined {
  const type = typeOfValue(value);
  // Words that are only a part of a cell may be anything.
  return row.segments.find(({ text }) =>
    placesOf(context, type, text, value).some(({ from, to }) => type !== "string" || to - from === text.length),
  );
}

/** The nearest words above a cell that share its column and hold no figures. */
function headingOver(context: Context, row: Row, cell: Segment): string | undefined {
  for (let index = row.index - 1; index >= Math.max(0, row.index - 40); index--) {
    const above = context.layout.rows[index]!;
    if (above.page !== row.page) return undefined;
    const heading = above.segments.find(
      (segment) =>
        isInColumn(segment.box, cell.box) || startAlike(segment.box, cell.box) || endAlike(segment.box, cell.box),
    );
    if (heading && above.segments.length > 1 && /\p{L}/u.test(heading.text) && !/\d/.test(heading.text))
      return heading.text.slice(0, 120);
  }
  return undefined;
}
