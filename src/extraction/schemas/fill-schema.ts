import type { ReadDocument } from "../../ports/document-reader.ts";
import { compilePattern } from "../compile-pattern.ts";
import { type ExtractedField, type Extraction, readEach } from "../fields/extract-fields.ts";
import { judge } from "../judge.ts";
import { castValue } from "./cast-value.ts";
import { fillRows, fillValues } from "./fill-list.ts";
import { labelsFor, namesOf, placesFor } from "./meanings.ts";
import { fieldTypeOf, type Leaf, leavesOf, type ObjectNode, type ScalarNode, type SchemaNode } from "./parse-schema.ts";
import { createSources, type Sources } from "./sources.ts";

/** Fills the shape that a JSON Schema states with what the rules find; what nothing finds is null, and a list is empty. */
export function fillSchema(document: ReadDocument, schema: ObjectNode): Extraction {
  return readEach(document, {}, (part) => fillOne(createSources(part), schema));
}

function fillOne(sources: Sources, schema: ObjectNode): Extraction {
  const fields: Record<string, ExtractedField> = {};
  const data = emptyOf(schema) as Record<string, unknown>;
  for (const leaf of leavesOf(schema)) {
    if (leaf.node.kind === "scalar") {
      const found = fillScalar(sources, { ...leaf, node: leaf.node });
      if (found) fields[leaf.key] = found;
      setAt(data, leaf.steps, found?.value ?? null);
    } else setAt(data, leaf.steps, fillList(sources, leaf, leaf.node.items, fields));
  }
  const { document_type, checks, warnings } = sources.own;
  return judge({ document_type, data, fields, checks, warnings }, missingOf(schema, data));
}

/** The shape without any value. */
function emptyOf(node: SchemaNode): unknown {
  if (node.kind === "list") return [];
  if (node.kind === "scalar") return null;
  return Object.fromEntries(node.properties.map(({ name, node: inner }) => [name, emptyOf(inner)]));
}

export function setAt(data: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  let target = data;
  for (const step of steps.slice(0, -1)) target = target[step] as Record<string, unknown>;
  target[steps.at(-1)!] = value;
}

function fillList(sources: Sources, leaf: Leaf, item: SchemaNode, fields: Record<string, ExtractedField>): unknown[] {
  if (item.kind === "scalar")
    return fillValues(sources, leaf, item).map((cell, index) => {
      fields[`${leaf.key}[${index}]`] = cell;
      return cell.value;
    });
  // Nothing on a page says how lists inside of lists belong together.
  if (item.kind === "list") return [];
  return writeRows(leaf.key, item, fillRows(sources, leaf, item), fields);
}

/** The entries of a list of objects, and their cells among the fields. */
export function writeRows(
  list: string,
  item: ObjectNode,
  rows: readonly ReadonlyMap<string, ExtractedField>[],
  fields: Record<string, ExtractedField>,
): unknown[] {
  const columns = leavesOf(item);
  return rows.map((row, index) => {
    const entry = emptyOf(item) as Record<string, unknown>;
    for (const { key, steps } of columns) {
      const cell = row.get(key);
      if (!cell) continue;
      fields[`${list}[${index}].${key}`] = cell;
      setAt(entry, steps, cell.value);
    }
    return entry;
  });
}

/** The labels that the schema states, what the document's own reader found, what stands beside such words, and last its pattern. */
function fillScalar(sources: Sources, leaf: Leaf & { node: ScalarNode }): ExtractedField | undefined {
  const { key, node } = leaf;
  const type = fieldTypeOf(node);
  const standard = standardWays(sources, leaf);
  // Where the reader of this kind of document knows the field and left it open, words beside a number would be a worse guess:
  // "VAT 44241601" is no tax.
  const isLeftOpen = sources.isKnown && standard.length > 0;
  const ways: (() => ExtractedField | undefined)[] = [
    () => (node.labels.length > 0 ? sources.byRules({ name: key, type, labels: [...node.labels] }) : undefined),
    ...(sources.isKnown ? standard : []),
    ...(type === "boolean" ? [() => sources.checkboxFor(namesOf(leaf))] : []),
    ...(isLeftOpen ? [] : [() => beside(sources, leaf)]),
    ...(sources.isKnown ? [] : standard),
    () => byPattern(sources, leaf),
  ];
  for (const way of ways) {
    const found = way();
    if (!found || found.value === null) continue;
    const value = castValue(sources.context, node, found.value);
    if (value !== null) return { ...found, value };
  }
  return undefined;
}

function standardWays(sources: Sources, leaf: Leaf): (() => ExtractedField | undefined)[] {
  return placesFor(leaf, sources.type).map((path) => () => {
    const { fields } = sources.standard();
    return Object.hasOwn(fields, path) ? fields[path] : undefined;
  });
}

/** What stands beside such words: as the answer of a form, or as a value of the wanted type; whichever is surer. */
function beside(sources: Sources, leaf: Leaf & { node: ScalarNode }): ExtractedField | undefined {
  const labels = labelsFor(leaf);
  const type = fieldTypeOf(leaf.node);
  const found = [
    labels.length > 0 ? sources.byRules({ name: leaf.key, type, labels }) : undefined,
    sources.pairFor(namesOf(leaf)),
  ].flatMap((one) => (one && castValue(sources.context, leaf.node, one.value) !== null ? [one] : []));
  return found.sort((one, other) => other.confidence - one.confidence)[0];
}

/** A pattern that fits these finds nothing in particular. */
const anything = ["", "Total", "17", "a b"];

function byPattern(sources: Sources, { key, node }: Leaf & { node: ScalarNode }): ExtractedField | undefined {
  if (node.pattern === undefined || node.type !== "string") return undefined;
  // In a schema "^" and "$" are the ends of the value; on the page other words stand around it.
  const inside = node.pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  const compiled = compilePattern(inside, key);
  if (anything.some((text) => compiled.matcher(text).find())) return undefined;
  return sources.byRules({ name: key, type: "string", pattern: `(${inside})` });
}

/** The required properties that have no value, by their paths. */
export function missingOf(node: SchemaNode, value: unknown, path = ""): string[] {
  if (node.kind === "list")
    return (Array.isArray(value) ? value : []).flatMap((entry, index) =>
      missingOf(node.items, entry, `${path}[${index}]`),
    );
  if (node.kind === "scalar" || typeof value !== "object" || value === null) return [];
  return node.properties.flatMap(({ name, isRequired, node: inner }): string[] => {
    const own = (value as Record<string, unknown>)[name];
    const at = path === "" ? name : `${path}.${name}`;
    if (isEmpty(own)) return isRequired ? [at] : [];
    return missingOf(inner, own, at);
  });
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}
