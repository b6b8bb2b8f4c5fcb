import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sql } from "drizzle-orm";
import { extract } from "tar";
import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import { markFolder, settleInstallation } from "../installation-id.ts";
import { listTables, quoted, type TableShape } from "./tables.ts";
import type { BackupSummary } from "./write-backup.ts";

const rowsAtOnce = 500;

const manifestSchema = z.object({
  format: z.literal(1),
  program: z.string(),
  migrations: z.array(z.number()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) })),
});

/** Brings a backup into an empty database that has its tables already, and what belongs beside it into the data folder. All of
 *  it or nothing. */
export async function restoreBackup(queries: Queries, dataDir: string, file: string): Promise<BackupSummary> {
  if (!existsSync(file)) throw new Problem("not_found", `There is no file ${file}.`);
  const folder = mkdtempSync(join(dataDir, "restore-"));
  try {
    await extract({ file, cwd: folder, preservePaths: false, strict: true }).catch((cause) => {
      throw new Problem("invalid_request", `${file} is not a backup of Parlance, or it is damaged.`, { cause });
    });
    const manifest = readManifest(folder, file);
    const summary = await queries.transaction(async (transaction) => {
      await refuseNewer(transaction, manifest.migrations, manifest.program);
      const known = await listTables(transaction);
      await refuseFull(transaction);
      await transaction.execute(sql.raw(`TRUNCATE ${known.map(({ name }) => quoted(name)).join(", ")}`));
      let rows = 0;
      // In the order of the program that restores: it knows its own references.
      for (const table of known) {
        const given = manifest.tables.find(({ name }) => name === table.name);
        if (given) rows += await readTable(transaction, table, given, join(folder, "tables", `${table.name}.ndjson`));
      }
      await setSequences(transaction, known);
      await settleInstallation(transaction, dataDir);
      return { file, tables: manifest.tables.length, rows };
    });
    await markFolder(queries, dataDir);
    if (existsSync(join(folder, "files"))) await cp(join(folder, "files"), dataDir, { recursive: true });
    return summary;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readManifest(folder: string, file: string): z.output<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
  } catch (cause) {
    throw new Problem("invalid_request", `${file} is not a backup of Parlance.`, { cause });
  }
}

async function refuseNewer(queries: Queries, migrations: readonly number[], program: string): Promise<void> {
  const { rows } = await queries.execute<{ version: number }>(sql`SELECT version FROM schema_migrations`);
  const known = new Set(rows.map(({ version }) => version));
  if (migrations.every((version) => known.has(version))) return;
  throw new Problem("conflict", `The backup was made by Parlance ${program}, which is newer. Update Parlance first.`);
}

async function refuseFull(queries: Queries): Promise<void> {
  const { rows } = await queries.execute(sql`SELECT 1 FROM workspaces LIMIT 1`);
  if (rows.length === 0) return;
  throw new Problem("conflict", "The database is not empty. Restore into a new data folder or a new database.");
}

async function readTable(queries: Queries, table: TableShape, given: TableShape, path: string): Promise<number> {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const columns = given.columns.flatMap(({ name }, place) => (types.has(name) ? [{ name, place }] : []));
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  const values = columns.map(({ name, place }) => `(row->>${place})::${types.get(name)}`).join(", ");
  let count = 0;
  let batch: string[] = [];
  const send = async () => {
    const rows = `[${batch.join(",")}]`;
    count += batch.length;
    batch = [];
    await queries.execute(
      sql`INSERT INTO ${sql.raw(quoted(table.name))} (${sql.raw(names)})
          SELECT ${sql.raw(values)} FROM jsonb_array_elements(${rows}::jsonb) AS row`,
    );
  };
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    batch.push(line);
    if (batch.length >= rowsAtOnce) await send();
  }
  if (batch.length > 0) await send();
  return count;
}

/** Numbers that the database hands out go on after the highest one that is there. */
async function setSequences(queries: Queries, tables: readonly TableShape[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns) {
      const { rows } = await queries.execute<{ sequence: string | null }>(
        sql`SELECT pg_get_serial_sequence(${quoted(name)}, ${column.name}) AS sequence`,
      );
      const sequence = rows[0]?.sequence;
      if (!sequence) continue;
      await queries.execute(
        sql`SELECT setval(${sequence}::regclass, (SELECT coalesce(max(${sql.raw(quoted(column.name))}), 0) + 1 FROM ${sql.raw(quoted(name))}), false)`,
      );
    }
  }
}
