import { and, eq, sql } from "drizzle-orm";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import { KeyMissing, type Vault } from "../../ports/vault.ts";
import { extractionContents, extractionParts, extractions } from "./tables.ts";

export interface ContentParts {
  readonly queries: Queries;
  readonly vault: Vault;
  /** Recognises bytes within a workspace, and tells nobody without the installation's key what they are. */
  readonly digest: (workspaceId: string, bytes: Uint8Array) => string;
  /** Of all documents of one workspace. */
  readonly storedBytes: number;
}

/** About fifty milliseconds of the embedded database, which does one thing at a time. */
const partBytes = 256_000;

/** The bytes of documents: each once in a workspace, sealed under a data key that dies with the last extraction that uses them. */
export function createContents({ queries, vault, digest, storedBytes }: ContentParts) {
  /** Waiting does not cure it, so it is no 429. */
  async function refuseOverShare(workspaceId: string, added: number): Promise<void> {
    const { rows } = await queries.execute<{ bytes: string }>(sql`
      SELECT (SELECT coalesce(sum(bytes), 0) FROM extraction_contents WHERE workspace_id = ${workspaceId})
        + (SELECT coalesce(sum(coalesce(octet_length(sealed_schema), 0) + coalesce(octet_length(sealed_result), 0)
          + coalesce(octet_length(sealed_corrections), 0)), 0) FROM extractions WHERE workspace_id = ${workspaceId}) AS bytes`);
    const used = Number(rows[0]!.bytes);
    if (used + added <= storedBytes) return;
    const inMb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
    throw new Problem(
      "too_large",
      `The workspace keeps ${inMb(used)} of documents and may keep ${inMb(storedBytes)}. Delete some (DELETE /v1/extractions/{id}), or ask the operator to raise SVC_EXTRACTION_STORED.`,
    );
  }

  return {
    digest,
    refuseOverShare,
    /** Under which content these bytes are stored already, if they are and can be opened. */
    async find(workspaceId: string, bytes: Uint8Array): Promise<string | undefined> {
      const isIt = and(
        eq(extractionContents.workspaceId, workspaceId),
        eq(extractionContents.digest, digest(workspaceId, bytes)),
        eq(extractionContents.isStored, true),
      );
      const found = await queries.select({ id: extractionContents.id }).from(extractionContents).where(isIt);
      for (const { id } of found) if (await hasKey(id)) return id;
      return undefined;
    },
    /** Writes the bytes down, part by part, so that nobody waits for the whole of a large document. */
    async write(workspaceId: string, bytes: Uint8Array): Promise<string> {
      const id = newId("cnt_");
      await vault.create(id);
      const content = { id, workspaceId, digest: digest(workspaceId, bytes), bytes: bytes.length };
      await queries.insert(extractionContents).values(content);
      for (let part = 0; part * partBytes < bytes.length; part++) {
        const sealed = await vault.seal(id, bytes.subarray(part * partBytes, (part + 1) * partBytes));
        // As text, which both databases take in without turning every byte over in JavaScript.
        const text = Buffer.from(sealed).toString("base64");
        await queries
          .insert(extractionParts)
          .values({ contentId: id, part, sealed: sql`decode(${text}::text, 'base64')` });
      }
      return id;
    },
    /** Keeps a content from being removed until the transaction that uses it ends; false when it is gone already. */
    async hold(id: string, within: Queries): Promise<boolean> {
      const held = await within
        .update(extractionContents)
        .set({ isStored: true })
        .where(eq(extractionContents.id, id))
        .returning({ id: extractionContents.id });
      return held.length > 0;
    },
    async read(id: string): Promise<Uint8Array | undefined> {
      const parts: Uint8Array[] = [];
      // One after the other: a large file in one answer would hold up everybody else.
      for (;;) {
        const [row] = await queries
          .select({ text: sql<string>`encode(${extractionParts.sealed}, 'base64')` })
          .from(extractionParts)
          .where(and(eq(extractionParts.contentId, id), eq(extractionParts.part, parts.length)));
        if (!row) return parts.length > 0 ? Buffer.concat(parts) : undefined;
        parts.push(await vault.open(id, Buffer.from(row.text, "base64")));
      }
    },
    /** Removes those of these that no extraction uses any more; tells which. Their keys are the caller's to destroy, afterwards. */
    async release(ids: readonly string[], within: Queries): Promise<string[]> {
      const removed: string[] = [];
      for (const id of [...new Set(ids)].sort()) {
        // Whoever holds it is waited for, and is seen by the next statement.
        await within.execute(sql`SELECT 1 FROM extraction_contents WHERE id = ${id} FOR UPDATE`);
        const gone = await within
          .delete(extractionContents)
          .where(and(eq(extractionContents.id, id), isUnused))
          .returning({ id: extractionContents.id });
        removed.push(...gone.map((row) => row.id));
      }
      return removed;
    },
    /** Uploads that broke off, and those that came twice at once. */
    async removeUnused(before: Date): Promise<void> {
      const gone = await queries
        .delete(extractionContents)
        .where(and(sql`${extractionContents.createdAt} < ${before.toISOString()}`, isUnused))
        .returning({ id: extractionContents.id });
      await vault.destroy(gone.map(({ id }) => id));
    },
  };

  async function hasKey(id: string): Promise<boolean> {
    try {
      await vault.seal(id, new Uint8Array(0));
      return true;
    } catch (error) {
      if (error instanceof KeyMissing) return false;
      throw error;
    }
  }
}

const isUnused = sql`NOT EXISTS (SELECT 1 FROM ${extractions} WHERE ${extractions.contentId} = ${extractionContents.id})`;

export type Contents = ReturnType<typeof createContents>;
