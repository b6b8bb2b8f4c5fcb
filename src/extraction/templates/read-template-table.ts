import type { Box } from "../../ports/document-reader.ts";
import type { Context } from "../fields/context.ts";
import { candidateIn, type Finding, weigh } from "../fields/pick.ts";
import { union } from "../reading/geometry.ts";
import { indexPhrases, type Label, labelsIn, makePhrase } from "../reading/labels.ts";
import { boxOfSpan, type Row } from "../reading/layout.ts";
import type { Segment } from "../reading/segment.ts";
import { findOfType } from "./convert-value.ts";
import type { TemplateColumn, TemplateField } from "./schema.ts";

interface PlacedColumn {
  /** Undefined for a heading that the template does not ask for: its cells belong to nobody else either. */
  readonly column: TemplateColumn | undefined;
  readonly box: Box;
}

/** Reads the rows under the headings that a template names, until its end words, a gap, or a total. */
export function readTemplateTable(
  context: Context,
  field: TemplateField,
): Finding<Record<string, unknown>[]> | undefined {
  const columns = field.columns ?? [];
  const index = indexPhrases(
    columns.flatMap((column) => headingsOf(column).map((heading) => makePhrase(column.name, heading, true))),
  );
  const end = indexPhrases((field.end ?? []).map((word) => makePhrase("end", word, true)));
  const rows: Record<string, unknown>[] = [];
  const boxes: Box[] = [];
  let placed: PlacedColumn[] | undefined;
  let last: Row | undefined;
  let first: Segment | undefined;
  for (const row of context.layout.rows) {
    const heading = placeColumns(row, columns, index);
    if (heading) {
      placed = heading;
      last = row;
      first ??= row.segments[0]!;
      continue;
    }
    if (!placed || !last) continue;
    const isEnd = row.segments.some((segment) => labelsIn(segment, end).some((label) => label.from <= 3));
    const isGap = row.page === last.page && row.top - last.bottom > context.layout.lineHeight * 6;
    if (isEnd || isGap || (field.end === undefined && rows.length > 0 && isSum(context, row))) {
      placed = undefined;
      continue;
    }
    const values = readRow(context, row, placed);
    if (!values) continue;
    if (Object.values(values).filter((value) => value !== null).length === 1 && placed.length > 1 && rows.length > 0) {
      continueRow(rows.at(-1)!, values);
    } else rows.push(values);
    boxes.push(row.segments.map((segment) => segment.box).reduce(union));
    last = row;
  }
  if (rows.length === 0 || !first) return undefined;
  return weigh("lines", candidateIn(rows, first, boxes.reduce(union), { headed: 1 }));
}

function headingsOf(column: TemplateColumn): string[] {
  const given = [...[column.header ?? []].flat(), ...(column.labels ?? [])];
  return given.length > 0 ? given : [column.name.replace(/[_-]+/g, " ")];
}

function placeColumns(
  row: Row,
  columns: readonly TemplateColumn[],
  index: ReturnType<typeof indexPhrases<string>>,
): PlacedColumn[] | undefined {
  const labels: Label<string>[] = row.segments.flatMap((segment) => labelsIn(segment, index));
  const named = columns.flatMap((column): PlacedColumn[] => {
    const label = labels.find((candidate) => candidate.name === column.name);
    return label ? [{ column, box: boxOfSpan(label.segment, label.from, label.to) }] : [];
  });
  if (named.length < Math.min(2, columns.length) || named.length < columns.length * 0.5) return undefined;
  const others = row.segments.filter((segment) => !labels.some((label) => label.segment.id === segment.id));
  return [...named, ...others.map((segment) => ({ column: undefined, box: segment.box }))];
}

function readRow(context: Context, row: Row, placed: readonly PlacedColumn[]): Record<string, unknown> | undefined {
  const texts = new Map<string, string>();
  for (const segment of row.segments) {
    const nearest = placed
      .map((entry) => ({ entry, distance: distance(entry.box, segment.box) }))
      .sort((left, right) => left.distance - right.distance)[0]!;
    const name = nearest.entry.column?.name;
    if (nearest.distance > 0.15 || name === undefined) continue;
    texts.set(name, texts.has(name) ? `${texts.get(name)} ${segment.text}` : segment.text);
  }
  if (texts.size === 0) return undefined;
  return Object.fromEntries(
    placed.flatMap(({ column }) => {
      if (!column) return [];
      const text = texts.get(column.name);
      return [[column.name, text === undefined ? null : (findOfType(context, column.type, text)[0]?.value ?? null)]];
    }),
  );
}

function distance(column: Box, cell: Box): number {
  if (cell[0] < column[2] && cell[2] > column[0]) return 0;
  return Math.min(Math.abs(column[0] - cell[0]), Math.abs(column[2] - cell[2]));
}

/** A row with one value only goes on with the text of the row above. */
function continueRow(above: Record<string, unknown>, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string" && typeof above[name] === "string") above[name] = `${above[name]} ${value}`;
  }
}

function isSum(context: Context, row: Row): boolean {
  const lead = row.segments[0]!;
  return context
    .labelsOf(lead)
    .some((label) => label.from <= 2 && (label.name === "net_total" || label.name === "grand_total"));
}
