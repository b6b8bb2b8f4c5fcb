import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { readCursor, writeCursor } from "../../platform/http/cursor.ts";
import { newId } from "../../platform/ids.ts";
import type { JobQueue } from "../../ports/job-queue.ts";
import { type OutputFormat, writeFormat } from "../formats/write-format.ts";
import { idParams, removed, route } from "../route.ts";
import { acceptContent, acceptDocument } from "./accept.ts";
import { type AskedParts, cleanName, findRepeated, readAsked, readRequestKey } from "./asked.ts";
import { correctResult } from "./correct.ts";
import { presentExtraction, summarizeExtraction, toReport } from "./present.ts";
import {
  correctionBody,
  extractForm,
  extractionPage,
  extractionReply,
  fetchQuery,
  listQuery,
  rerunBody,
  waitQuery,
} from "./schema.ts";
import type { ExtractionRow } from "./tables.ts";
import type { ExtractionWork } from "./work.ts";

export interface DocumentRouteParts extends AskedParts {
  readonly jobs: JobQueue;
  readonly work: ExtractionWork;
}

const finished = { 200: extractionReply };
const finishedOrNot = { 200: extractionReply, 202: extractionReply };

export function addDocumentRoutes(app: HttpApp, parts: DocumentRouteParts): void {
  // Both forms of the path are in use; the choice is left to the client.
  for (const path of ["/v1/extract", "/api/v1/extract"]) {
    app.post(
      path,
      route("Extract data from a document", finishedOrNot, { querystring: waitQuery }, extractForm),
      async (request, reply) => {
        const wanted = request.body as z.output<typeof extractForm>;
        const { bytes, name } = wanted.file;
        if (bytes.length === 0) throw new Problem("invalid_request", "The file is empty.");
        const asked = await readAsked(parts, request, wanted);
        const key = readRequestKey(parts, request, wanted, bytes);
        const row = { ...asked, ...key, id: newId("ext_"), fileName: cleanName(name) };
        let known = await findRepeated(parts, request, key);
        if (!known && !(await acceptDocument(parts, row, bytes))) known = await findRepeated(parts, request, key);
        if (known) reply.header("idempotent-replayed", "true");
        const isAsync = /respond-async/i.test([request.headers.prefer].flat().join(","));
        const query = { ...request.query, ...(isAsync ? { wait: 0 } : {}) };
        return answer(parts, request, reply, known?.id ?? row.id, { ...query, output_format: wanted.output_format });
      },
    );
  }

  app.get(
    "/v1/extractions",
    route("List extractions, newest first", { 200: extractionPage }, { querystring: listQuery }),
    async (request) => {
      const { limit, cursor, status } = request.query;
      const before = cursor === undefined ? undefined : readCursor(cursor, "next_cursor");
      const rows = await parts.documents.list(request.caller.workspace.id, limit + 1, before, status);
      const shown = rows.slice(0, limit);
      return {
        extractions: shown.map(summarizeExtraction),
        next_cursor: rows.length > limit ? writeCursor(shown.at(-1)!) : null,
      };
    },
  );

  app.get(
    "/v1/extractions/:id",
    route("Fetch an extraction, in any output format", finished, { params: idParams, querystring: fetchQuery }),
    async (request, reply) => sendResult(reply, await getRow(parts, request), request.query),
  );

  app.get(
    "/v1/extractions/:id/file",
    route("Fetch the document itself, as it was sent", {}, { params: idParams }),
    async (request, reply) => {
      const row = await getRow(parts, request);
      // Whatever somebody sent may be a page with scripts: nothing may show it as one.
      return sendFile(reply, "application/octet-stream", row.fileName, await getFile(parts, row));
    },
  );

  app.patch(
    "/v1/extractions/:id",
    route("Put values of a result right", finished, { params: idParams, body: correctionBody }),
    async (request, reply) => {
      const row = await getRow(parts, request);
      if (row.status !== "completed")
        throw new Problem("conflict", `The extraction is ${row.status}; only a completed one can be corrected.`);
      await parts.contents.refuseOverShare(row.workspaceId, 0);
      const who = { keyId: request.caller.keyId, at: new Date() };
      const isOwn = row.templateId !== null && row.templateVersion !== null;
      const template = isOwn ? await parts.templates.findVersion(row.templateId!, row.templateVersion!) : undefined;
      const corrected = correctResult(row, request.body.fields, who, template);
      await parts.documents.update(row.id, corrected);
      return sendResult(reply, { ...row, ...corrected });
    },
  );

  app.delete(
    "/v1/extractions/:id",
    route("Remove a document and its result", { 200: removed }, { params: idParams }),
    async (request) => {
      const { id } = request.params;
      if (!(await parts.documents.remove(request.caller.workspace.id, id))) throw missing(id);
      return { id, deleted: true as const };
    },
  );

  app.post(
    "/v1/extractions/:id/rerun",
    route("Read a stored document again with another template or schema", finishedOrNot, {
      params: idParams,
      querystring: waitQuery,
      body: rerunBody,
    }),
    async (request, reply) => {
      const known = await getRow(parts, request);
      const asked = await readAsked(parts, request, request.body);
      const row = { ...asked, id: newId("ext_"), fileName: known.fileName };
      const outcome = known.contentId && (await acceptContent(parts, row, known.contentId));
      if (outcome !== "accepted") throw missing(known.id);
      return answer(parts, request, reply, row.id, request.query);
    },
  );
}

