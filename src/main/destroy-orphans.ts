import { sql } from "drizzle-orm";
import type { KeyVault } from "../adapters/vault/key-vault.ts";
import { describeError } from "../platform/database-error.ts";
import type { PlatformLog } from "../platform/log.ts";
import type { Queries } from "../ports/database.ts";

/** What a young key belongs to may be on its way. */
const orphanAfterMs = 3_600_000;
const everyMs = 3_600_000;
const namesAtOnce = 1000;

/** Destroys data keys for which nothing is stored any more: what went with its workspace, was deleted while this server was away, or
 *  in the moment before a crash. Only the keys of this server: the others do the same. */
export function destroyOrphans(queries: Queries, vault: KeyVault, log: PlatformLog): void {
  const sweep = () =>
    sweepOnce(queries, vault).catch((error) =>
      log.warn({ error: describeError(error) }, "data keys that nothing needs were not destroyed"),
    );
  setInterval(sweep, everyMs).unref();
  sweep();
}

async function sweepOnce(queries: Queries, vault: KeyVault): Promise<void> {
  const old = vault.entries().filter(({ madeAtMs }) => Date.now() - madeAtMs >= orphanAfterMs);
  for (let at = 0; at < old.length; at += namesAtOnce) {
    const names = old.slice(at, at + namesAtOnce).map(({ name }) => name);
    const { rows } = await queries.execute<{ name: string }>(sql`
      SELECT name FROM jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) AS names (name)
      WHERE NOT EXISTS (SELECT 1 FROM personas WHERE id = name) AND NOT EXISTS (SELECT 1 FROM extractions WHERE id = name)
        AND NOT EXISTS (SELECT 1 FROM extraction_contents WHERE id = name)`);
    if (rows.length > 0) await vault.destroy(rows.map(({ name }) => name));
  }
}
