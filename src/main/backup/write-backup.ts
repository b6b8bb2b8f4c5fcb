import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { sql } from "drizzle-orm";
import { create } from "tar";
import { Problem } from "../../platform/errors.ts";
import { packageVersion } from "../../platform/package-root.ts";
import type { Queries } from "../../ports/database.ts";
import { listTables, quoted, type TableShape } from "./tables.ts";

/** Rows that are in memory at once. */
const rowsAtOnce = 500;
/** What the data folder holds besides the embedded database: journals of what has not reached it yet. Data keys are never in here. */
const keptFolders = ["usage", "credits"];

export interface BackupSummary {
  file: string;
  tables: number;
  rows: number;
}

/** Writes everything that is stored into one file, as it is at one moment, while the server serves. Values are written as
 *  PostgreSQL writes them, so that either database can read them back. */
export async function writeBackup(queries: Queries, dataDir: string, file: string): Promise<BackupSummary> {
  if (existsSync(file)) throw new Problem("conflict", `There is already a file ${file}. Name another one.`);
  mkdirSync(dirname(file), { recursive: true });
  const folder = mkdtempSync(`${file}.unfinished-`);
  try {
    mkdirSync(join(folder, "tables"));
    const summary = await queries.transaction(
      async (transaction) => {
        await refuseEmpty(transaction);
        const tables = await listTables(transaction);
        let rows = 0;
        for (const table of tables) rows += await writeTable(transaction, table, join(folder, "tables"));
        const { rows: migrations } = await transaction.execute<{ version: number }>(
          sql`SELECT version FROM schema_migrations ORDER BY version`,
        );
        const versions = migrations.map(({ version }) => version);
        await writeLines(join(folder, "manifest.json"), [
          JSON.stringify({ format: 1, program: packageVersion(), createdAt: new Date(), migrations: versions, tables }),
        ]);
        return { file, tables: tables.length, rows };
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    );
    for (const name of keptFolders.filter((one) => existsSync(join(dataDir, one)))) {
      await cp(join(dataDir, name), join(folder, "files", name), { recursive: true });
    }
    await create({ gzip: true, cwd: folder, file: join(folder, "done"), mode: 0o600 } as never, [
      "manifest.json",
      "tables",
      ...(existsSync(join(folder, "files")) ? ["files"] : []),
    ]);
    renameSync(join(folder, "done"), file);
    return summary;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A backup that holds nothing would be believed until the day it is needed. */
async function refuseEmpty(queries: Queries): Promise<void> {
  const { rows } = await queries.execute(sql`SELECT 1 FROM workspaces LIMIT 1`);
  if (rows.length > 0) return;
  throw new Problem(
    "conflict",
    "There is nothing to back up: this installation has no workspace. Are SVC_DATA_DIR and SVC_DATABASE_URL those of the server?",
  );
}

async function writeTable(queries: Queries, { name, columns }: TableShape, folder: string): Promise<number> {
  const values = columns.map((column) => `${quoted(column.name)}::text`).join(", ");
  await queries.execute(
    sql.raw(`DECLARE backup CURSOR FOR SELECT json_build_array(${values})::text AS line FROM ${quoted(name)}`),
  );
  let count = 0;
  async function* lines() {
    for (;;) {
      const { rows } = await queries.execute<{ line: string }>(sql.raw(`FETCH ${rowsAtOnce} FROM backup`));
      if (rows.length === 0) return;
      count += rows.length;
      for (const { line } of rows) yield line;
    }
  }
  await writeLines(join(folder, `${name}.ndjson`), lines());
  await queries.execute(sql.raw("CLOSE backup"));
  return count;
}

async function writeLines(path: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const out = createWriteStream(path, { mode: 0o600 });
  for await (const line of lines) {
    if (!out.write(`${line}\n`)) await once(out, "drain");
  }
  out.end();
  await finished(out);
}
