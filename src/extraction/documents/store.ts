import { and, asc, desc, eq, lt, or, type SQL, sql } from "drizzle-orm";
import type { Queries } from "../../ports/database.ts";
import { type ExtractionRow, extractionFiles, extractions } from "./tables.ts";

export type NewExtraction = typeof extractions.$inferInsert;

/** The SQL of documents and their results. Every question names the workspace: a foreign id looks like a missing one. */
export function createDocumentStore(queries: Queries) {
  const own = (workspaceId: string, id: string) =>
    and(eq(extractions.workspaceId, workspaceId), eq(extractions.id, id));
  const findOne = async (where: SQL | undefined): Promise<ExtractionRow | undefined> =>
    (await queries.select().from(extractions).where(where))[0];
  return {
    /** Writes a document down; false when its Idempotency-Key is taken. */
    async insert(row: NewExtraction, within: Queries = queries): Promise<boolean> {
      const inserted = await within
        .insert(extractions)
        .values(row)
        .onConflictDoNothing({
          target: [extractions.workspaceId, extractions.requestKey],
          where: sql`request_key IS NOT NULL`,
        })
        .returning({ id: extractions.id });
      return inserted.length > 0;
    },
    async insertPart(id: string, part: number, bytes: Uint8Array, within: Queries = queries): Promise<void> {
      // As text, which both databases take in without turning every byte over in JavaScript.
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
      await within
        .insert(extractionFiles)
        .values({ extractionId: id, part, bytes: sql`decode(${text}::text, 'base64')` });
    },
    findByRequestKey: (workspaceId: string, requestKey: string) =>
      findOne(and(eq(extractions.workspaceId, workspaceId), eq(extractions.requestKey, requestKey))),
    transaction<Result>(work: (within: Queries) => Promise<Result>): Promise<Result> {
      return queries.transaction((within) => work(within as unknown as Queries));
    },
    find: (workspaceId: string, id: string) => findOne(own(workspaceId, id)),
    findAny: (id: string) => findOne(eq(extractions.id, id)),
    async readFile(id: string): Promise<Uint8Array | undefined> {
      const parts: Buffer[] = [];
      // One after the other: a large file in one answer would hold up everybody else.
      for (;;) {
        const [row] = await queries
          .select({ text: sql<string>`encode(${extractionFiles.bytes}, 'base64')` })
          .from(extractionFiles)
          .where(and(eq(extractionFiles.extractionId, id), eq(extractionFiles.part, parts.length)));
        if (!row) return parts.length > 0 ? Buffer.concat(parts) : undefined;
        parts.push(Buffer.from(row.text, "base64"));
      }
    },
    async list(
      workspaceId: string,
      limit: number,
      before: { createdAt: Date; id: string } | undefined,
      status?: ExtractionRow["status"],
    ): Promise<ExtractionRow[]> {
      const older =
        before &&
        or(
          lt(extractions.createdAt, before.createdAt),
          and(eq(extractions.createdAt, before.createdAt), lt(extractions.id, before.id)),
        );
      return queries
        .select()
        .from(extractions)
        .where(and(eq(extractions.workspaceId, workspaceId), older, status && eq(extractions.status, status)))
        .orderBy(desc(extractions.createdAt), desc(extractions.id))
        .limit(limit);
    },
    /** The documents of one archive, in its order. */
    async listBatch(workspaceId: string, batchId: string): Promise<ExtractionRow[]> {
      return queries
        .select()
        .from(extractions)
        .where(and(eq(extractions.workspaceId, workspaceId), eq(extractions.batchId, batchId)))
        .orderBy(asc(extractions.createdAt), asc(extractions.id));
    },
    async update(id: string, values: Partial<NewExtraction>, within: Queries = queries): Promise<void> {
      await within.update(extractions).set(values).where(eq(extractions.id, id));
    },
    async remove(workspaceId: string, id: string): Promise<boolean> {
      const removed = await queries.delete(extractions).where(own(workspaceId, id)).returning({ id: extractions.id });
      return removed.length > 0;
    },
    async removeOlderThan(moment: Date): Promise<void> {
      await queries.delete(extractions).where(lt(extractions.createdAt, moment));
    },
    /** Uploads that ended before their file was complete; nobody was told of them. */
    async removeBrokenOff(before: Date): Promise<void> {
      await queries.delete(extractions).where(and(eq(extractions.isStored, false), lt(extractions.createdAt, before)));
    },
    /** Work that a crash left without a job: nothing may stay queued for ever. */
    async listUnfinished(): Promise<{ id: string; workspaceId: string; keyId: string }[]> {
      const { rows } = await queries.execute<{ id: string; workspace_id: string; key_id: string }>(sql`
        SELECT id, workspace_id, key_id FROM extractions e WHERE status IN ('queued', 'processing') AND is_stored
          AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'extraction' AND j.state IN ('queued', 'running') AND j.payload->>'extractionId' = e.id)`);
      return rows.map((row) => ({ id: row.id, workspaceId: row.workspace_id, keyId: row.key_id }));
    },
  };
}

export type DocumentStore = ReturnType<typeof createDocumentStore>;
