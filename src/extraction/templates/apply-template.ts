import type { Box, ReadDocument } from "../../ports/document-reader.ts";
import { type Candidate, valuesNear } from "../fields/candidates.ts";
import { classify } from "../fields/classify.ts";
import { type Context, createContext } from "../fields/context.ts";
import { type ExtractedField, type Extraction, overall, present } from "../fields/extract-fields.ts";
import { type Finding, findingIn } from "../fields/finding.ts";
import { indexPhrases, labelsIn, makePhrase } from "../fields/labels.ts";
import { setPath } from "../paths.ts";
import { boxOfSpan, union } from "../reading/layout.ts";
import { findOfType } from "./convert-value.ts";
import { compilePattern } from "./parse-template.ts";
import { readTemplateTable } from "./read-template-table.ts";
import type { FindRule, TemplateDefinition, TemplateField } from "./schema.ts";
import { findStandard, type StandardReader, standardReader } from "./standard-fields.ts";
import { runTemplateChecks } from "./template-checks.ts";

/** How a field of a template was found, or why each rule failed: what the test of a template shows. */
export interface RuleTrace {
  field: string;
  rule: string | null;
  value: unknown;
  page: number | null;
  box: Box | null;
  line: string | null;
  tried: { rule: string; outcome: string }[];
}

export interface TemplateResult {
  extraction: Extraction;
  traces: RuleTrace[];
}

/** Finds the fields of a template: its rules in order, then what its name means. What nothing finds is null. */
export function applyTemplate(document: ReadDocument, template: TemplateDefinition): TemplateResult {
  const context = createContext(document, {
    dateOrder: template.locale?.date_order,
    decimalMark: template.locale?.decimal,
    currency: template.locale?.currency,
  });
  return applyInContext(context, document, template, standardReader(document));
}

/** The same for a document that is already laid out. */
export function applyInContext(
  context: Context,
  document: ReadDocument,
  template: TemplateDefinition,
  standard: StandardReader,
): TemplateResult {
  const type = typeOf(context, template);
  const fields: Record<string, ExtractedField> = {};
  const data: Record<string, unknown> = { document_type: type };
  const traces: RuleTrace[] = [];
  for (const field of template.fields) {
    const trace: RuleTrace = {
      field: field.name,
      rule: null,
      value: null,
      page: null,
      box: null,
      line: null,
      tried: [],
    };
    const found = findField(context, field, standard, trace);
    setPath(data, field.name, found?.value ?? null);
    if (found) {
      fields[field.name] = found;
      Object.assign(trace, { value: found.value, page: found.page, box: found.box });
    }
    traces.push(trace);
  }
  const needed = template.fields.filter((field) => field.required).map((field) => field.name);
  const warnings = [
    ...document.warnings,
    ...mismatches(context, template),
    ...needed.filter((name) => !fields[name]).map((name) => `The required field "${name}" was not found.`),
  ];
  return {
    extraction: {
      document_type: type,
      confidence: overall(type, fields, 1, needed),
      data,
      fields,
      checks: runTemplateChecks(template, data),
      warnings,
    },
    traces,
  };
}

/** What the template calls its documents, or what this one looks like. */
function typeOf(context: Context, template: TemplateDefinition): string {
  return template.document_type ?? template.document_types?.[0] ?? classify(context).type;
}

/** Words that the template expects in its documents. */
function mismatches(context: Context, template: TemplateDefinition): string[] {
  const text = context.layout.text.toLowerCase();
  const has = (word: string): boolean => text.includes(word.toLowerCase());
  const warnings: string[] = [];
  for (const word of template.match?.all ?? [])
    if (!has(word)) warnings.push(`The template expects "${word}", which the document does not contain.`);
  if (template.match?.any && !template.match.any.some(has))
    warnings.push("None of the words that the template expects is in the document.");
  for (const word of template.match?.none ?? [])
    if (has(word)) warnings.push(`The template is not meant for documents that contain "${word}".`);
  return warnings;
}

