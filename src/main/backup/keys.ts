import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { installationKeyPath } from "../../adapters/vault/installation-key.ts";
import { fingerprintOf, type KeyVault } from "../../adapters/vault/key-vault.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import { quoted } from "./tables.ts";

const keysSchema = z.object({
  format: z.literal(1),
  installationKey: z.string().nullable(),
  keys: z.array(z.object({ name: z.string(), key: z.base64(), madeAtMs: z.number() })),
  destroyed: z.array(z.string()),
});

/** What is stored under a data key of its own, and goes when the key is gone. Extractions before what they refer to. */
const sealedTables = ["personas", "extractions", "extraction_contents"];

/** Writes the data keys beside the backup of the data, over the file of before: only the newest knows of every deletion. */
export async function writeKeys(vault: KeyVault, dataDir: string, file: string): Promise<number> {
  const path = installationKeyPath(dataDir);
  const keys = vault.entries().map(({ key, ...rest }) => ({ ...rest, key: key.toString("base64") }));
  const backup: z.input<typeof keysSchema> = {
    format: 1,
    installationKey: existsSync(path) ? readFileSync(path).toString("base64") : null,
    keys,
    destroyed: [...(await vault.destroyed())],
  };
  writeFileSync(`${file}.new`, JSON.stringify(backup), { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return keys.length;
}

/** Brings keys back, and deletes again what was deleted after the backup of the data was made. */
export async function restoreKeys(queries: Queries, vault: KeyVault, dataDir: string, file?: string): Promise<number> {
  const backup = file === undefined ? { installationKey: null, keys: [], destroyed: [] } : readKeys(file);
  const path = installationKeyPath(dataDir);
  if (backup.installationKey !== null && !existsSync(path))
    writeFileSync(path, Buffer.from(backup.installationKey, "base64"), { mode: 0o600, flush: true });
  const keys = backup.keys.map(({ key, ...rest }) => ({ ...rest, key: Buffer.from(key, "base64") }));
  const destroyed = await vault.restore({ keys, destroyed: backup.destroyed });
  let deleted = 0;
  for (const table of sealedTables) {
    const { rows } = await queries.execute<{ id: string }>(sql.raw(`SELECT id FROM ${quoted(table)}`));
    const gone = rows.map(({ id }) => id).filter((id) => destroyed.has(fingerprintOf(id)));
    await queries.execute(
      sql`DELETE FROM ${sql.raw(quoted(table))} WHERE id IN (SELECT jsonb_array_elements_text(${JSON.stringify(gone)}::jsonb))`,
    );
    if (table !== "extraction_contents") deleted += gone.length;
  }
  return deleted;
}

/** How many rows nobody can open, because their keys were in no backup. */
export async function countLocked(queries: Queries, vault: KeyVault): Promise<number> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    SELECT id FROM extractions WHERE sealed_name IS NOT NULL
    UNION ALL SELECT id FROM personas WHERE sealed_clip IS NOT NULL OR sealed_voice IS NOT NULL`);
  return rows.filter(({ id }) => !vault.find(id)).length;
}

function readKeys(file: string): z.output<typeof keysSchema> {
  if (!existsSync(file)) throw new Problem("not_found", `There is no file ${file}.`);
  try {
    return keysSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new Problem("invalid_request", `${file} is not a backup of the keys of Parlance.`, { cause });
  }
}
