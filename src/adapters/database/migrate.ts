import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { packageRoot } from "../../platform/package-root.ts";
import type { Database } from "../../ports/database.ts";

export interface Migration {
  /** The number that its file name begins with. */
  version: number;
  name: string;
  sql: string;
}

/** Any number that no other program takes for its advisory lock. */
const lockNumber = 7_725_401;

/** Brings the database up to date, once, however many servers start together. Returns what was applied. */
export async function migrate(database: Database, migrations = readMigrations()): Promise<string[]> {
  return database.queries.transaction(async (transaction) => {
    if (database.kind === "postgres") await transaction.execute(sql`SELECT pg_advisory_xact_lock(${lockNumber})`);
    await transaction.execute(
      sql`CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await transaction.execute<{ version: number }>(sql`SELECT version FROM schema_migrations`);
    const applied = new Set(rows.map((row) => row.version));
    refuseNewer(applied, migrations);
    const pending = migrations.filter(({ version }) => !applied.has(version));
    for (const migration of pending) {
      for (const statement of splitStatements(migration.sql)) await transaction.execute(sql.raw(statement));
      await transaction.execute(
        sql`INSERT INTO schema_migrations (version, name) VALUES (${migration.version}, ${migration.name})`,
      );
    }
    return pending.map(({ name }) => name);
  });
}

export function readMigrations(): Migration[] {
  const folder = join(packageRoot(), "src", "adapters", "database", "migrations");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({
      version: Number.parseInt(file, 10),
      name: file.replace(/\.sql$/, ""),
      sql: readFileSync(join(folder, file), "utf8"),
    }));
}

/** An older program must not write into a database whose rules it does not know. */
function refuseNewer(applied: Set<number>, migrations: Migration[]): void {
  const known = new Set(migrations.map(({ version }) => version));
  const unknown = [...applied].filter((version) => !known.has(version));
  if (unknown.length > 0) {
    throw new Error(
      `the database is newer than this program (it has migration ${Math.max(...unknown)}); update Parlance or restore an older copy`,
    );
  }
}

/** Statements end with a semicolon at the end of a line; our migrations hold no functions. */
function splitStatements(text: string): string[] {
  return text
    .split(/;\s*\n/)
    .map((statement) => statement.replace(/^\s*--.*$/gm, "").trim())
    .filter((statement) => statement !== "");
}
