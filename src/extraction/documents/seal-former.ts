import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Queries } from "../../ports/database.ts";
import type { Vault } from "../../ports/vault.ts";
import type { Contents } from "./contents.ts";
import { sealRow } from "./seal-row.ts";
import { extractions, type SealedRow } from "./tables.ts";

export interface FormerParts {
  readonly queries: Queries;
  readonly vault: Vault;
  readonly contents: Contents;
}

/** Seals every row that a former version wrote; tells how many there were. Those that a server of it is still at work on are left
 *  until they are finished, or until their job comes here. */
export async function sealFormerRows(parts: FormerParts): Promise<number> {
  const unsealed = and(isNull(extractions.sealedName), inArray(extractions.status, ["completed", "failed"]));
  for (let count = 0; ; count++) {
    const [row] = await parts.queries.select().from(extractions).where(unsealed).limit(1);
    if (!row) {
      // What they were lies in free pages until the tables are written anew.
      for (const table of count > 0 ? ["extractions", "extraction_files"] : [])
        await parts.queries.execute(sql.raw(`VACUUM FULL ${table}`));
      return count;
    }
    await sealFormerRow(parts, row);
  }
}

export async function sealFormer(parts: FormerParts, id: string): Promise<void> {
  const [row] = await parts.queries.select().from(extractions).where(eq(extractions.id, id));
  if (row && row.sealedName === null) await sealFormerRow(parts, row);
}

async function sealFormerRow({ queries, vault, contents }: FormerParts, row: SealedRow): Promise<void> {
  const { id, workspaceId, fileName, schema, result, corrections } = row;
  const bytes = await readFormerFile(queries, id);
  const contentId = bytes && ((await contents.find(workspaceId, bytes)) ?? (await contents.write(workspaceId, bytes)));
  await vault.create(id);
  const sealed = await sealRow(vault, id, { fileName, schema, result, corrections });
  const documentsFound = result ? (result.documents?.length ?? 1) : null;
  const empty = { fileName: "", schema: null, result: null, corrections: null };
  await queries.transaction(async (transaction) => {
    const within = transaction as unknown as Queries;
    if (contentId) await contents.hold(contentId, within);
    await within
      .update(extractions)
      .set({ ...sealed, ...empty, documentsFound, ...(contentId ? { contentId } : {}) })
      .where(eq(extractions.id, id));
    await within.execute(sql`DELETE FROM extraction_files WHERE extraction_id = ${id}`);
  });
}

async function readFormerFile(queries: Queries, id: string): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  for (;;) {
    const { rows } = await queries.execute<{ text: string }>(
      sql`SELECT encode(bytes, 'base64') AS text FROM extraction_files WHERE extraction_id = ${id} AND part = ${parts.length}`,
    );
    if (!rows[0]) return parts.length > 0 ? Buffer.concat(parts) : undefined;
    parts.push(Buffer.from(rows[0].text, "base64"));
  }
}