function findField(
  context: Context,
  field: TemplateField,
  standard: StandardReader,
  trace: RuleTrace,
): ExtractedField | undefined {
  if (field.type === "table") return findTable(context, field, standard, trace);
  for (const rule of rulesOf(field)) {
    const name = describeRule(rule);
    const found = runRule(context, field, rule, standard);
    if (!found) {
      trace.tried.push({ rule: name, outcome: "nothing found" });
      continue;
    }
    if (!passes(field, found.field.value)) {
      trace.tried.push({ rule: name, outcome: `${JSON.stringify(found.field.value)} does not pass the check` });
      continue;
    }
    trace.rule = name;
    trace.line = found.line;
    return found.field;
  }
  return undefined;
}

/** The rules a field states, or those its name implies. */
function rulesOf(field: TemplateField): FindRule[] {
  const labels = [...(field.labels ?? []), ...(field.anchors ?? [])];
  const rules: FindRule[] = [...(field.find ?? [])];
  if (labels.length > 0) rules.push({ label: labels });
  else if (field.pattern && !field.find) rules.push({ pattern: field.pattern });
  if (rules.length > 0) return rules;
  const words = field.name
    .split(".")
    .at(-1)!
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ");
  return [...(findStandard(field.name) ? [{ standard: field.name }] : []), { label: [words] }];
}

function runRule(
  context: Context,
  field: TemplateField,
  rule: FindRule,
  standard: StandardReader,
): { field: ExtractedField; line: string | null } | undefined {
  if ("standard" in rule) {
    const wanted = findStandard(rule.standard);
    const found = wanted && standard(wanted.type).fields[wanted.path];
    return found ? { field: found, line: null } : undefined;
  }
  const candidate =
    "label" in rule
      ? byLabel(context, field, rule)
      : "pattern" in rule
        ? byPattern(context, field, rule.pattern)
        : byRegion(context, field, rule.region);
  return candidate && { field: present(nameForKind(field), candidate.finding), line: candidate.line };
}

/** Confidence differs by kind of value, not by what somebody called the field. */
function nameForKind(field: TemplateField): string {
  if (field.type === "date") return "date";
  if (["number", "integer", "currency", "money"].includes(field.type)) return "amount";
  return field.type === "address" ? "address" : "code";
}

function byLabel(
  context: Context,
  field: TemplateField,
  rule: { label: string | string[]; where?: ("inline" | "right" | "below")[] | undefined },
) {
  const index = indexPhrases([rule.label].flat().map((label) => makePhrase(field.name, label, true)));
  const own = context.layout.segments.flatMap((segment) => labelsIn(segment, index));
  const ids = new Set(own.map((label) => label.segment.id));
  const isLabel = (segment: { id: number }): boolean =>
    ids.has(segment.id) ||
    context.labels.some((label) => label.segment.id === segment.id && label.isAlone && label.isStrong);
  const ranked = own
    .flatMap((label) =>
      valuesNear(context.layout, label, isLabel, (text) => findMatching(context, field, text), { maxRowsBelow: 3 }),
    )
    .filter((candidate) => !rule.where || rule.where.includes(candidate.place))
    .sort((left, right) => right.fit - left.fit || left.segment.row - right.segment.row);
  const winner = ranked[0];
  if (!winner) return undefined;
  const full = field.type === "address" ? addressFrom(context, winner) : undefined;
  const rival = ranked.find((other) => other.value !== winner.value);
  const finding: Finding = findingIn(full?.text ?? winner.value, winner.segment, full?.box ?? winner.box, {
    fit: winner.fit,
    isLabelled: true,
    isChecked: field.pattern ? true : undefined,
    margin: rival ? Math.max(0, 1 - rival.fit / winner.fit) : 1,
  });
  return { finding, line: winner.segment.text };
}

/** Lines below an address go on with it. */
function addressFrom(context: Context, candidate: Candidate<unknown>): { text: string; box: Box } {
  const lines = [String(candidate.value)];
  let box = candidate.box;
  let last = candidate.segment;
  for (let index = last.row + 1; index < context.layout.rows.length && lines.length < 6; index++) {
    const next = context.layout.rows[index]!.segments.find(
      (segment) => segment.page === last.page && Math.abs(segment.box[0] - candidate.box[0]) < 0.02,
    );
    if (!next || next.box[1] - last.box[3] > last.height * 1.2 || /^[\p{L} ]{2,25}:/u.test(next.text)) break;
    lines.push(next.text);
    box = union(box, next.box);
    last = next;
  }
  return { text: lines.join(", "), box };
}

