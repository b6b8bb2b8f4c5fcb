import type { Queries } from "../../ports/database.ts";
import type { JobQueue } from "../../ports/job-queue.ts";
import type { Contents } from "./contents.ts";
import type { DocumentStore, NewExtraction } from "./store.ts";

export interface AcceptParts {
  readonly documents: DocumentStore;
  readonly contents: Contents;
  readonly jobs: JobQueue;
}

/** Stores a document with the work on it. False when another request with its Idempotency-Key was first. */
export async function acceptDocument(parts: AcceptParts, row: NewExtraction, bytes: Uint8Array): Promise<boolean> {
  const { contents } = parts;
  const known = await contents.find(row.workspaceId, bytes);
  const outcome = known && (await acceptContent(parts, row, known));
  // The last extraction of the same bytes may have been deleted in between.
  if (outcome && outcome !== "gone") return outcome === "accepted";
  await contents.refuseOverShare(row.workspaceId, bytes.length);
  return (await writeDown(parts, row, await contents.write(row.workspaceId, bytes))) === "accepted";
}

type Outcome = "accepted" | "repeated" | "gone";

/** The same for bytes that are stored already. What is read from them is stored once more, and counts. */
export async function acceptContent(parts: AcceptParts, row: NewExtraction, contentId: string): Promise<Outcome> {
  await parts.contents.refuseOverShare(row.workspaceId, 0);
  return writeDown(parts, row, contentId);
}

/** The row, its hold on the bytes and the work are written down together, so that none exists without the others. */
async function writeDown(
  { documents, contents, jobs }: AcceptParts,
  row: NewExtraction,
  contentId: string,
): Promise<Outcome> {
  const sealed = await documents.seal({ ...row, contentId });
  return documents.transaction(async (within) => {
    if (!(await contents.hold(contentId, within))) return "gone";
    if (!(await documents.insert(sealed, within))) return "repeated";
    await enqueueExtraction(jobs, row, within);
    return "accepted";
  });
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
