import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { readCursor, writeCursor } from "../../platform/http/cursor.ts";
import { newId } from "../../platform/ids.ts";
import type { JobQueue } from "../../ports/job-queue.ts";
import { contentTypes, fileEndings, type OutputFormat, writeFormat } from "../formats/write-format.ts";
import type { TemplateStore } from "../templates/store.ts";
import { checkWebhookAddress } from "../webhooks/send.ts";
import { acceptDocument, fingerprint } from "./accept.ts";
import { cleanName, findRepeated, findVersion, readSchema } from "./asked.ts";
import { correctResult } from "./correct.ts";
import { presentExtraction, summarizeExtraction, toReport } from "./present.ts";
import {
  correctionBody,
  extractForm,
  extractionPage,
  extractionReply,
  fetchQuery,
  idParams,
  listQuery,
  problemReplies,
  removed,
  rerunBody,
  waitQuery,
} from "./schema.ts";
import type { DocumentStore } from "./store.ts";
import type { ExtractionRow } from "./tables.ts";
import type { Understanding } from "./understanding.ts";
import type { ExtractionWork } from "./work.ts";

export interface DocumentRouteParts {
  readonly documents: DocumentStore;
  readonly templates: TemplateStore;
  readonly jobs: JobQueue;
  readonly work: ExtractionWork;
  readonly understanding: Understanding;
  readonly allowsPrivateWebhooks: boolean;
}

const defaultWaitSeconds = 30;

export function addDocumentRoutes(app: HttpApp, parts: DocumentRouteParts): void {
  // Both forms of the path are in use; the choice is left to the client.
  for (const path of ["/v1/extract", "/api/v1/extract"]) {
    app.post(
      path,
      {
        config: { scope: "extract", form: extractForm },
        schema: {
          summary: "Extract data from a document",
          querystring: waitQuery,
          response: { 200: extractionReply, 202: extractionReply, ...problemReplies },
        },
      },
      async (request, reply) => {
        const wanted = request.body as z.output<typeof extractForm>;
        if (wanted.file.bytes.length === 0) throw new Problem("invalid_request", "The file is empty.");
        if (wanted.webhook_url !== undefined)
          await checkWebhookAddress(wanted.webhook_url, parts.allowsPrivateWebhooks);
        const version = await findVersion(parts, request, wanted.template_id);
        const { template_id, webhook_url } = wanted;
        const schema = await readSchema(parts, request, wanted);
        const repeated = fingerprint(request.headers["idempotency-key"], {
          bytes: wanted.file.bytes,
          template_id,
          webhook_url,
          schema: wanted.schema,
        });
        const known = repeated && (await findRepeated(parts, request, repeated));
        const row = {
          id: newId("ext_"),
          workspaceId: request.caller.workspace.id,
          keyId: request.caller.keyId,
          fileName: cleanName(wanted.file.name),
          templateId: wanted.template_id ?? null,
          templateVersion: version,
          schema,
          webhookUrl: wanted.webhook_url ?? null,
          ...repeated,
        };
        const isFirst = !known && (await acceptDocument(parts, row, wanted.file.bytes));
        const { id } = known ?? (isFirst ? row : ((await findRepeated(parts, request, repeated!)) ?? row));
        if (!isFirst) reply.header("idempotent-replayed", "true");
        const isAsync = /respond-async/i.test([request.headers.prefer].flat().join(","));
        const waitMs = isAsync ? 0 : (request.query.wait ?? defaultWaitSeconds) * 1000;
        return answer(parts, request, reply, id, waitMs, { format: wanted.output_format, ...request.query });
      },
    );
  }

  app.get(
    "/v1/extractions",
    {
      config: { scope: "extract" },
      schema: {
        summary: "List extractions, newest first",
        querystring: listQuery,
        response: { 200: extractionPage, ...problemReplies },
      },
    },
    async (request) => {
      const { limit, cursor, status } = request.query;
      const rows = await parts.documents.list(
        request.caller.workspace.id,
        limit + 1,
        cursor === undefined ? undefined : readCursor(cursor, "next_cursor"),
        status,
      );
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        extractions: shown.map(summarizeExtraction),
        next_cursor: rows.length > limit && last ? writeCursor(last) : null,
      };
    },
  );

  app.get(
    "/v1/extractions/:id",
    {
      config: { scope: "extract" },
      schema: {
        summary: "Fetch an extraction, in any output format",
        params: idParams,
        querystring: fetchQuery,
        response: { 200: extractionReply, ...problemReplies },
      },
    },
    async (request, reply) => {
      const row = await getRow(parts, request, request.params.id);
      return sendResult(reply, row, { format: request.query.output_format, ...request.query });
    },
  );

  app.get(
    "/v1/extractions/:id/file",
    {
      config: { scope: "extract" },
      schema: {
        summary: "Fetch the document itself, as it was sent",
        params: idParams,
        response: { ...problemReplies },
      },
    },
    async (request, reply) => {
      const row = await getRow(parts, request, request.params.id);
      const bytes = await parts.documents.readFile(row.id);
      if (!bytes) throw missing(row.id);
      return sendDocument(reply, row, bytes);
    },
  );

  app.patch(
    "/v1/extractions/:id",
    {
      config: { scope: "extract" },
      schema: {
        summary: "Put values of a result right",
        params: idParams,
        body: correctionBody,
        response: { 200: extractionReply, ...problemReplies },
      },
    },
    async (request, reply) => {
      const row = await getRow(parts, request, request.params.id);
      if (row.status !== "completed")
        throw new Problem("conflict", `The extraction is ${row.status}; only a completed one can be corrected.`);
      const who = { keyId: request.caller.keyId, at: new Date() };
      const corrected = correctResult(row, request.body.fields, who);
      await parts.documents.update(row.id, corrected);
      return sendResult(reply, { ...row, ...corrected }, { format: "json" });
    },
  );

  app.delete(
    "/v1/extractions/:id",
    {
      config: { scope: "extract" },
      schema: {
        summary: "Remove a document and its result",
        params: idParams,
        response: { 200: removed, ...problemReplies },
      },
    },
    async (request) => {
      if (!(await parts.documents.remove(request.caller.workspace.id, request.params.id)))
        throw missing(request.params.id);
      return { id: request.params.id, deleted: true as const };
    },
  );

  app.post(
    "/v1/extractions/:id/rerun",
    {
      config: { scope: "extract" },
      schema: {
        summary: "Read a stored document again with another template or schema",
        params: idParams,
        querystring: waitQuery,
        body: rerunBody,
        response: { 200: extractionReply, 202: extractionReply, ...problemReplies },
      },
    },
    async (request, reply) => {
      const known = await getRow(parts, request, request.params.id);
      const schema = await readSchema(parts, request, request.body);
      const bytes = await parts.documents.readFile(known.id);
      if (!bytes) throw missing(known.id);
      const templateId = request.body.template_id;
      const version = await findVersion(parts, request, templateId);
      const row = {
        id: newId("ext_"),
        workspaceId: known.workspaceId,
        keyId: request.caller.keyId,
        fileName: known.fileName,
        templateId: templateId ?? null,
        templateVersion: version,
        schema,
        webhookUrl: null,
      };
      await acceptDocument(parts, row, bytes);
      return answer(parts, request, reply, row.id, (request.query.wait ?? defaultWaitSeconds) * 1000, {
        format: "json",
        ...request.query,
      });
    },
  );
}

