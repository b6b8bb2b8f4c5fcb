import type { Box, ReadDocument } from "../../ports/document-reader.ts";
import { findSpans, type Span } from "../fields/claims.ts";
import { classify } from "../fields/classify.ts";
import { type Context, createContext, type LocaleHints } from "../fields/context.ts";
import { type ExtractedField, type Extraction, present, warningsOf } from "../fields/extract-fields.ts";
import { overall } from "../fields/overall.ts";
import { type Candidate, candidateIn, type Finding, pick } from "../fields/pick.ts";
import { proposeSpans } from "../fields/propose.ts";
import { setPath } from "../paths.ts";
import { isRightUnder, startAlike, union } from "../reading/geometry.ts";
import { indexPhrases, labelsIn, makePhrase } from "../reading/labels.ts";
import { boxOfSpan, type Segment } from "../reading/layout.ts";
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
  const hints = hintsOf(template);
  return applyInContext(createContext(document, hints), document, template, standardReader(document, hints));
}

/** What a template says about how its documents write dates and numbers. */
export function hintsOf({ locale }: Pick<TemplateDefinition, "locale">): LocaleHints {
  return { dateOrder: locale?.date_order, decimalMark: locale?.decimal, currency: locale?.currency };
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
    const trace = emptyTrace(field.name);
    const found = findField(context, field, standard, trace);
    setPath(data, field.name, found?.value ?? null);
    if (found) {
      fields[field.name] = found;
      Object.assign(trace, { value: found.value, page: found.page, box: found.box });
    }
    traces.push(trace);
  }
  const needed = template.fields.filter((field) => field.required).map((field) => field.name);
  const checks = runTemplateChecks(template, data);
  const warnings = [
    ...document.warnings,
    ...mismatches(context, template),
    ...needed.filter((name) => !fields[name]).map((name) => `The required field "${name}" was not found.`),
    ...warningsOf(checks),
  ];
  return {
    extraction: {
      document_type: type,
      confidence: overall(type, fields, 1, checks, needed),
      data,
      fields,
      checks,
      warnings,
    },
    traces,
  };
}

export function emptyTrace(field: string): RuleTrace {
  return { field, rule: null, value: null, page: null, box: null, line: null, tried: [] };
}

/** What the template calls its documents, or what this one looks like. */
function typeOf(context: Context, template: TemplateDefinition): string {
  return template.document_type ?? template.document_types?.[0] ?? classify(context).type;
}

/** Whether a template that names words of its documents is meant for one with this text. */
export function fitsTemplate(text: string, { match }: TemplateDefinition): boolean {
  if (!match?.all?.length && !match?.any?.length) return false;
  const folded = text.toLowerCase();
  const has = (word: string): boolean => folded.includes(word.toLowerCase());
  return (match.all ?? []).every(has) && (!match.any?.length || match.any.some(has)) && !(match.none ?? []).some(has);
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

/** One field by its rules, in order. */
export function findField(
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
  return candidate && { field: present(candidate.finding), line: candidate.line };
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
  const ids = new Map(own.map((label) => [label.segment.id, label]));
  const isLabel = (segment: Segment): boolean =>
    ids.has(segment.id) || context.labelsOf(segment).some((label) => label.isAlone && label.isStrong);
  // In the label's own run of text only what follows it can be the value.
  const find = (text: string, segment: Segment) => {
    const start = ids.get(segment.id)?.to ?? 0;
    return findMatching(context, field, text.slice(start)).map((found) => ({
      ...found,
      from: found.from + start,
      to: found.to + start,
    }));
  };
  const spans = findSpans(context.layout, own, isLabel, find).flatMap((span): Span<unknown>[] => {
    const claims = span.claims.filter(({ place }) => !rule.where || rule.where.includes(place));
    return claims.length > 0 ? [{ ...span, claims }] : [];
  });
  const candidates = proposeSpans(context, spans, [field.name], () => (field.pattern ? { checked: 1 } : {}));
  const finding = pick(nameForKind(field), candidates);
  if (!finding) return undefined;
  const winner = spans.find((span) => span.box === finding.box)!;
  const full = field.type === "address" ? addressFrom(context, winner) : undefined;
  return { finding: full ? { ...finding, value: full.text, box: full.box } : finding, line: winner.segment.text };
}

/** Lines below an address go on with it. */
function addressFrom(context: Context, candidate: Span<unknown>): { text: string; box: Box } {
  const lines = [String(candidate.value)];
  let box = candidate.box;
  let last = candidate.segment;
  for (let index = last.row + 1; index < context.layout.rows.length && lines.length < 6; index++) {
    const next = context.layout.rows[index]!.segments.find(
      (segment) => segment.page === last.page && startAlike(segment.box, candidate.box),
    );
    if (!next || !isRightUnder(next.box[1], last.box[3], last.height) || /^[\p{L} ]{2,25}:/u.test(next.text)) break;
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
  const candidates: Candidate[] = [];
  for (const segment of context.layout.segments) {
    const matcher = compiled.matcher(segment.text);
    if (!matcher.find()) continue;
    const value = convert(context, field, matched(matcher));
    if (value === null || value === "") continue;
    const order = candidates.length === 0 ? { first: 1 } : {};
    candidates.push(
      candidateIn(value, segment, boxOfSpan(segment, matcher.start(), matcher.end()), { pattern: 1, ...order }),
    );
  }
  return chosen(context, field, candidates);
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
  const value = findMatching(context, field, inside.map((segment) => segment.text).join(" "))[0]?.value;
  if (value === undefined || value === null) return undefined;
  return chosen(context, field, [
    candidateIn(value, inside[0]!, inside.map((segment) => segment.box).reduce(union), { region: 1 }),
  ]);
}

function chosen(
  context: Context,
  field: TemplateField,
  candidates: readonly Candidate[],
): { finding: Finding; line: string } | undefined {
  const finding = pick(nameForKind(field), candidates);
  if (!finding) return undefined;
  const segment = context.layout.segments.find(
    ({ page, box }) => page === finding.page && box[1] <= finding.box![1] && box[3] >= finding.box![1],
  );
  return { finding, line: segment?.text ?? String(finding.value) };
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
    return present(own);
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

/** The column of the built-in lists that a name means. */
export function standardColumn(name: string): string {
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
