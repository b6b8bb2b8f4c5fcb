import { and, asc, desc, eq, getTableColumns, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import { KeyMissing, type Vault } from "../../ports/vault.ts";
import type { Contents } from "./contents.ts";
import { sealFormer, sealFormerRows } from "./seal-former.ts";
import { openRow, sealRow } from "./seal-row.ts";
import { type ExtractionRow, extractions, type Readable, type SealedRow } from "./tables.ts";

type Insertable = Omit<typeof extractions.$inferInsert, keyof Readable | `sealed${string}`>;
export type NewExtraction = Insertable & { readonly fileName: string } & Partial<Readable>;

/** Rows whose keys are destroyed together: one message on the bus. */
const removedAtOnce = 200;

const {
  sealedSchema: _schema,
  sealedResult: _result,
  sealedCorrections: _corrections,
  ...listed
} = getTableColumns(extractions);

/** The SQL of extractions. Every question names the workspace: a foreign id looks like a missing one. What people can read is sealed
 *  on its way in and opened on its way out. */
export function createDocumentStore(queries: Queries, vault: Vault, contents: Contents) {
  const former = { queries, vault, contents };
  const own = (workspaceId: string, id: string) =>
    and(eq(extractions.workspaceId, workspaceId), eq(extractions.id, id));
  const findOne = async (where: SQL | undefined): Promise<ExtractionRow | undefined> => {
    const read = () => queries.select().from(extractions).where(where);
    let [row] = await read();
    const isFinished = row?.status === "completed" || row?.status === "failed";
    if (row?.sealedName === null && isFinished) {
      await sealFormer(former, row.id);
      [row] = await read();
    }
    return row && openRow(vault, row).catch(explainMissingKey);
  };
  /** For lists: without results. What has no key on this server is listed without its name. */
  const openAll = (rows: readonly Omit<SealedRow, "sealedSchema" | "sealedResult" | "sealedCorrections">[]) =>
    Promise.all(
      rows.map(async (row) => {
        const unsealed = { ...row, sealedSchema: null, sealedResult: null, sealedCorrections: null };
        return openRow(vault, unsealed).catch(() => openRow(vault, { ...unsealed, sealedName: null }));
      }),
    );
  const removeWhere = async (where: SQL | undefined): Promise<number> => {
    const { removed, contentIds } = await queries.transaction(async (transaction) => {
      const within = transaction as unknown as Queries;
      const removed = await within
        .delete(extractions)
        .where(where)
        .returning({ id: extractions.id, contentId: extractions.contentId });
      const used = removed.flatMap(({ contentId }) => contentId ?? []);
      return { removed, contentIds: await contents.release(used, within) };
    });
    // Should this process end here, the keys are found without rows and destroyed later.
    await vault.destroy([...removed.map(({ id }) => id), ...contentIds]);
    return removed.length;
  };
  return {
    /** Seals a new row; its data key is made here. */
    async seal(row: NewExtraction) {
      await vault.create(row.id);
      return sealRow(vault, row.id, row);
    },
    /** Writes a sealed row down; false when its Idempotency-Key is taken. */
    async insert(row: Awaited<ReturnType<typeof sealRow<NewExtraction>>>, within: Queries = queries): Promise<boolean> {
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
    findByRequestKey: (workspaceId: string, requestKey: string) =>
      findOne(and(eq(extractions.workspaceId, workspaceId), eq(extractions.requestKey, requestKey))),
    transaction<Result>(work: (within: Queries) => Promise<Result>): Promise<Result> {
      return queries.transaction((within) => work(within as unknown as Queries));
    },
    find: (workspaceId: string, id: string) => findOne(own(workspaceId, id)),
    findAny: (id: string) => findOne(eq(extractions.id, id)),
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
      const rows = await queries
        .select(listed)
        .from(extractions)
        .where(and(eq(extractions.workspaceId, workspaceId), older, status && eq(extractions.status, status)))
        .orderBy(desc(extractions.createdAt), desc(extractions.id))
        .limit(limit);
      return openAll(rows);
    },
    /** The documents of one archive, in its order. */
    async listBatch(workspaceId: string, batchId: string): Promise<ExtractionRow[]> {
      const rows = await queries
        .select(listed)
        .from(extractions)
        .where(and(eq(extractions.workspaceId, workspaceId), eq(extractions.batchId, batchId)))
        .orderBy(asc(extractions.createdAt), asc(extractions.id));
      return openAll(rows);
    },
    async update(id: string, values: Partial<NewExtraction>): Promise<void> {
      await queries
        .update(extractions)
        .set(await sealRow(vault, id, values))
        .where(eq(extractions.id, id));
    },
    async remove(workspaceId: string, id: string): Promise<boolean> {
      return (await removeWhere(own(workspaceId, id))) > 0;
    },
    async removeOlderThan(moment: Date): Promise<void> {
      for (;;) {
        const old = await queries
          .select({ id: extractions.id })
          .from(extractions)
          .where(lt(extractions.createdAt, moment))
          .limit(removedAtOnce);
        if (old.length === 0) return;
        const ids = old.map(({ id }) => id);
        await removeWhere(inArray(extractions.id, ids));
      }
    },
    /** One that a former version wrote, before it is worked on. */
    sealFormer: (id: string) => sealFormer(former, id),
    sealFormerRows: () => sealFormerRows(former),
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

function explainMissingKey(error: unknown): never {
  if (!(error instanceof KeyMissing)) throw error;
  throw new Problem(
    "engine_unavailable",
    "The data key of this document is not on this server: another server has it, or a backup was restored without its keys.",
    { retryAfterSeconds: 5, cause: error },
  );
}
