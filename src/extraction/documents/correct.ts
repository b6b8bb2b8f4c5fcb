import { Problem } from "../../platform/errors.ts";
import { checkData } from "../fields/checks.ts";
import { warningsOf } from "../fields/extract-fields.ts";
import { overall } from "../fields/overall.ts";
import { kindOf } from "../fields/pick.ts";
import { judge } from "../schemas/fill-schema.ts";
import type { Correction, ExtractionRow, StoredResult } from "./tables.ts";

export interface Corrected {
  readonly result: StoredResult;
  readonly confidence: number;
  readonly corrections: Correction[];
}

/** Puts values right that a person has checked; what was there before is kept beside them. */
export function correctResult(
  row: Pick<ExtractionRow, "result" | "corrections" | "documentType"> & { readonly schema?: ExtractionRow["schema"] },
  wanted: Record<string, unknown>,
  who: { readonly keyId: string; readonly at: Date },
): Corrected {
  const result = structuredClone(row.result)!;
  const corrections = [...(row.corrections ?? [])];
  for (const [name, value] of Object.entries(wanted)) {
    const place = findPlace(result.data, name);
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
  const fresh = schema ? [] : checkData(type, result.data);
  // Checks that only the document can answer, such as whether the page agrees, stand as they were for what nobody has touched.
  const names = new Set(fresh.map(({ name }) => name));
  const isOpen = ({ name }: { name: string }): boolean =>
    !names.has(name) && !isRecomputed(name) && !(name.replace("page_agrees_on_", "") in wanted);
  const old = warningsOf(result.checks);
  result.checks = [...result.checks.filter(isOpen), ...fresh];
  result.warnings = [...result.warnings.filter((warning) => !old.includes(warning)), ...warningsOf(result.checks)];
  if (schema) {
    const judged = judge({ ...result, document_type: type }, schema);
    result.warnings = judged.warnings;
    return { result, confidence: judged.confidence, corrections };
  }
  const confidence = overall(type, result.fields, 1, result.checks);
  return { result, confidence, corrections };
}

function isRecomputed(name: string): boolean {
  return ["totals_add_up", "lines_add_up", "running_balance", "closing_balance"].includes(name);
}

/** Where "seller.name" or "lines[0].total" stands in the data; only what the result has can be put right. */
function findPlace(
  data: Record<string, unknown>,
  name: string,
): { owner: Record<string, unknown>; key: string } | undefined {
  const steps = name.split(/[.[\]]+/).filter((step) => step !== "");
  const key = steps.pop();
  let owner: unknown = data;
  for (const step of steps) owner = isObject(owner) && Object.hasOwn(owner, step) ? owner[step] : undefined;
  if (key === undefined || key === "document_type" || !isObject(owner) || !Object.hasOwn(owner, key)) return undefined;
  return { owner, key };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function checkType(name: string, value: unknown, previous: unknown): void {
  if (value === null) return;
  const fail = (what: string): never => {
    throw new Problem("invalid_request", `"${name}" must be ${what} or null.`);
  };
  if (isObject(previous)) {
    if (!isObject(value) || Array.isArray(value) !== Array.isArray(previous))
      fail(Array.isArray(previous) ? "a list" : "an object");
    return;
  }
  const isNumber = typeof previous === "number" || (previous === null && kindOf(name) === "amount");
  if (isNumber && !(typeof value === "number" && Number.isFinite(value))) fail("a number");
  if (typeof previous === "boolean" && typeof value !== "boolean") fail("true or false");
  if (!isNumber && typeof previous !== "boolean" && typeof value !== "string") {
    // What a template calls a number may be missing, and then nothing says so here.
    if (previous !== null || isObject(value)) fail("text");
  }
  if (kindOf(name) === "date" && !(typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)))
    fail("a date such as 2024-05-19");
}
