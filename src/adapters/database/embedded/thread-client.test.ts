import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { isDatabaseDown } from "../../../platform/database-error.ts";
import type { Database } from "../../../ports/database.ts";
import { openEmbedded } from "./open-embedded.ts";
import { ThreadClient } from "./thread-client.ts";

const folder = mkdtempSync(join(tmpdir(), "parlance-thread-"));
const asked = vi.spyOn(Worker.prototype, "postMessage");
/** The thread comes back at once or never. */
const patience = { timeout: 60_000, interval: 100 };
let database: Database;
beforeAll(async () => {
  database = await openEmbedded(join(folder, "db"));
  // A busy machine takes longer than the ten seconds that hooks have.
}, 120_000);
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

it("a database whose thread ends fails what it was asked, comes back by itself and has lost nothing", async () => {
  const heard: string[] = [];
  await database.listen("news", (payload) => heard.push(payload));
  await database.queries.execute(sql`CREATE TABLE kept (n integer)`);
  await database.queries.execute(sql`INSERT INTO kept VALUES (7)`);
  const interrupted = database.queries.execute(sql`SELECT count(*) FROM generate_series(1, 50000000)`);
  await (asked.mock.contexts.at(-1) as Worker).terminate();
  await expect(interrupted).rejects.toSatisfy(isDatabaseDown);
  await expect(database.queries.execute(sql`SELECT 1`)).rejects.toSatisfy(isDatabaseDown);
  await vi.waitFor(() => database.queries.execute(sql`SELECT 1`), patience);
  expect((await database.queries.execute(sql`SELECT n FROM kept`)).rows).toEqual([{ n: 7 }]);
  await vi.waitFor(async () => {
    await database.notify("news", "again");
    expect(heard).toContain("again");
  }, patience);
}, 90_000);

it("a transaction that cannot begin fails at once, and the next one begins", async () => {
  const client = await ThreadClient.open(join(folder, "other"));
  await client.exec("BEGIN");
  await expect(client.exec("SELECT 1 / 0")).rejects.toThrow("division by zero");
  await expect(client.transaction(async () => "begun")).rejects.toThrow("current transaction is aborted");
  await client.exec("ROLLBACK");
  expect(await client.transaction(async () => "begun")).toBe("begun");
  await client.close();
}, 90_000);
