import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../../accounts/verify-key.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { newId } from "../../platform/ids.ts";
import { extractionDialect } from "../dialect.ts";
import { acceptDocument, fingerprint } from "../documents/accept.ts";
import { cleanName, findRepeated, findVersion, readSchema } from "../documents/asked.ts";
import { summarizeExtraction } from "../documents/present.ts";
import type { DocumentRouteParts } from "../documents/routes.ts";
import { idParams, problemReplies } from "../documents/schema.ts";
import type { NewExtraction } from "../documents/store.ts";
import { checkWebhookAddress } from "../webhooks/send.ts";
import { type Archive, openArchive } from "./open-archive.ts";
import { batchForm, batchReply } from "./schema.ts";

export interface BatchRouteParts extends DocumentRouteParts {
  /** Counts documents beyond the first, which the request itself was; throws when the plan does not include as many. */
  takeTurns(caller: Caller, count: number, reply: FastifyReply): Promise<void>;
}

export function addBatchRoutes(app: HttpApp, parts: BatchRouteParts): void {
  app.post(
    "/v1/batches",
    {
      config: { scope: "extract", form: batchForm },
      schema: {
        summary: "Extract data from every document of a ZIP archive",
        response: { 202: batchReply, ...problemReplies },
      },
    },
    async (request, reply) => {
      const wanted = request.body as z.output<typeof batchForm>;
      const { bytes } = wanted.file;
      if (bytes.length === 0) throw new Problem("invalid_request", "The file is empty.");
      if (wanted.webhook_url !== undefined) await checkWebhookAddress(wanted.webhook_url, parts.allowsPrivateWebhooks);
      const version = await findVersion(parts, request, wanted.template_id);
      const schema = await readSchema(parts, request, wanted);
      const repeated = asBatch(fingerprint(request.headers["idempotency-key"], { ...wanted, bytes }));
      const known = repeated && (await findRepeated(parts, request, repeated));
      if (known) {
        reply.header("idempotent-replayed", "true");
        return reply.code(202).send(await getBatch(parts, request, known.batchId ?? ""));
      }
      const archive = await openArchive(bytes);
      try {
        await parts.takeTurns(request.caller, archive.names.length - 1, reply);
        const id = newId("bat_");
        const row = {
          workspaceId: request.caller.workspace.id,
          keyId: request.caller.keyId,
          batchId: id,
          templateId: wanted.template_id ?? null,
          templateVersion: version,
          schema,
          webhookUrl: wanted.webhook_url ?? null,
        };
        await acceptAll(parts, archive, row, repeated);
        return reply.code(202).send(await getBatch(parts, request, id));
      } finally {
        archive.close();
      }
    },
  );

  app.get(
    "/v1/batches/:id",
    {
      config: { scope: "extract" },
      schema: { summary: "See how far a batch is", params: idParams, response: { 200: batchReply, ...problemReplies } },
    },
    (request) => getBatch(parts, request, request.params.id),
  );
}

/** The same key for the same file at /v1/extract is another request. */
function asBatch<Repeated extends { requestHash: string }>(repeated: Repeated | undefined): Repeated | undefined {
  return repeated && { ...repeated, requestHash: `batch ${repeated.requestHash}` };
}

/** One after the other, so that only one document lies unpacked in memory. */
async function acceptAll(
  parts: BatchRouteParts,
  archive: Archive,
  shared: Omit<NewExtraction, "id" | "fileName">,
  repeated: { requestKey: string; requestHash: string } | undefined,
): Promise<void> {
  const now = Date.now();
  for (const [index, name] of archive.names.entries()) {
    const row: NewExtraction = {
      ...shared,
      id: newId("ext_"),
      fileName: cleanName(name),
      // The archive's order is the order in which they are listed.
      createdAt: new Date(now + index),
      ...(index === 0 ? repeated : {}),
    };
    let isTaken = false;
    try {
      isTaken = !(await acceptDocument(parts, row, await archive.read(name)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { kind, message } = error;
      const { type } = extractionDialect.table[kind];
      isTaken = !(await parts.documents.insert({
        ...row,
        status: "failed",
        error: { kind, type, message },
        finishedAt: new Date(),
      }));
    }
    if (isTaken)
      throw new Problem(
        "conflict",
        "A request with this Idempotency-Key is being worked on. Send it again in a moment.",
      );
  }
}

async function getBatch(
  { documents }: BatchRouteParts,
  request: FastifyRequest,
  id: string,
): Promise<z.input<typeof batchReply>> {
  const rows = await documents.listBatch(request.caller.workspace.id, id);
  if (rows.length === 0) throw new Problem("not_found", `There is no batch "${id}".`);
  const count = (status: string): number => rows.filter((row) => row.status === status).length;
  const completed = count("completed");
  const failed = count("failed");
  return {
    id,
    status: completed + failed === rows.length ? "completed" : "processing",
    documents: rows.length,
    completed,
    failed,
    extractions: rows.map(summarizeExtraction),
  };
}
