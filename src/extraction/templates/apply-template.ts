import type { Box, ReadDocument } from "../../ports/document-reader.ts";
import { compilePattern } from "../compile-pattern.ts";
import { findSpans, type Span } from "../fields/claims.ts";
import { classify } from "../fields/classify.ts";
import { type Context, createContext, type LocaleHints } from "../fields/context.ts";
import { type ExtractedField, type Extraction, present, readEach, warningsOf } from "../fields/extract-fields.ts";
import { type Candidate, candidateIn, type Finding, pick } from "../fields/pick.ts";
import { proposeSpans } from "../fields/propose.ts";
import { judge } from "../judge.ts";
import { setPath } from "../paths.ts";
import { isRightUnder, middle, startAlike, union } from "../reading/geometry.ts";
import { indexPhrases, labelsIn, makePhrase } from "../reading/labels.ts";
import { boxOfSpan } from "../reading/layout.ts";
import type { Segment } from "../reading/segment.ts";
import { findOfType } from "./convert-value.ts";
import { readTemplateTable } from "./read-template-table.ts";
import type { FindRule, TemplateDefinition, TemplateField } from "./schema.ts";
import { findStandard, type StandardReader, standardColumn, standardReader } from "./standard-fields.ts";
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

/** Finds the fields of a template in each document of a file: its rules in order, then what its name means. What nothing finds is null. */
export function applyTemplate(document: ReadDocument, template: TemplateDefinition): TemplateResult {
  const { locale } = template;
  const hints: LocaleHints = {
    dateOrder: locale?.date_order,
    decimalMark: locale?.decimal,
    currency: locale?.currency,
  };
  const traces: RuleTrace[] = [];
  const extraction = readEach(document, hints, (part, _offset, context = createContext(part, hints)) => {
    const found = applyInContext(context, template, standardReader(part, hints));
    traces.push(...found.traces);
    return found.extraction;
  });
  return { extraction, traces };
}

/** The same for one document that is already laid out. */
export function applyInContext(
  context: Context,
  template: TemplateDefinition,
  standard: StandardReader,
): TemplateResult {
  // What the template calls its documents, or what this one looks like.
  const type = template.document_type ?? template.document_types?.[0] ?? classify(context).type;
  const fields: Record<string, ExtractedField> = {};
  const data: Record<string, unknown> = { document_type: type };
  const traces = template.fields.map((field): RuleTrace => {
    const { found, ...trace } = findField(context, field, standard);
    const { value = null, page = null, box = null } = found ?? {};
    setPath(data, field.name, value);
    if (found) fields[field.name] = found;
    return { field: field.name, ...trace, value, page, box };
  });
  const checks = runTemplateChecks(template, data);
  const warnings = [...context.document.warnings, ...mismatches(context.layout.text, template), ...warningsOf(checks)];
  const extraction = { document_type: type, data, fields, checks, warnings };
  return { extraction: judge(extraction, missingFields(template, fields)), traces };
}

/** The required fields that were not found. */
export function missingFields(template: TemplateDefinition, fields: Record<string, ExtractedField>): string[] {
  return template.fields.filter(({ required, name }) => required && !fields[name]).map(({ name }) => name);
}

/** Whether a template that names words of its documents is meant for one with this text. */
export function fitsTemplate(text: string, template: TemplateDefinition): boolean {
  return Boolean(template.match?.all || template.match?.any) && mismatches(text, template).length === 0;
}

/** Words that the template expects in its documents, or not to be there. */
function mismatches(text: string, { match = {} }: TemplateDefinition): string[] {
  const { all = [], any = [], none = [] } = match;
  const folded = text.toLowerCase();
  const has = (word: string): boolean => folded.includes(word.toLowerCase());
  const expects = (word: string) => `The template expects "${word}", which the document does not contain.`;
  const excludes = (word: string) => `The template is not meant for documents that contain "${word}".`;
  return [
    ...all.filter((word) => !has(word)).map(expects),
    ...(any.length > 0 && !any.some(has) ? ["None of the words that the template expects is in the document."] : []),
    ...none.filter(has).map(excludes),
  ];
}

