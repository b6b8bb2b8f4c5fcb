import { type SQL, sql } from "drizzle-orm";
import type { Queries } from "../ports/database.ts";
import type { Secrets } from "../ports/secrets.ts";

/** Where secrets lay as they are before they were sealed: the table, its key, the column, and what it is for. */
const former = [
  { table: sql`users`, id: sql`id`, column: sql`totp_secret`, purpose: "second-factor" },
  { table: sql`extraction_webhook_secrets`, id: sql`workspace_id`, column: sql`secret`, purpose: "webhooks" },
] as const;

/** Seals what an earlier version wrote. Bears repetition, and another server that does the same. */
export async function sealFormerSecrets(queries: Queries, secrets: Secrets): Promise<void> {
  for (const { table, id, column, purpose } of former) {
    const plain: SQL = sql`${column} IS NOT NULL AND ${column} NOT LIKE 'sealed1:%'`;
    const { rows } = await queries.execute<{ id: string; secret: string }>(
      sql`SELECT ${id} AS id, ${column} AS secret FROM ${table} WHERE ${plain}`,
    );
    for (const row of rows)
      await queries.execute(
        sql`UPDATE ${table} SET ${column} = ${secrets.seal(purpose, row.secret)} WHERE ${id} = ${row.id} AND ${column} = ${row.secret}`,
      );
  }
}
