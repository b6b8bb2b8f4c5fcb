import type { ReadDocument } from "../../ports/document-reader.ts";
import type { FieldQuestion, ModelAnswers } from "../../ports/field-model.ts";
import { acceptAnswers, findOpenQuestions } from "../fields/ask-model.ts";
import { createContext } from "../fields/context.ts";
import { type Extraction, extractFields } from "../fields/extract-fields.ts";
import { fillFromModel } from "../schemas/fill-from-model.ts";
import { type ObjectNode, parseSchema } from "../schemas/parse-schema.ts";
import { applyTemplate } from "../templates/apply-template.ts";
import { parseTemplate } from "../templates/parse-template.ts";
import { suggestTemplate } from "../templates/suggest-template.ts";
import { type UnderstandRequest, understand } from "./understand.ts";

/** What is done in the process of its own: pure functions of what they are given. */
export const understandingTasks = {
  understand: (request: UnderstandRequest) => understand(request),
  openQuestions: (given: { document: ReadDocument; extraction: Extraction; questions: readonly FieldQuestion[] }) =>
    findOpenQuestions(given.document, given.extraction, given.questions),
  acceptAnswers: (given: {
    document: ReadDocument;
    extraction: Extraction;
    open: readonly FieldQuestion[];
    answers: ModelAnswers;
    schema?: ObjectNode | undefined;
  }) => {
    const { schema } = given;
    return schema
      ? fillFromModel({ ...given, schema })
      : acceptAnswers(given.document, given.extraction, given.open, given.answers);
  },
  /** The lines with their boxes, and which rule found what. */
  tryTemplate: ({ document, definition, type }: UnderstandRequest) => {
    const lines = createContext(document).layout.segments.map(({ page, text, box, confidence }) => ({
      page,
      text,
      box,
      confidence: Math.round(confidence * 1000) / 1000,
    }));
    if (!definition) return { ...extractFields(document, type), rules: [], lines };
    const { extraction, traces } = applyTemplate(document, definition);
    return { ...extraction, rules: traces, lines };
  },
  suggestTemplate: (given: { document: ReadDocument; values: Record<string, unknown>; name: string }) =>
    suggestTemplate(given.document, given.values, given.name),
  parseTemplate: (given: unknown) => parseTemplate(given),
  parseSchema: (given: unknown) => parseSchema(given),
};

export type UnderstandingTasks = typeof understandingTasks;