function findMatching(context: Context, field: TemplateField, text: string) {
  if (!field.pattern) return findOfType(context, field.type, text);
  const matcher = compilePattern(field.pattern, field.name).matcher(text);
  if (!matcher.find()) return [];
  return [{ value: convert(context, field, matched(matcher)), from: matcher.start(), to: matcher.end() }];
}

/** The first group when the pattern has one, else the whole match. */
function matched(matcher: { groupCount(): number; group(index?: number): string | null }): string {
  return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? "";
}

function convert(context: Context, field: TemplateField, text: string): unknown {
  if (field.type === "string" || field.type === "address") return text.trim();
  return findOfType(context, field.type, text)[0]?.value ?? null;
}

function byPattern(context: Context, field: TemplateField, pattern: string) {
  const compiled = compilePattern(pattern, field.name);
  for (const segment of context.layout.segments) {
    const matcher = compiled.matcher(segment.text);
    if (!matcher.find()) continue;
    const value = convert(context, field, matched(matcher));
    if (value === null || value === "") continue;
    const finding: Finding = findingIn(value, segment, boxOfSpan(segment, matcher.start(), matcher.end()), {
      fit: 0.8,
      isLabelled: true,
      margin: 0.6,
    });
    return { finding, line: segment.text };
  }
  return undefined;
}

function byRegion(
  context: Context,
  field: TemplateField,
  region: { page: number; box: [number, number, number, number] },
) {
  const [left, top, right, bottom] = region.box;
  const inside = context.layout.segments.filter((segment) => {
    const middleX = (segment.box[0] + segment.box[2]) / 2;
    const middleY = (segment.box[1] + segment.box[3]) / 2;
    return segment.page === region.page && middleX >= left && middleX <= right && middleY >= top && middleY <= bottom;
  });
  if (inside.length === 0) return undefined;
  const text = inside.map((segment) => segment.text).join(" ");
  const value = findMatching(context, field, text)[0]?.value;
  if (value === undefined || value === null) return undefined;
  const box = inside.map((segment) => segment.box).reduce(union);
  return {
    finding: findingIn(value, inside[0]!, box, { fit: 0.7, isLabelled: true, margin: 0.6 }) as Finding,
    line: text,
  };
}

function findTable(
  context: Context,
  field: TemplateField,
  standard: StandardReader,
  trace: RuleTrace,
): ExtractedField | undefined {
  const own = readTemplateTable(context, field);
  if (own) {
    trace.rule = "table by its headings";
    return present("lines", own);
  }
  trace.tried.push({ rule: "table by its headings", outcome: "no row holds these headings" });
  const wanted = findStandard(field.name);
  const list = wanted && (standard(wanted.type).data[wanted.path] as Record<string, unknown>[] | undefined);
  if (!wanted || !list || list.length === 0) return undefined;
  // Columns are matched to the built-in ones by their names.
  const rows = list.map((entry) =>
    Object.fromEntries(field.columns!.map((column) => [column.name, entry[standardColumn(column.name)] ?? null])),
  );
  const first = standard(wanted.type).fields[`${wanted.path}[0]`];
  trace.rule = `standard ${wanted.type}.${wanted.path}`;
  return { value: rows, confidence: first?.confidence ?? 0.5, page: first?.page ?? null, box: first?.box ?? null };
}

function standardColumn(name: string): string {
  const bare = name.toLowerCase().replace(/[^a-z]/g, "");
  if (/^(qty|quantity|count|menge|units|hours)$/.test(bare)) return "quantity";
  if (/price|rate|each|cost|unit/.test(bare)) return "unit_price";
  if (/amount|total|sum|value|net/.test(bare)) return "total";
  if (/^(desc|item|product|name|text|article|service)/.test(bare)) return "description";
  return name;
}

function passes(field: TemplateField, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (!field.validate) return true;
  return compilePattern(field.validate.pattern, field.name).matcher(String(value)).find();
}

function describeRule(rule: FindRule): string {
  if ("label" in rule)
    return `label ${[rule.label]
      .flat()
      .map((label) => JSON.stringify(label))
      .join(" or ")}`;
  if ("pattern" in rule) return `pattern ${rule.pattern}`;
  if ("region" in rule) return `region of page ${rule.region.page}`;
  return `standard ${rule.standard}`;
}