/** How the caller wants the result. */
interface ReplyShape {
  readonly output_format?: OutputFormat;
  readonly table?: string | undefined;
  readonly explain?: "0" | "1" | undefined;
}

async function answer(
  parts: DocumentRouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  shape: ReplyShape & { readonly wait: number },
) {
  const row = await parts.work.waitFor(id, shape.wait * 1000, request.signal);
  if (!row) throw missing(id);
  if (row.error) {
    // The caller hears of the failure right here, so nothing of the document needs to be kept.
    await parts.documents.remove(row.workspaceId, row.id);
    throw failureOf(row.error);
  }
  return sendResult(reply, row, shape);
}

async function sendResult(reply: FastifyReply, row: ExtractionRow, shape: ReplyShape = {}) {
  const { output_format = "json", table, explain } = shape;
  // A file cannot say that there is none; the failure then is the answer, with the status it had.
  if (row.error && output_format !== "json") throw failureOf(row.error);
  if (row.status === "queued" || row.status === "processing") return reply.code(202).send(presentExtraction(row));
  if (output_format === "json") return reply.send(presentExtraction(row, explain === "1"));
  const { bytes, contentType, ending } = await writeFormat(toReport(row), output_format, table);
  const base = row.fileName.replace(/\.[^.]*$/, "") || row.id;
  reply.headers({ "x-extraction-id": row.id, "x-extraction-confidence": String(row.confidence ?? 0) });
  return sendFile(reply, contentType, `${base}.${ending}`, bytes);
}

/** Under a name that every system can save, beside the one with all its letters. */
function sendFile(reply: FastifyReply, contentType: string, fileName: string, bytes: Uint8Array) {
  const name = fileName.replace(/[^\p{L}\d ._-]/gu, "_");
  const plain = name.replace(/[^\x20-\x7e]/g, "_");
  return reply
    .type(contentType)
    .header("content-disposition", `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header("x-content-type-options", "nosniff")
    .send(bytes);
}

async function getRow(
  { documents }: DocumentRouteParts,
  { caller, params }: FastifyRequest<{ Params: { id: string } }>,
): Promise<ExtractionRow> {
  const row = await documents.find(caller.workspace.id, params.id);
  if (!row) throw missing(params.id);
  return row;
}

async function getFile({ contents }: DocumentRouteParts, { id, contentId }: ExtractionRow): Promise<Uint8Array> {
  const bytes = contentId ? await contents.read(contentId) : undefined;
  if (!bytes) throw missing(id);
  return bytes;
}

function missing(id: string): Problem {
  return new Problem("not_found", `There is no extraction "${id}".`);
}

function failureOf({ kind, message }: NonNullable<ExtractionRow["error"]>): Problem {
  return new Problem(kind as Problem["kind"], message);
}
