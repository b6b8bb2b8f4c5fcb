import { Problem } from "../../platform/errors.ts";
import type { ReadDocument } from "../../ports/document-reader.ts";
import { type Context, createContext } from "../fields/context.ts";
import { isInColumn } from "../reading/geometry.ts";
import { boxOfSpan } from "../reading/layout.ts";
import { fold } from "../reading/normalize.ts";
import type { Segment } from "../reading/segment.ts";
import { applyInContext, findField, type RuleTrace } from "./apply-template.ts";
import { isSame, placesOf, typeOfValue } from "./convert-value.ts";
import { parseTemplate } from "./parse-template.ts";
import type { FindRule, TemplateDefinition, TemplateField } from "./schema.ts";
import { type StandardReader, standardReader } from "./standard-fields.ts";
import { suggestTable } from "./suggest-table.ts";

/** A draft, how each of its rules did, and what could not be placed. */
export type Suggestion = {
  readonly template: TemplateDefinition;
  readonly rules: readonly RuleTrace[];
  /** Fields whose value does not stand in the document as it was given. */
  readonly not_found: readonly string[];
};

/** Where a value stands, and what stands before or above it. */
interface Place {
  readonly segment: Segment;
  readonly from: number;
  readonly to: number;
}

/** A value that stands in more places is found by none of them. */
const mostPlaces = 12;

/** Writes a template that finds the given values in the given document: every rule in it was tried and gave its value. */
export function suggestTemplate(
  document: ReadDocument,
  values: Readonly<Record<string, unknown>>,
  name: string,
): Suggestion {
  const context = createContext(document);
  const standard = standardReader(document);
  const fields: TemplateField[] = [];
  const missing: string[] = [];
  const taken = new Set<string>();
  for (const [field, value] of Object.entries(values)) {
    if (value === null || value === "") continue;
    const found = Array.isArray(value)
      ? suggestTable(context, field, value as Record<string, unknown>[])
      : suggestField(context, standard, field, value, taken);
    if (found) fields.push(found);
    else missing.push(field);
  }
  if (fields.length === 0)
    throw new Problem("invalid_request", "None of these values stands in the document as it was given.");
  const template = parseTemplate({
    name,
    locale: { date_order: context.dateOrder, decimal: context.decimalMark },
    fields,
  });
  const { traces } = applyInContext(context, template, standard);
  return { template, rules: traces, not_found: missing };
}

function suggestField(
  context: Context,
  standard: StandardReader,
  name: string,
  value: unknown,
  taken: Set<string>,
): TemplateField | undefined {
  const type = typeOfValue(value);
  const places = context.layout.segments
    .flatMap((segment) => placesOf(context, type, segment.text, value).map((found): Place => ({ ...found, segment })))
    .slice(0, mostPlaces);
  const candidates: FindRule[] = [
    ...places.flatMap((place) => labelRules(context, place)),
    ...(type === "string" && /\d/.test(String(value)) ? [{ pattern: shapeOf(String(value)) }] : []),
    { standard: name },
    ...places.slice(0, 1).map(regionRule),
  ];
  const right: { field: TemplateField; place: string; words: string }[] = [];
  for (const rule of candidates) {
    const field: TemplateField = { name, type, required: true, find: [rule] };
    const { found } = findField(context, field, standard);
    if (!found || !isSame(found.value, value)) continue;
    const words = "label" in rule ? [rule.label].flat().join(" ") : "";
    right.push({ field, place: `${found.page} ${found.box}`, words });
  }
  // Two fields with the same value are two places: the one whose words are like the field's name, else one that is still free.
  const own = fold(name)
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
  const isNamed = ({ words }: { words: string }): boolean => own.some((word) => fold(words).includes(word));
  const free = right.filter(({ place }) => !taken.has(place));
  const best = free.find(isNamed) ?? free[0] ?? right[0];
  if (best) taken.add(best.place);
  return best?.field;
}

/** What is written before the value, left of it, or above it, may be its label. */
function labelRules(context: Context, { segment, from }: Place): FindRule[] {
  const rules: FindRule[] = [];
  const add = (text: string | undefined, where: "inline" | "right" | "below"): void => {
    const label = text?.replace(/[\s:：.]+$/, "").trim();
    if (label && label.length <= 60 && /\p{L}{2}/u.test(label)) rules.push({ label: [label], where: [where] });
  };
  add(segment.text.slice(0, from), "inline");
  const row = context.layout.rows[segment.row]!;
  add(row.segments.filter((other) => other.box[2] <= segment.box[0] + 0.005).at(-1)?.text, "right");
  const above = context.layout.rows
    .slice(Math.max(0, segment.row - 3), segment.row)
    .filter((other) => other.page === segment.page)
    .flatMap((other) => other.segments.filter((candidate) => isInColumn(candidate.box, segment.box)))
    .at(-1);
  add(above?.text, "below");
  return rules;
}

/** The value with its figures and letters made general: MCS-2024-00817 becomes [A-Z]{3}-\d{4}-\d{5}. */
function shapeOf(value: string): string {
  const shape = value.replace(/\d+|[A-Z]+|[a-z]+|[^A-Za-z\d]/g, (part) => {
    if (/\d/.test(part)) return `\\d{${part.length}}`;
    if (/[A-Z]/.test(part)) return part.length > 4 ? part : `[A-Z]{${part.length}}`;
    if (/[a-z]/.test(part)) return part;
    return part === " " ? " " : `\\x{${part.codePointAt(0)!.toString(16)}}`;
  });
  return `\\b(${shape})\\b`.slice(0, 500);
}

function regionRule({ segment, from, to }: Place): FindRule {
  const [left, top, right, bottom] = boxOfSpan(segment, from, to);
  const grow = (value: number, by: number): number => Math.round(Math.min(1, Math.max(0, value + by)) * 1000) / 1000;
  return {
    region: { page: segment.page, box: [grow(left, -0.01), grow(top, -0.005), grow(right, 0.05), grow(bottom, 0.005)] },
  };
}
