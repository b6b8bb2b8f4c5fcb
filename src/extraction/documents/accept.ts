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
  const { documents, jobs } = parts;
  if (bytes.length <= partBytes) {
    // The document and the work on it are written down together, so that neither exists without the other.
    return documents.transaction(async (within) => {
      if (!(await documents.insert(row, within))) return false;
      await documents.insertPart(row.id, 0, bytes, within);
      await enqueueExtraction(jobs, row, within);
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
      await enqueueExtraction(jobs, row, within);
    });
  } catch (error) {
    const isGone = !(await documents.remove(row.workspaceId, row.id));
    throw isGone ? new Problem("conflict", "The document was deleted while it was being stored.") : error;
  }
  return true;
}

export async function enqueueExtraction(
  jobs: JobQueue,
  { id, workspaceId, keyId }: { readonly id: string; readonly workspaceId: string; readonly keyId: string },
  within?: Queries,
): Promise<void> {
  const transaction = within ? { within } : {};
  const payload = { extractionId: id };
  await jobs.enqueue({ kind: "extraction", payload, workspaceId, turnOf: keyId, maxAttempts: 50, ...transaction });
}
