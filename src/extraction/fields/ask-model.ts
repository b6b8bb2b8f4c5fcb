import type { ReadDocument } from "../../ports/document-reader.ts";
import type { FieldQuestion, ModelAnswer, ModelAnswers } from "../../ports/field-model.ts";
import { hasPath, setPath } from "../paths.ts";
import { findDates } from "../reading/dates.ts";
import { boxOfSpan } from "../reading/layout.ts";
import { fold } from "../reading/normalize.ts";
import type { Segment } from "../reading/segment.ts";
import { type Context, createContext } from "./context.ts";
import type { ExtractedField, Extraction } from "./extract-fields.ts";

/** Fields below this are asked again. */
const doubtBelow = 0.6;
/** How sure of an answer that stands on the page, and of one that the rules gave as well: guesses, below and at what people take unseen. */
const modelAlone = 0.75;
const agreed = 0.9;

/** What a language model may be asked about: the fields that the rules left open, and the lines it is shown. */
export interface OpenQuestions {
  readonly lines: readonly string[];
  readonly open: readonly FieldQuestion[];
}

export function findOpenQuestions(
  document: ReadDocument,
  extraction: Extraction,
  questions: readonly FieldQuestion[],
): OpenQuestions {
  const open = questions.filter((question) =>
    question.columns
      ? isListOpen(extraction, question)
      : (extraction.fields[question.name]?.confidence ?? 0) < doubtBelow,
  );
  const lines = open.length > 0 ? rowsOf(createContext(document)).map(textOf) : [];
  return { lines, open };
}

/** A list of which the rules found nothing, or one of whose columns they filled nowhere. */
function isListOpen({ fields }: Extraction, { name, columns = [] }: FieldQuestion): boolean {
  const found = new Set(Object.keys(fields).flatMap((field) => columnOf(name, field) ?? []));
  return columns.some((column) => !found.has(column.name));
}

/** Which column of a list a field stands in: "amount" for "lines[2].amount", nothing for one of another list. */
export function columnOf(list: string, field: string): string | undefined {
  if (!field.startsWith(`${list}[`)) return undefined;
  return /^\d+\](?:\.(.*))?$/s.exec(field.slice(list.length + 1))?.[1] ?? "";
}

/** Lets a language model fill what the rules left open. A value counts only when the line it cites contains it. */
export function acceptAnswers(
  document: ReadDocument,
  extraction: Extraction,
  open: readonly FieldQuestion[],
  answers: ModelAnswers,
): Extraction {
  const verify = createVerifier(createContext(document));
  const fields = { ...extraction.fields };
  const data = structuredClone(extraction.data);
  for (const question of open) {
    const answer = Object.hasOwn(answers, question.name) ? answers[question.name] : undefined;
    const accepted = answer && "value" in answer && verify(question, answer);
    if (!accepted) continue;
    const known = fields[question.name];
    const agrees = known !== undefined && String(known.value) === String(accepted.value);
    // Two independent readings that agree are worth more than either.
    fields[question.name] = {
      ...accepted,
      confidence: agrees ? Math.max(known.confidence, agreed) : accepted.confidence,
    };
    if (hasPath(data, question.name)) setPath(data, question.name, accepted.value);
  }
  return { ...extraction, fields, data };
}

/** Checks answers against a document: each gets the place where its line says it, or is dropped. */
export function createVerifier(
  context: Context,
): (question: FieldQuestion, answer: ModelAnswer) => ExtractedField | undefined {
  const rows = rowsOf(context);
  return (question, answer) => findOn(context, rows, question, answer);
}

function rowsOf(context: Context): (readonly Segment[])[] {
  return context.layout.rows.map((row) => row.segments);
}

function textOf(segments: readonly Segment[]): string {
  return segments.map((segment) => segment.text).join("  ");
}

function findOn(
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
        confidence: Math.round(modelAlone * reading * 1000) / 1000,
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
    const number = context.numbersIn(segment).find((candidate) => candidate.value === Number(value));
    return number && { value: number.value, from: number.from, to: number.to };
  }
  const wanted = fold(String(value)).replace(/\s+/g, " ").trim();
  if (wanted === "") return undefined;
  const at = fold(segment.text).replace(/\s+/g, " ").indexOf(wanted);
  return at < 0 ? undefined : { value: String(value).trim(), from: at, to: at + wanted.length };
}