/** What a field's rules, in order, came to. */
interface Tried extends Pick<RuleTrace, "rule" | "line" | "tried"> {
  readonly found?: ExtractedField;
}

export function findField(context: Context, field: TemplateField, standard: StandardReader): Tried {
  const tried: RuleTrace["tried"] = [];
  for (const rule of rulesOf(field)) {
    const name = describeRule(rule);
    const outcome = runRule(context, field, rule, standard);
    if (outcome && passes(field, outcome.found.value)) return { rule: name, tried, ...outcome };
    const value = JSON.stringify(outcome?.found.value);
    tried.push({ rule: name, outcome: outcome ? `${value} does not pass the check` : "nothing found" });
  }
  return { rule: null, line: null, tried };
}

type Rule = FindRule | { readonly headings: string };

/** The rules a field states, or those its name implies. */
function rulesOf(field: TemplateField): Rule[] {
  const byMeaning: Rule[] = findStandard(field.name) ? [{ standard: field.name }] : [];
  if (field.type === "table") return [{ headings: field.columns!.map(({ name }) => name).join(", ") }, ...byMeaning];
  const labels = [...(field.labels ?? []), ...(field.anchors ?? [])];
  const rules: Rule[] = [...(field.find ?? [])];
  if (labels.length > 0) rules.push({ label: labels });
  else if (field.pattern && !field.find) rules.push({ pattern: field.pattern });
  if (rules.length > 0) return rules;
  const words = field.name
    .split(".")
    .at(-1)!
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ");
  return [...byMeaning, { label: [words] }];
}

function describeRule(rule: Rule): string {
  if ("headings" in rule) return `table with the columns ${rule.headings}`;
  if ("label" in rule)
    return `label ${[rule.label]
      .flat()
      .map((label) => JSON.stringify(label))
      .join(" or ")}`;
  if ("pattern" in rule) return `pattern ${rule.pattern}`;
  if ("region" in rule) return `region of page ${rule.region.page}`;
  return `standard ${rule.standard}`;
}

function passes(field: TemplateField, value: unknown): boolean {
  return !field.validate || compilePattern(field.validate.pattern, field.name).matcher(String(value)).find();
}

function runRule(
  context: Context,
  field: TemplateField,
  rule: Rule,
  standard: StandardReader,
): { found: ExtractedField; line: string | null } | undefined {
  if ("headings" in rule || "standard" in rule) {
    const table = "headings" in rule ? readTemplateTable(context, field) : undefined;
    const found = "standard" in rule ? byMeaning(field, rule.standard, standard) : table && present(table);
    return found && { found, line: null };
  }
  const proposals =
    "label" in rule
      ? byLabel(context, field, rule)
      : "pattern" in rule
        ? byPattern(context, field, rule.pattern)
        : byRegion(context, field, rule.region);
  const finding = pick(
    nameForKind(field),
    proposals.map(({ candidate }) => candidate),
  );
  if (!finding) return undefined;
  const { segment } = proposals.find(({ candidate }) => candidate.box === finding.box)!;
  const isAddress = field.type === "address" && "label" in rule;
  return { found: present(isAddress ? wholeAddress(context, segment, finding) : finding), line: segment.text };
}

/** What the built-in readers know; the columns of their lists are matched by name. */
function byMeaning(field: TemplateField, name: string, standard: StandardReader): ExtractedField | undefined {
  const wanted = findStandard(name);
  if (!wanted) return undefined;
  const { data, fields } = standard(wanted.type);
  if (field.type !== "table") return fields[wanted.path];
  const list = (data[wanted.path] ?? []) as Record<string, unknown>[];
  const first = fields[`${wanted.path}[0]`];
  const row = (entry: Record<string, unknown>) =>
    Object.fromEntries(field.columns!.map((column) => [column.name, entry[standardColumn(column.name)] ?? null]));
  return first && { ...first, value: list.map(row) };
}

/** Confidence differs by kind of value, not by what somebody called the field. */
function nameForKind(field: TemplateField): string {
  if (field.type === "date") return "date";
  if (["number", "integer", "currency", "money"].includes(field.type)) return "amount";
  return field.type === "address" ? "address" : "code";
}

