import type { ReadDocument } from "../../ports/document-reader.ts";
import type { FieldModel, FieldQuestion, ModelAnswer } from "../../ports/field-model.ts";
import { findDates } from "../reading/dates.ts";
import { boxOfSpan, type Segment } from "../reading/layout.ts";
import { fold } from "../reading/normalize.ts";
import { type Context, createContext } from "./context.ts";
import type { ExtractedField, Extraction } from "./extract-fields.ts";

/** Fields below this are asked again. */
const doubtBelow = 0.6;

/** Lets a language model fill what the rules left open. A value counts only when the line it cites contains it. */
export async function askModel(
  model: FieldModel,
  document: ReadDocument,
  extraction: Extraction,
  questions: readonly FieldQuestion[],
  signal: AbortSignal,
): Promise<Extraction> {
  const open = questions.filter((question) => (extraction.fields[question.name]?.confidence ?? 0) < doubtBelow);
  if (open.length === 0) return extraction;
  const context = createContext(document);
  const rows = context.layout.rows.map((row) => row.segments);
  const lines = rows.map((segments) => segments.map((segment) => segment.text).join("  "));
  const answers = await model.read(lines, open, signal);
  const fields = { ...extraction.fields };
  const data = structuredClone(extraction.data);
  for (const question of open) {
    const answer = answers[question.name];
    const accepted = answer && verify(context, rows, question, answer);
    if (!accepted) continue;
    const known = fields[question.name];
    const agrees = known !== undefined && String(known.value) === String(accepted.value);
    // Two independent readings that agree are worth more than either.
    fields[question.name] = { ...accepted, confidence: agrees ? Math.max(known.confidence, 0.9) : accepted.confidence };
    setPath(data, question.name, accepted.value);
  }
  return { ...extraction, fields, data };
}

function verify(
  context: Context,
  rows: readonly (readonly Segment[])[],
  question: FieldQuestion,
  answer: ModelAnswer,
): ExtractedField | undefined {
  if (answer.line === null || answer.value === null || typeof answer.value === "object") return undefined;
  const segments = rows[answer.line - 1];
  if (!segments) return undefined;
  for (const segment of segments) {
    const place = findIn(context, segment, question, answer.value as string | number | boolean);
    if (place) {
      const reading = segment.source === "ocr" ? segment.confidence : 1;
      return {
        value: place.value,
        confidence: Math.round(0.75 * reading * 1000) / 1000,
        page: segment.page,
        box: boxOfSpan(segment, place.from, place.to),
      };
    }
  }
  return undefined;
}

function findIn(
  context: Context,
  segment: Segment,
  question: FieldQuestion,
  value: string | number | boolean,
): { value: unknown; from: number; to: number } | undefined {
  if (question.type === "date") {
    const date = findDates(segment.text, context.dateOrder).find((candidate) => candidate.iso === value);
    return date && { value: date.iso, from: date.from, to: date.to };
  }
  if (["number", "integer", "currency", "money"].includes(question.type)) {
    const number = context.numbersIn(segment).find((candidate) => Math.abs(candidate.value - Number(value)) < 0.0001);
    return number && { value: number.value, from: number.from, to: number.to };
  }
  const wanted = fold(String(value)).replace(/\s+/g, " ").trim();
  if (wanted === "") return undefined;
  const at = fold(segment.text).replace(/\s+/g, " ").indexOf(wanted);
  return at < 0 ? undefined : { value: String(value).trim(), from: at, to: at + wanted.length };
}

function setPath(data: Record<string, unknown>, path: string, value: unknown): void {
  const parts = path.split(".");
  let target = data;
  for (const part of parts.slice(0, -1)) {
    if (typeof target[part] !== "object" || target[part] === null) return;
    target = target[part] as Record<string, unknown>;
  }
  const last = parts.at(-1)!;
  if (last in target) target[last] = value;
}
