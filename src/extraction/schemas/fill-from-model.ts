import type { ReadDocument } from "../../ports/document-reader.ts";
import type { FieldQuestion, ModelAnswers, ModelRow } from "../../ports/field-model.ts";
import { acceptAnswers, columnOf, createVerifier } from "../fields/ask-model.ts";
import { type Context, createContext } from "../fields/context.ts";
import type { ExtractedField, Extraction } from "../fields/extract-fields.ts";
import { judge } from "../judge.ts";
import { castValue } from "./cast-value.ts";
import { missingOf, setAt, writeRows } from "./fill-schema.ts";
import {
  fieldTypeOf,
  type Leaf,
  type ListNode,
  leavesOf,
  type ObjectNode,
  type ScalarNode,
  type SchemaNode,
} from "./parse-schema.ts";

/** What a language model is asked: single values, and lists by the columns of their entries. */
export function schemaQuestions(schema: ObjectNode): FieldQuestion[] {
  return leavesOf(schema).flatMap(({ key, node }): FieldQuestion[] => {
    if (node.kind === "scalar") return [questionOf(key, node, fieldTypeOf(node))];
    const columns = columnsOf(node).map((column) => questionOf(column.key, column.node, fieldTypeOf(column.node)));
    return columns.length > 0 ? [{ ...questionOf(key, node, "list"), columns }] : [];
  });
}

function questionOf(name: string, { title, description }: SchemaNode, type: string): FieldQuestion {
  return { name, type, description: [title, description].filter(Boolean).join(": ") };
}

interface Column {
  readonly key: string;
  readonly node: ScalarNode;
}

/** The values of one entry of a list; in a list of single values that is one without a name. */
function columnsOf({ items }: ListNode): Column[] {
  if (items.kind === "scalar") return [{ key: "", node: items }];
  if (items.kind === "list") return [];
  return leavesOf(items).flatMap(({ key, node }) => (node.kind === "scalar" ? [{ key, node }] : []));
}

/** Takes over what a language model read, where the line it cites says so and the schema allows it. */
export function fillFromModel(given: {
  readonly document: ReadDocument;
  readonly schema: ObjectNode;
  readonly extraction: Extraction;
  readonly open: readonly FieldQuestion[];
  readonly answers: ModelAnswers;
}): Extraction {
  const { document, schema, open, answers } = given;
  const extraction = structuredClone(given.extraction);
  const { fields } = acceptAnswers(document, extraction, open, answers);
  const context = createContext(document);
  for (const leaf of leavesOf(schema)) {
    const { key, steps, node } = leaf;
    if (node.kind === "list") {
      const rows = open.some(({ name }) => name === key) && Object.hasOwn(answers, key) ? answers[key] : undefined;
      if (Array.isArray(rows)) takeList(context, extraction, { ...leaf, node }, rows);
      continue;
    }
    const answered = fields[key];
    if (!answered || answered === extraction.fields[key]) continue;
    const value = castValue(context, node, answered.value);
    if (value === null) continue;
    extraction.fields[key] = { ...answered, value };
    setAt(extraction.data, steps, value);
  }
  return judge(extraction, missingOf(schema, extraction.data));
}

/** Enough for any list that people read. */
const mostRows = 1000;

/** A list that a language model read stands instead of the rules' where more of it is on the page. */
function takeList(
  context: Context,
  extraction: Extraction,
  { key, steps, node }: Leaf & { node: ListNode },
  answered: readonly ModelRow[],
): void {
  const rows = groundRows(context, columnsOf(node), answered.slice(0, mostRows));
  const known = Object.keys(extraction.fields).filter((field) => columnOf(key, field) !== undefined);
  if (rows.reduce((sum, row) => sum + row.size, 0) <= known.length) return;
  for (const field of known) delete extraction.fields[field];
  const { items } = node;
  const written =
    items.kind === "object"
      ? writeRows(key, items, rows, extraction.fields)
      : rows.map((row, index) => {
          const cell = row.get("")!;
          extraction.fields[`${key}[${index}]`] = cell;
          return cell.value;
        });
  setAt(extraction.data, steps, written);
}

/** Each cell at its place on the page. An entry that says nothing but what entries before it said was made up. */
function groundRows(
  context: Context,
  columns: readonly Column[],
  answered: readonly ModelRow[],
): ReadonlyMap<string, ExtractedField>[] {
  const verify = createVerifier(context);
  const used = new Set<string>();
  return answered.flatMap((row) => {
    const cells = columns.flatMap(({ key, node }): [string, ExtractedField][] => {
      const name = key === "" ? "value" : key;
      const answer = Object.hasOwn(row, name) ? row[name] : undefined;
      const found = answer && verify(questionOf(key, node, fieldTypeOf(node)), answer);
      const value = found ? castValue(context, node, found.value) : null;
      return found && value !== null ? [[key, { ...found, value }]] : [];
    });
    const places = cells.map(([key, { value, page, box }]) => `${key} ${value} ${page} ${box}`);
    if (places.every((place) => used.has(place))) return [];
    for (const place of places) used.add(place);
    return [new Map(cells)];
  });
}
