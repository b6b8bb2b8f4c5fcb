import { Problem } from "../../platform/errors.ts";
import { type Check, checkData } from "../fields/checks.ts";
import { warningsOf } from "../fields/extract-fields.ts";
import { kindOf } from "../fields/pick.ts";
import { judge } from "../judge.ts";
import { findPlace } from "../paths.ts";
import { missingOf } from "../schemas/fill-schema.ts";
import { missingFields } from "../templates/apply-template.ts";
import type { TemplateDefinition } from "../templates/schema.ts";
import { runTemplateChecks } from "../templates/template-checks.ts";
import type { Correction, ExtractionRow, StoredResult } from "./tables.ts";

export interface Corrected {
  readonly result: StoredResult;
  readonly confidence: number;
  readonly corrections: Correction[];
}

/** Puts values right that a person has checked; what was there before is kept beside them. `template` is that of the workspace by
 *  which the document was read. */
export function correctResult(
  row: Pick<ExtractionRow, "result" | "corrections" | "documentType"> & { readonly schema?: ExtractionRow["schema"] },
  wanted: Record<string, unknown>,
  who: { readonly keyId: string; readonly at: Date },
  template?: TemplateDefinition,
): Corrected {
  const { documents, ...result } = structuredClone(row.result)!;
  const corrections = [...(row.corrections ?? [])];
  for (const [name, value] of Object.entries(wanted)) {
    const place = name === "document_type" ? undefined : findPlace(result.data, name);
    if (!place) {
      const known = Object.keys(result.data).filter((key) => key !== "document_type" && key !== "text");
      throw new Problem("invalid_request", `There is no field "${name}". Fields: ${known.join(", ")}.`);
    }
    const previous = place.owner[place.key];
    checkType(name, value, previous);
    place.owner[place.key] = value;
    const { page = null, box = null } = result.fields[name] ?? {};
    if (value === null) delete result.fields[name];
    else result.fields[name] = { value, confidence: 1, page, box, corrected: true };
    corrections.push({ field: name, value, previous, key_id: who.keyId, corrected_at: who.at.toISOString() });
  }
  const type = row.documentType ?? "document";
  const { schema } = row;
  const old = warningsOf(result.checks);
  result.checks = template
    ? runTemplateChecks(template, result.data)
    : [...result.checks.filter((check) => isOpen(check, wanted)), ...(schema ? [] : checkData(type, result.data))];
  result.warnings = [...result.warnings.filter((warning) => !old.includes(warning)), ...warningsOf(result.checks)];
  const missing = schema ? missingOf(schema, result.data) : template && missingFields(template, result.fields);
  const { document_type, confidence, ...judged } = judge({ ...result, document_type: type }, missing);
  if (!documents) return { result: judged, confidence, corrections };
  // The first of several documents is the result itself.
  const first = { ...documents[0]!, ...judged, document_type, confidence };
  return { result: { ...judged, documents: [first, ...documents.slice(1)] }, confidence, corrections };
}

/** Checks of sums are worked out again; those that only the document can answer, such as whether the page agrees, stand as they were
 *  for what nobody has touched. */
function isOpen({ name }: Check, wanted: Record<string, unknown>): boolean {
  const isOfSums = ["totals_add_up", "lines_add_up", "running_balance", "closing_balance"].includes(name);
  return !isOfSums && !(name.replace("page_agrees_on_", "") in wanted);
}

function checkType(name: string, value: unknown, previous: unknown): void {
  const [wanted, isRight] = wantedFor(name, previous);
  const orNull = isObject(previous) ? "" : " or null";
  if (value === null && orNull !== "") return;
  if (!isRight(value)) throw new Problem("invalid_request", `"${name}" must be ${wanted}${orNull}.`);
  if (unprintable.test(JSON.stringify(value)))
    throw new Problem("invalid_request", `"${name}" must not hold control characters.`);
}

/** As JSON writes them; line breaks and tabs have letters of their own. */
const unprintable = /(?<!\\)(?:\\\\)*\\u00[01]/;

/** What a value must be by what was there before, and by its name. */
function wantedFor(name: string, previous: unknown): [wanted: string, isRight: (value: unknown) => boolean] {
  if (Array.isArray(previous)) return ["a list of entries like those there were", (value) => isAlike(value, previous)];
  if (isObject(previous)) {
    const names = Object.keys(previous).join(", ");
    return [`an object of ${names}`, (value) => isAlike(value, previous)];
  }
  const kind = kindOf(name);
  if (kind === "date") return ["a date such as 2024-05-19", isDate];
  if (typeof previous === "number" || (previous === null && kind === "amount")) return ["a number", Number.isFinite];
  if (typeof previous === "boolean") return ["true or false", (value) => typeof value === "boolean"];
  // What a template calls a number may be missing, and then nothing says so here.
  return ["text", (value) => typeof value === "string" || (previous === null && !isObject(value))];
}

function isDate(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(value);
  // The thirtieth of February would be a day in March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** Whether a list or an object is built like the one it replaces: what it is written out from counts on that. */
function isAlike(value: unknown, previous: unknown): boolean {
  if (Array.isArray(previous)) {
    const entries = previous.filter(isObject);
    const example =
      entries.length === 0 ? previous[0] : Array.isArray(entries[0]) ? entries[0] : Object.assign({}, ...entries);
    return Array.isArray(value) && value.every((entry) => entry !== null && isAlike(entry, example));
  }
  if (isObject(previous)) {
    if (!isObject(value) || Array.isArray(value)) return false;
    return Object.entries(value).every(
      ([key, part]) => Object.hasOwn(previous, key) && (part === null || isAlike(part, previous[key])),
    );
  }
  // Nothing was there that could tell.
  if (previous === undefined) return !Array.isArray(value);
  return previous === null ? !isObject(value) : typeof value === typeof previous;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
