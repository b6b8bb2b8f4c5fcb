import type { FieldType } from "../../../../../../src/extraction/templates/field-types.ts";
import type { Box, Field } from "../extraction.ts";

type Rule = { label: string | string[]; where?: string[] } | { region: { page: number; box: Box } } | object;

export interface DraftField {
  name: string;
  type: FieldType;
  find?: Rule[];
  [more: string]: unknown;
}

/** A template as it is written; what this page has no control for stays as it is. */
export interface Draft {
  name: string;
  fields: DraftField[];
  [more: string]: unknown;
}

/** What the server says about a draft and a document. */
export interface Tried {
  fields: Record<string, Field>;
  lines: Line[];
}

export interface Line {
  page: number;
  text: string;
  box: Box;
}

/** Where a value is looked for from now on: a place on the page, or words beside it. */
export type Aim = { how: "box" | "label"; field: number | undefined };

/** The draft with a rule for one of its fields, or for a new one. */
export function withRule(draft: Draft, at: number | undefined, rule: Rule, name = "field"): Draft {
  if (at === undefined) {
    const field: DraftField = { name: freeName(draft, name), type: "string", find: [rule] };
    return { ...draft, fields: [...draft.fields, field] };
  }
  return withField(draft, at, { find: [rule] });
}

export function withField(draft: Draft, at: number, change: Partial<DraftField>): Draft {
  return {
    ...draft,
    fields: draft.fields.map((field, index) => (index === at ? ({ ...field, ...change } as DraftField) : field)),
  };
}

/** "Invoice No.: 17" says "Invoice No.", which becomes invoice_no. */
export function labelOf(text: string): string {
  const before = /^(.*?\p{L}.*?)\s*[:：]/u.exec(text)?.[1];
  return (before ?? text).replace(/[\s:：.]+$/, "").slice(0, 120);
}

export function nameOf(label: string): string {
  const words = label
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = (words ?? []).join("_").slice(0, 60);
  return /^[a-z]/.test(name) ? name : `field${name ? `_${name}` : ""}`;
}

function freeName({ fields }: Draft, wanted: string): string {
  const taken = new Set(fields.map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}_${count}`;
    if (!taken.has(name)) return name;
  }
}

/** A rule in a few words. */
export function describeField({ find, labels, pattern }: DraftField): string {
  const rules = [
    ...(find ?? []),
    ...(Array.isArray(labels) ? [{ label: labels as string[] }] : []),
    ...(pattern ? [{ pattern }] : []),
  ];
  return rules.length === 0 ? "by its name" : rules.map(describe).join(", then ");
}

function describe(rule: Rule): string {
  if ("label" in rule) return `beside ${[rule.label].flat().map(quote).join(" or ")}`;
  if ("region" in rule) return `in a box on page ${rule.region.page}`;
  if ("pattern" in rule) return "by its shape";
  return "as the built-in readers find it";
}

const quote = (text: string) => `“${text}”`;

/** A definition as somebody wrote it, or what is wrong with it. */
export function readDraft(text: string): Draft {
  const given = JSON.parse(text) as Partial<Draft> | null;
  if (typeof given?.name !== "string" || !Array.isArray(given.fields))
    throw new Error('A template has a "name" and a list of "fields".');
  return given as Draft;
}

/** A stored template without what the server added. */
export function toDraft(stored: Record<string, unknown>): Draft {
  const { id: _id, version: _version, is_built_in: _builtIn, created_at: _at, updated_at: _changed, ...draft } = stored;
  return draft as Draft;
}
