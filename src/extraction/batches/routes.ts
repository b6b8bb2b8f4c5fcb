import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../../accounts/verify-key.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { newId } from "../../platform/ids.ts";
import { acceptDocument } from "../documents/accept.ts";
import { cleanName, findRepeated, readAsked, readRequestKey } from "../documents/asked.ts";
import { summarizeExtraction } from "../documents/present.ts";
import type { DocumentRouteParts } from "../documents/routes.ts";
import { failedWith } from "../documents/run-extraction.ts";
import type { NewExtraction } from "../documents/store.ts";
import { idParams, route } from "../route.ts";
import { type Archive, openArchive } from "./open-archive.ts";
import { batchForm, batchReply } from "./schema.ts";

export interface BatchRouteParts extends DocumentRouteParts {
  /** Counts documents beyond the first, which the request itself was; throws when the plan does not include as many. */
  takeTurns(caller: Caller, count: number, reply: FastifyReply): Promise<void>;
}

export function addBatchRoutes(app: HttpApp, parts: BatchRouteParts): void {
  app.post(
    "/v1/batches",
    route("Extract data from every document of a ZIP archive", { 202: batchReply }, {}, batchForm),
    async (request, reply) => {
      const wanted = request.body as z.output<typeof batchForm>;
      const { bytes } = wanted.file;
      const asked = await readAsked(parts, request, wanted);
      const key = readRequestKey(parts, request, wanted, bytes);
      // The same key for the same file at /v1/extract is another request.
      const batchKey = key && { ...key, requestHash: `batch ${key.requestHash}` };
      const known = await findRepeated(parts, request, batchKey);
      if (known) {
        reply.header("idempotent-replayed", "true");
        return reply.code(202).send(await getBatch(parts, request, known.batchId ?? ""));
      }
      const archive = await openArchive(bytes);
      try {
        await parts.takeTurns(request.caller, archive.names.length - 1, reply);
        const batchId = newId("bat_");
        await acceptAll(parts, archive, { ...asked, batchId }, batchKey);
        return reply.code(202).send(await getBatch(parts, request, batchId));
      } finally {
        archive.close();
      }
    },
  );

  app.get("/v1/batches/:id", route("See how far a batch is", { 200: batchReply }, { params: idParams }), (request) =>
    getBatch(parts, request, request.params.id),
  );
}

/** One after the other, so that only one document lies unpacked in memory. */
async function acceptAll(
  parts: BatchRouteParts,
  archive: Archive,
  shared: Omit<NewExtraction, "id" | "fileName">,
  key: Pick<NewExtraction, "requestKey" | "requestHash"> | undefined,
): Promise<void> {
  const now = Date.now();
  for (const [index, name] of archive.names.entries()) {
    const row: NewExtraction = {
      ...shared,
      id: newId("ext_"),
      fileName: cleanName(name),
      // The archive's order is the order in which they are listed.
      createdAt: new Date(now + index),
      ...(index === 0 ? key : {}),
    };
    let isTaken = false;
    try {
      isTaken = !(await acceptDocument(parts, row, await archive.read(name)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      isTaken = !(await parts.documents.insert(
        await parts.documents.seal({ ...row, ...failedWith(error, new Date()) }),
      ));
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