async function answer(
  parts: DocumentRouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  waitMs: number,
  shape: ReplyShape,
) {
  const row = await parts.work.waitFor(id, waitMs, request.signal);
  if (!row) throw missing(id);
  if (row.status === "failed" && row.error) {
    // The caller hears of the failure right here, so nothing of the document needs to be kept.
    await parts.documents.remove(row.workspaceId, row.id);
    throw new Problem(row.error.kind as Problem["kind"], row.error.message);
  }
  return sendResult(reply, row, shape);
}

/** How the caller wants the result. */
interface ReplyShape {
  readonly format: OutputFormat;
  readonly table?: string | undefined;
  readonly explain?: "0" | "1" | undefined;
}

async function sendResult(reply: FastifyReply, row: ExtractionRow, { format, table, explain }: ReplyShape) {
  // A file cannot say that there is none; the failure then is the answer, with the status it had.
  if (row.status === "failed" && row.error && format !== "json")
    throw new Problem(row.error.kind as Problem["kind"], row.error.message);
  if (row.status !== "completed") {
    const isWaiting = row.status === "queued" || row.status === "processing";
    return reply.code(isWaiting ? 202 : 200).send(presentExtraction(row));
  }
  if (format === "json") return reply.send(presentExtraction(row, explain === "1"));
  const file = await writeFormat(toReport(row), format, table);
  const ending = fileEndings[format] ?? format;
  const base = row.fileName.replace(/\.[^.]*$/, "") || row.id;
  return reply
    .type(contentTypes[format])
    .header("content-disposition", asAttachment(`${base}.${ending}`))
    .header("x-content-type-options", "nosniff")
    .header("x-extraction-id", row.id)
    .header("x-extraction-confidence", String(row.confidence ?? 0))
    .send(file);
}

/** Whatever somebody sent may be a page with scripts: nothing may show it as one. */
function sendDocument(reply: FastifyReply, { fileName }: ExtractionRow, bytes: Uint8Array) {
  return reply
    .type("application/octet-stream")
    .headers({ "content-disposition": asAttachment(fileName), "x-content-type-options": "nosniff" })
    .send(bytes);
}

/** A name that every system can save, beside the one with all its letters. */
function asAttachment(fileName: string): string {
  const name = fileName.replace(/[^\p{L}\d ._-]/gu, "_");
  return `attachment; filename="${name.replace(/[^\x20-\x7e]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

async function getRow(parts: DocumentRouteParts, request: FastifyRequest, id: string): Promise<ExtractionRow> {
  const row = await parts.documents.find(request.caller.workspace.id, id);
  if (!row) throw missing(id);
  return row;
}

function missing(id: string): Problem {
  return new Problem("not_found", `There is no extraction "${id}".`);
}
