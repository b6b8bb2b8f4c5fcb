import { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pglite";
import pg from "pg";
import { migrate } from "../../src/adapters/database/migrate.ts";
import { openPostgres } from "../../src/adapters/database/open-postgres.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database, Queries } from "../../src/ports/database.ts";
import { figuresOf } from "./audit.ts";

/** A database whose clock is ours, for any number of simulations one after the other. */
export interface World {
  readonly queries: Queries;
  tellTime(nowMs: number): Promise<void>;
  /** Leaves nothing of earlier simulations: rows that are gone slow a database down that nobody vacuums. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Unqualified names are looked up in the first schema, so this hides the database's own clock. */
const clock = [
  sql`CREATE TABLE simulated_time (at timestamptz NOT NULL)`,
  sql`INSERT INTO simulated_time VALUES ('2026-01-01')`,
  // In a language that keeps its plans.
  sql`CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE plpgsql STABLE
      AS 'BEGIN RETURN (SELECT at FROM public.simulated_time); END'`,
  sql`CREATE TABLE simulated_jobs (id text PRIMARY KEY)`,
  sql`CREATE TABLE simulated_charges (id text NOT NULL, workspace_id text NOT NULL, total bigint NOT NULL)`,
  sql`CREATE INDEX ON simulated_charges (workspace_id)`,
];

/** Whose rows refer to others' stand before them. */
const tables =
  "simulated_jobs simulated_charges credit_marks credit_leases credit_ledger credit_accounts workspaces".split(" ");

/** In memory, or on the PostgreSQL server of an empty database. */
export async function openWorld(postgresUrl?: string): Promise<World> {
  const database = await (postgresUrl ? openServer(postgresUrl) : openMemory());
  const { queries } = database;
  for (const statement of clock) await queries.execute(statement);
  await migrate(database);
  await queries.execute(figuresOf);
  let told = 0;
  let cleared = 0;
  return {
    queries,
    async tellTime(nowMs) {
      if (told === nowMs) return;
      told = nowMs;
      await queries.execute(sql`UPDATE simulated_time SET at = ${new Date(nowMs).toISOString()}::timestamptz`);
    },
    async clear() {
      // Quicker for a few rows, whose dead versions the other then removes.
      const isQuick = cleared++ % 25 > 0;
      if (isQuick) for (const table of tables) await queries.execute(sql.raw(`DELETE FROM ${table}`));
      else await queries.execute(sql.raw(`TRUNCATE ${tables.join(", ")} CASCADE`));
    },
    close: () => database.close(),
  };
}

async function openMemory(): Promise<Database> {
  const client = await PGlite.create();
  // Each answer copies them: of a thousand types of arrays nobody here reads one.
  client.parsers = Object.fromEntries(Object.entries(client.parsers).filter(([type]) => Number(type) < 10_000));
  await client.exec("SET search_path = public, pg_catalog");
  return {
    kind: "embedded",
    queries: drizzle({ client }) as unknown as Queries,
    async listen() {},
    async notify() {},
    close: () => client.close(),
  };
}

async function openServer(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`);
  await client.end();
  return openPostgres(url, silentLog);
}
