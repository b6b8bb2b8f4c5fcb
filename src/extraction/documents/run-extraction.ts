import { turnOf } from "../../accounts/turn-of.ts";
import type { Clock } from "../../platform/clock.ts";
import { isDatabaseDown } from "../../platform/database-error.ts";
import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { type DocumentReader, defaultReadLimits, type SealedDocument } from "../../ports/document-reader.ts";
import type { FieldModel, FieldQuestion } from "../../ports/field-model.ts";
import { KeyMissing } from "../../ports/vault.ts";
import { extractionDialect } from "../dialect.ts";
import type { Extraction } from "../fields/extract-fields.ts";
import { schemaQuestions } from "../schemas/fill-from-model.ts";
import type { ObjectNode } from "../schemas/parse-schema.ts";
import { findBuiltIn } from "../templates/built-in.ts";
import type { TemplateStore } from "../templates/store.ts";
import type { WebhookSecrets } from "../webhooks/store.ts";
import type { Contents } from "./contents.ts";
import type { DocumentStore } from "./store.ts";
import type { ExtractionRow } from "./tables.ts";
import type { Understood } from "./understand.ts";
import type { Understanding, UnderstandingTurn } from "./understanding.ts";

export interface ExtractionTools {
  readonly documents: DocumentStore;
  readonly contents: Contents;
  readonly templates: TemplateStore;
  readonly reader: DocumentReader;
  readonly understanding: Understanding;
  readonly webhookSecrets: WebhookSecrets;
  /** A language model that fills what the rules leave open, when one is configured. */
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
  await tools.documents.sealFormer(id);
  const row = await tools.documents.findAny(id);
  if (!row || row.status === "completed" || row.status === "failed") return row;
  const bytes = row.contentId ? await tools.contents.read(row.contentId) : undefined;
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
      documentsFound: result.documents?.length ?? 1,
      result,
      error: null,
      finishedAt: new Date(tools.clock.now()),
    });
  } catch (error) {
    signal.throwIfAborted();
    // Deleted while it was read.
    if (error instanceof KeyMissing) return undefined;
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

/** By the schema or the template that was asked for, else by a template that fits, else as what the document is. */
async function understandAs(
  tools: ExtractionTools,
  document: SealedDocument,
  row: ExtractionRow,
  signal: AbortSignal,
): Promise<Understood> {
  const turn = { key: turnOf(row), signal };
  const { schema, templateId } = row;
  const builtIn = templateId ? findBuiltIn(templateId) : undefined;
  const own = templateId && !builtIn;
  const definition = own ? await tools.templates.findVersion(templateId, row.templateVersion ?? 1) : undefined;
  if (own && !definition) throw new Problem("not_found", `The template "${templateId}" was deleted meanwhile.`);
  const templates = schema || templateId ? [] : await tools.templates.list(row.workspaceId);
  const matching = templates
    .filter((template) => template.definition.match)
    .map(({ id, version, definition: matched }) => ({ id, version, definition: matched }));
  const asked = { document, schema: schema ?? undefined, definition, type: builtIn?.document_type, matching };
  const extraction = await tools.understanding.understand(asked, turn);
  const template =
    definition ??
    matching.find(({ id }) => id === extraction.template?.id)?.definition ??
    findBuiltIn(`tpl_${extraction.document_type}`);
  const questions = schema ? schemaQuestions(schema) : questionsOf(template?.fields ?? []);
  return fillOpen(tools, document, extraction, questions, turn, schema ?? undefined);
}

/** The single values of a template; lists are left to the rules. */
function questionsOf(fields: readonly { name: string; type: string; description?: string | undefined }[]) {
  return fields
    .filter(({ type }) => type !== "table")
    .map(({ name, type, description = "" }): FieldQuestion => ({ name, type, description }));
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
  // Of several documents in one file a model would mix the fields.
  if (!fieldModel || extraction.documents) return extraction;
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
    const warning = "The language model could not be asked; the result is that of the rules alone.";
    return { ...extraction, warnings: [...extraction.warnings, warning] };
  }
}