/** What a rule proposes, and the run of text that it stands in. */
interface Proposal {
  readonly candidate: Candidate;
  readonly segment: Segment;
}

function byLabel(
  context: Context,
  field: TemplateField,
  { label, where }: Extract<FindRule, { label: unknown }>,
): Proposal[] {
  const index = indexPhrases([label].flat().map((text) => makePhrase(field.name, text, true)));
  const own = context.layout.segments.flatMap((segment) => labelsIn(segment, index));
  const ids = new Map(own.map((found) => [found.segment.id, found]));
  const isLabel = (segment: Segment): boolean =>
    ids.has(segment.id) || context.labelsOf(segment).some((other) => other.isAlone && other.isStrong);
  // In the label's own run of text only what follows it can be the value.
  const find = (text: string, segment: Segment) => {
    const start = ids.get(segment.id)?.to ?? 0;
    return findMatching(context, field, text.slice(start)).map(({ value, from, to }) => ({
      value,
      from: from + start,
      to: to + start,
    }));
  };
  const spans = findSpans(context.layout, own, isLabel, find).flatMap((span): Span<unknown>[] => {
    const claims = span.claims.filter(({ place }) => !where || where.includes(place));
    return claims.length > 0 ? [{ ...span, claims }] : [];
  });
  const candidates = proposeSpans(context, spans, [field.name], () => (field.pattern ? { checked: 1 } : {}));
  return candidates.map((candidate, at) => ({ candidate, segment: spans[at]!.segment }));
}

function byPattern(context: Context, field: TemplateField, pattern: string): Proposal[] {
  const found = context.layout.segments.flatMap((segment) =>
    matchesIn(context, { ...field, pattern }, segment.text).map((match) => ({ ...match, segment })),
  );
  return found.map(({ value, from, to, segment }, at) => ({
    candidate: candidateIn(value, segment, boxOfSpan(segment, from, to), { pattern: 1, first: at === 0 }),
    segment,
  }));
}

function byRegion(context: Context, field: TemplateField, { page, box }: { page: number; box: Box }): Proposal[] {
  const [left, top, right, bottom] = box;
  const inside = context.layout.segments.filter((segment) => {
    const middleX = (segment.box[0] + segment.box[2]) / 2;
    const middleY = middle(segment.box);
    return segment.page === page && middleX >= left && middleX <= right && middleY >= top && middleY <= bottom;
  });
  const [segment] = inside;
  const value = findMatching(context, field, inside.map(({ text }) => text).join(" "))[0]?.value ?? null;
  if (!segment || value === null) return [];
  const whole = inside.map((one) => one.box).reduce(union);
  return [{ candidate: candidateIn(value, segment, whole, { region: 1 }), segment }];
}

function findMatching(context: Context, field: TemplateField, text: string) {
  return field.pattern ? matchesIn(context, field, text) : findOfType(context, field.type, text);
}

/** What the field's pattern finds: its first group where it has one, else the whole match. */
function matchesIn(context: Context, field: TemplateField, text: string) {
  const matcher = compilePattern(field.pattern!, field.name).matcher(text);
  if (!matcher.find()) return [];
  const matched = matcher.group(Math.min(1, matcher.groupCount())) ?? "";
  const isText = field.type === "string" || field.type === "address";
  const value = isText ? matched.trim() : findOfType(context, field.type, matched)[0]?.value;
  return value === undefined || value === "" ? [] : [{ value, from: matcher.start(), to: matcher.end() }];
}

/** Lines below an address go on with it. */
function wholeAddress(context: Context, segment: Segment, { value, box: start, ...finding }: Finding): Finding {
  const lines = [String(value)];
  let box = start!;
  let last = segment;
  for (const { segments } of context.layout.rows.slice(segment.row + 1)) {
    const next = segments.find((other) => other.page === last.page && startAlike(other.box, start!));
    const goesOn = next && isRightUnder(next.box[1], last.box[3], last.height) && !/^[\p{L} ]{2,25}:/u.test(next.text);
    if (!goesOn || lines.length === 6) break;
    lines.push(next.text);
    box = union(box, next.box);
    last = next;
  }
  return { ...finding, value: lines.join(", "), box };
}
