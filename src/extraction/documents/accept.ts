import { createHash } from "node:crypto";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import type { JobQueue } from "../../ports/job-queue.ts";
import type { DocumentStore, NewExtraction } from "./store.ts";

/** About fifty milliseconds of the embedded database, which does one thing at a time. */
const partBytes = 256_000;

/** Stores a document with the work on it. False when another request with its Idempotency-Key was first. */
export async function acceptDocument(
  parts: { readonly documents: DocumentStore; readonly jobs: JobQueue },
  row: NewExtraction,
  bytes: Uint8Array,
): Promise<boolean> {
  const { documents } = parts;
  const enqueue = (within: Queries) =>
    parts.jobs.enqueue({
      kind: "extraction",
      payload: { extractionId: row.id },
      workspaceId: row.workspaceId,
      turnOf: row.keyId,
      maxAttempts: 50,
      within,
    });
  if (bytes.length <= partBytes) {
    // The document and the work on it are written down together, so that neither exists without the other.
    return documents.transaction(async (within) => {
      if (!(await documents.insert(row, within))) return false;
      await documents.insertPart(row.id, 0, bytes, within);
      await enqueue(within);
      return true;
    });
  }
  // Not in one transaction: that would keep everybody else from the database until the last byte is in.
  if (!(await documents.insert({ ...row, isStored: false }))) return false;
  try {
    for (let part = 0; part * partBytes < bytes.length; part++)
      await documents.insertPart(row.id, part, bytes.subarray(part * partBytes, (part + 1) * partBytes));
    await documents.transaction(async (within) => {
      await documents.update(row.id, { isStored: true }, within);
      await enqueue(within);
    });
  } catch (error) {
    const isGone = !(await documents.remove(row.workspaceId, row.id));
    throw isGone ? new Problem("conflict", "The document was deleted while it was being stored.") : error;
  }
  return true;
}

/** What makes two requests the same, for an Idempotency-Key: its own hash and that of everything that was asked. */
export function fingerprint(
  header: string | string[] | undefined,
  asked: {
    bytes: Uint8Array;
    template_id?: string | undefined;
    webhook_url?: string | undefined;
    schema?: string | undefined;
  },
): { requestKey: string; requestHash: string } | undefined {
  if (header === undefined) return undefined;
  const key = String(header);
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Problem("invalid_request", '"Idempotency-Key" must be 1 to 255 visible ASCII characters.');
  const hash = createHash("sha256").update(
    JSON.stringify([asked.template_id ?? null, asked.webhook_url ?? null, ...[asked.schema ?? []].flat()]),
  );
  return {
    requestKey: createHash("sha256").update(key).digest("hex"),
    requestHash: hash.update(asked.bytes).digest("hex"),
  };
}
