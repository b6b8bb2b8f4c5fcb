import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createKey } from "../../src/accounts/keys/create-key.ts";
import { createWorkspace } from "../../src/accounts/workspaces.ts";
import { grantCredits, readBalance } from "../../src/credits/ledger.ts";
import { restoreBackup } from "../../src/main/backup/restore-backup.ts";
import { listTables } from "../../src/main/backup/tables.ts";
import { writeBackup } from "../../src/main/backup/write-backup.ts";
import type { Database } from "../../src/ports/database.ts";
import { databaseKinds, openTestDatabase } from "../support/databases.ts";

const folder = mkdtempSync(join(tmpdir(), "parlance-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(kind: "embedded" | "postgres"): Promise<Database> {
  const database = await openTestDatabase(kind);
  onTestFinished(() => database.close());
  return database;
}

/** Every row of every table, as text. */
async function contents({ queries }: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of await listTables(queries)) {
    const { rows } = await queries.execute<{ row: string }>(
      sql.raw(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`),
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

async function fill({ queries }: Database): Promise<string> {
  const workspace = await createWorkspace(queries, "Émile and sons");
  await grantCredits(queries, workspace.id, 12_345_678_901_234n, 'a "gift", \\ and \n more');
  await queries.execute(sql`INSERT INTO installation (id) VALUES ('ins_test')`);
  await createKey(queries, { workspaceId: workspace.id, name: "first", scopes: ["speech", "extract"] } as never);
  return workspace.id;
}

const ways = databaseKinds.flatMap((from) => databaseKinds.map((to) => [from, to] as const));

describe("a backup", () => {
  it.each(ways)("of %s is restored into %s to the last byte, and what comes next goes on", async (from, to) => {
    const source = await open(from);
    const workspaceId = await fill(source);
    const dataDir = mkdtempSync(join(folder, "data-"));
    mkdirSync(join(dataDir, "usage"));
    writeFileSync(join(dataDir, "usage", "journal"), "rows");
    mkdirSync(join(dataDir, "vault"));
    writeFileSync(join(dataDir, "vault", "keys"), "secret");
    const file = join(folder, `${from}-${to}.tar.gz`);
    const { rows } = await writeBackup(source.queries, dataDir, file);
    expect(rows).toBeGreaterThan(2);

    const target = await open(to);
    const newDir = mkdtempSync(join(folder, "data-"));
    await restoreBackup(target.queries, newDir, file);
    expect(await contents(target)).toEqual(await contents(source));
    expect(readFileSync(join(newDir, "usage", "journal"), "utf8")).toBe("rows");
    await grantCredits(target.queries, workspaceId, 1n, "another");
    expect((await readBalance(target.queries, workspaceId)).balance).toBe(12_345_678_901_235n);
    expect(readdirSync(newDir).sort()).toEqual(["installation-id", "usage"]);
  });

  it("is never restored over what is there, and never written over a file", async () => {
    const database = await open("embedded");
    await fill(database);
    const file = join(folder, "full.tar.gz");
    await writeBackup(database.queries, folder, file);
    await expect(restoreBackup(database.queries, folder, file)).rejects.toThrow(/not empty/);
    await expect(writeBackup(database.queries, folder, file)).rejects.toThrow(/already a file/);
  });

  it("that is damaged, cut short or something else leaves everything as it was", async () => {
    const database = await open("embedded");
    const dataDir = mkdtempSync(join(folder, "data-"));
    const file = join(folder, "odd.tar.gz");
    const other = await open("embedded");
    await fill(other);
    const whole = join(folder, "whole.tar.gz");
    await writeBackup(other.queries, dataDir, whole);
    for (const bytes of [Buffer.from("no archive"), readFileSync(whole).subarray(0, 700)]) {
      writeFileSync(file, bytes);
      await expect(restoreBackup(database.queries, dataDir, file)).rejects.toThrow(/not a backup|damaged/);
    }
    await expect(restoreBackup(database.queries, dataDir, join(folder, "none"))).rejects.toThrow(/no file/);
    expect((await database.queries.execute(sql`SELECT 1 FROM workspaces`)).rows).toEqual([]);
    expect(readdirSync(dataDir)).toEqual([]);
    expect(existsSync(whole)).toBe(true);
  });
});
