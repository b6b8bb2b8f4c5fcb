import { turnOf } from "../../accounts/turn-of.ts";
import type { Clock } from "../../platform/clock.ts";
import { isDatabaseDown } from "../../platform/database-error.ts";
import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { type DocumentReader, defaultReadLimits, type SealedDocument } from "../../ports/document-reader.ts";
import type { FieldModel, FieldQuestion } from "../../ports/field-model.ts";
import { extractionDialect } from "../dialect.ts";
import type { Extraction } from "../fields/extract-fields.ts";
import { schemaQuestions } from "../schemas/fill-from-model.ts";
import type { ObjectNode } from "../schemas/parse-schema.ts";
import { findBuiltIn } from "../templates/built-in.ts";
import type { TemplateDefinition } from "../templates/schema.ts";
import type { TemplateStore } from "../templates/store.ts";
import type { WebhookSecrets } from "../webhooks/store.ts";
import type { DocumentStore } from "./store.ts";
import type { ExtractionRow } from "./tables.ts";
import type { Understood } from "./understand.ts";
import type { Understanding, UnderstandingTurn } from "./understanding.ts";

export interface ExtractionTools {
  readonly documents: DocumentStore;
  readonly templates: TemplateStore;
  readonly reader: DocumentReader;
  readonly understanding: Understanding;
  readonly webhookSecrets: WebhookSecrets;
  readonly fieldModel: FieldModel | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Failures that may pass, so that the job is tried again: nothing about the document is known to be wrong. */
function mayPass(error: unknown): boolean {
  if (isDatabaseDown(error)) return true;
  if (!(error instanceof Problem)) return false;
  // An engine that ended over the document says nothing about trying again; a machine that was lost does.
  return error.kind === "engine_busy" || (error.kind === "engine_unavailable" && error.retryAfterSeconds !== undefined);
}

/** Reads one stored document and writes its result down. Repeating it does no harm. */
export async function runExtraction(
  tools: ExtractionTools,
  id: string,
  signal: AbortSignal,
): Promise<ExtractionRow | undefined> {
  const row = await tools.documents.findAny(id);
  if (!row || row.status === "completed" || row.status === "failed") return row;
  const bytes = await tools.documents.readFile(id);
  if (!bytes) return undefined;
  await tools.documents.update(id, { status: "processing" });
  try {
    const document = await tools.reader.read(
      { bytes, fileName: row.fileName, limits: defaultReadLimits, caller: turnOf(row) },
      signal,
    );
    const extraction = await understandAs(tools, document, row, signal);
    const { document_type, confidence, template, ...result } = extraction;
    await tools.documents.update(id, {
      status: "completed",
      documentType: document_type,
      ...(template ? { templateId: template.id, templateVersion: template.version } : {}),
      pages: document.pages,
      confidence,
      result,
      error: null,
      finishedAt: new Date(tools.clock.now()),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (mayPass(error)) throw error;
    await fail(tools, id, error);
  }
  return tools.documents.findAny(id);
}

/** Notes a failure in the words that the caller may see. */
export async function fail(
  tools: Pick<ExtractionTools, "documents" | "clock" | "log">,
  id: string,
  error: unknown,
): Promise<void> {
  const problem = error instanceof Problem ? error : new Problem("internal", "The document could not be processed.");
  if (problem !== error)
    tools.log.error(
      { extraction: id, error: error instanceof Error ? error.stack : String(error) },
      "extraction failed",
    );
  await tools.documents.update(id, failedWith(problem, new Date(tools.clock.now())));
}

/** How a failure is written down. */
export function failedWith({ kind, message }: Problem, finishedAt: Date) {
  const { type } = extractionDialect.table[kind];
  return { status: "failed" as const, error: { kind, type, message }, finishedAt };
}

async function understandAs(
  tools: ExtractionTools,
  document: SealedDocument,
  row: ExtractionRow,
  signal: AbortSignal,
): Promise<Understood> {
  const turn = { key: turnOf(row), signal };
  if (row.schema) {
    const extraction = await tools.understanding.understand({ document, schema: row.schema }, turn);
    // Of several documents in one file a model would mix the fields.
    if (extraction.documents) return extraction;
    return fillOpen(tools, document, extraction, schemaQuestions(row.schema), turn, row.schema);
  }
  const builtIn = row.templateId ? findBuiltIn(row.templateId) : undefined;
  if (row.templateId && !builtIn) {
    const definition = await tools.templates.findVersion(row.templateId, row.templateVersion ?? 1);
    if (!definition) throw new Problem("not_found", `The template "${row.templateId}" was deleted meanwhile.`);
    const extraction = await tools.understanding.understand({ document, definition }, turn);
    return fillOpen(tools, document, extraction, questionsOf(definition), turn);
  }
  const templates = builtIn ? [] : await tools.templates.list(row.workspaceId);
  const matching = templates
    .filter(({ definition }) => definition.match)
    .map(({ id, version, definition }) => ({ id, version, definition }));
  const extraction = await tools.understanding.understand({ document, type: builtIn?.document_type, matching }, turn);
  const matched = matching.find(({ id }) => id === extraction.template?.id);
  if (matched) return fillOpen(tools, document, extraction, questionsOf(matched.definition), turn);
  const known = findBuiltIn(`tpl_${extraction.document_type}`);
  const questions = (known?.fields ?? [])
    .filter((field) => field.type !== "table")
    .map((field) => ({ name: field.name, type: field.type, description: "" }));
  return fillOpen(tools, document, extraction, questions, turn);
}

function questionsOf(definition: TemplateDefinition): FieldQuestion[] {
  return definition.fields
    .filter((field) => field.type !== "table")
    .map((field) => ({ name: field.name, type: field.type, description: field.description ?? "" }));
}

/** The language model is a help, not a condition: without it the rules' result stands. */
async function fillOpen(
  tools: ExtractionTools,
  document: SealedDocument,
  extraction: Extraction,
  questions: readonly FieldQuestion[],
  turn: UnderstandingTurn,
  schema?: ObjectNode,
): Promise<Extraction> {
  const { fieldModel, understanding } = tools;
  if (!fieldModel) return extraction;
  try {
    const { lines, open } = await understanding.openQuestions({ document, extraction, questions }, turn);
    if (open.length === 0) return extraction;
    const answers = await fieldModel.read(lines, open, turn.signal);
    return await understanding.acceptAnswers({ document, extraction, open, answers, schema }, turn);
  } catch (error) {
    turn.signal.throwIfAborted();
    tools.log.warn(
      { error: error instanceof Error ? error.message : String(error) },
      "the language model for extraction did not help",
    );
    return {
      ...extraction,
      warnings: [
        ...extraction.warnings,
        "The language model could not be asked; the result is that of the rules alone.",
      ],
    };
  }
}
