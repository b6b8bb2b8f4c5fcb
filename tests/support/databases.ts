import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import pg from "pg";
import { openEmbedded } from "../../src/adapters/database/embedded/open-embedded.ts";
import { migrate, readMigrations } from "../../src/adapters/database/migrate.ts";
import { openPostgres } from "../../src/adapters/database/open-postgres.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/ports/database.ts";

/** Set by ./test when it could start a PostgreSQL server. */
export const postgresUrl = process.env.TEST_POSTGRES_URL;
if (!postgresUrl) console.warn("TEST_POSTGRES_URL is not set: the store tests run on the embedded database only.");

/** The databases that every store test runs on. */
export const databaseKinds = (postgresUrl ? ["embedded", "postgres"] : ["embedded"]) as ("embedded" | "postgres")[];

/** A fresh database of its own, migrated with all or only with these. */
export async function openTestDatabase(
  kind: "embedded" | "postgres",
  migrations = readMigrations(),
): Promise<Database> {
  const database = kind === "embedded" ? await openScratchEmbedded() : await openScratchPostgres();
  // A new embedded database is a copy that has every table.
  for (const statement of ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public"])
    if (migrations.length < readMigrations().length) await database.queries.execute(sql.raw(statement));
  await migrate(database, migrations);
  return database;
}

async function openScratchEmbedded(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "parlance-db-"));
  const database = await openEmbedded(join(folder, "db"));
  const close = database.close;
  return Object.assign(database, {
    async close() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** The address of a new, empty database on the test server. */
export async function createPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `parlance_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl!);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function openScratchPostgres(): Promise<Database> {
  const { url, drop } = await createPostgresDatabase();
  const database = await openPostgres(url, silentLog);
  const close = database.close;
  return Object.assign(database, {
    async close() {
      await close();
      await drop();
    },
  });
}
