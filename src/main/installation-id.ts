import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import { StartError } from "./data-folder.ts";

/** The installation that a data folder belongs to; undefined for one that no server has had yet. An address would not do: it changes
 *  when a standby takes over. */
export function folderId(dataDir: string): string | undefined {
  const path = idPath(dataDir);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}

/** Throws when the database is not the one that this data folder belongs to. Changes nothing. */
export async function checkInstallation(queries: Queries, dataDir: string, where: string): Promise<void> {
  const expected = folderId(dataDir);
  if (expected === undefined || (await databaseId(queries)) === expected) return;
  throw new StartError(
    `The data folder ${dataDir} belongs to another installation than the database ${where}. Set SVC_DATABASE_URL and SVC_DATA_DIR as its server has them.`,
  );
}

/** Gives folder and database one id: that of whichever has one, else a new one. Several servers of one database take the same. */
export async function settleInstallation(queries: Queries, dataDir: string): Promise<void> {
  const wanted = folderId(dataDir) ?? newId("ins_");
  await queries.execute(sql`INSERT INTO installation (id) VALUES (${wanted}) ON CONFLICT DO NOTHING`);
  await checkInstallation(queries, dataDir, "that was restored");
}

/** Whole or not at all. Where a command has no data folder, it makes none. */
export async function markFolder(queries: Queries, dataDir: string): Promise<void> {
  const id = await databaseId(queries);
  if (id === undefined || !existsSync(dataDir) || folderId(dataDir) === id) return;
  writeFileSync(`${idPath(dataDir)}.new`, `${id}\n`, { mode: 0o600, flush: true });
  renameSync(`${idPath(dataDir)}.new`, idPath(dataDir));
}

async function databaseId(queries: Queries): Promise<string | undefined> {
  const { rows: tables } = await queries.execute<{ name: string | null }>(
    sql`SELECT to_regclass('installation')::text AS name`,
  );
  if (tables[0]?.name == null) return undefined;
  const { rows } = await queries.execute<{ id: string }>(sql`SELECT id FROM installation`);
  return rows[0]?.id;
}

function idPath(dataDir: string): string {
  return join(dataDir, "installation-id");
}
