import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase } from "../../tests/support/databases.ts";
import { createMemoryBus } from "../adapters/bus/memory-bus.ts";
import { createHealth } from "../platform/health.ts";
import { silentLog } from "../platform/log.ts";
import type { Database } from "../ports/database.ts";
import { auditCredits } from "./audit.ts";
import { type Books, openBooks } from "./books.ts";
import { createLeaseStore } from "./lease-store.ts";
import { grantCredits, readBalance } from "./ledger.ts";
import { picosPerDollar } from "./money.ts";

const dollar = picosPerDollar;
const cent = dollar / 100n;
let database: Database;
const folders: string[] = [];
const running: Books[] = [];
beforeAll(async () => {
  database = await openTestDatabase("embedded");
}, 120_000);
afterEach(async () => {
  for (const books of running.splice(0)) await books.close();
});
afterAll(async () => {
  await database.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const bus = createMemoryBus();
/** As many servers on one database. */
function openServers(count: number, record: Parameters<typeof createLeaseStore>[1] = async () => {}): Promise<Books[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "parlance-cluster-"));
      folders.push(dataDir);
      const store = createLeaseStore(database.queries, record);
      const cluster = { bus, name: "test" };
      const parts = {
        store,
        dataDir,
        clock: { now: Date.now },
        log: silentLog,
        health: createHealth(silentLog),
        cluster,
      };
      const books = await openBooks(parts);
      running.push(books);
      return books;
    }),
  );
}

let count = 0;
async function newWorkspace(granted: bigint): Promise<string> {
  const id = `ws_${++count}`;
  await database.queries.execute(sql`INSERT INTO workspaces (id, name) VALUES (${id}, ${id})`);
  await grantCredits(database.queries, id, granted, "");
  return id;
}
const reserve = (books: Books, workspaceId: string, wanted: bigint) =>
  Promise.resolve(books.reserve({ id: `r${++count}`, workspaceId, wanted, least: wanted }));
async function auditOf(workspaceId: string) {
  const accounts = await auditCredits(database.queries);
  const { isRight, balance, leased } = accounts.find((one) => one.workspaceId === workspaceId)!;
  return { isRight, balance, leased };
}
/** As another server does it after ten minutes without a renewal. */
const reclaimAll = async () => {
  await database.queries.execute(sql`UPDATE credit_leases SET renewed_at = now() - interval '1 hour'`);
  await createLeaseStore(database.queries, async () => {}).reclaim(600_000);
};

describe("several servers on one balance", () => {
  it("each serve what the balance covers, whichever is asked last", async () => {
    const workspace = await newWorkspace(5n * dollar);
    const servers = await openServers(3);
    for (let round = 0; round < 13; round++)
      for (const books of servers) books.settle(await reserve(books, workspace, 60n * cent), cent, null);
    for (const books of servers) await books.flush();
    expect((await readBalance(database.queries, workspace)).balance).toBe(5n * dollar - 39n * cent);
  });

  it("give back to each other what no request holds, before one of them refuses", async () => {
    const workspace = await newWorkspace(dollar);
    const [one, other] = (await openServers(2)) as [Books, Books];
    one.release(await reserve(one, workspace, 90n * cent));
    const hold = await reserve(other, workspace, 90n * cent);
    await expect(reserve(one, workspace, 90n * cent)).rejects.toMatchObject({
      kind: "insufficient_credits",
      message:
        "This request may cost up to $0.90, the credit balance is $1.00, of which requests still running reserve $0.90, $0.90 of it elsewhere.",
      retryAfterSeconds: 2,
    });
    other.release(hold);
    one.release(await reserve(one, workspace, 90n * cent));
  });

  it("tell a request that no waiting helps the true balance, and nothing about waiting", async () => {
    const workspace = await newWorkspace(dollar);
    const [one, other] = (await openServers(2)) as [Books, Books];
    one.settle(await reserve(one, workspace, 50n * cent), 20n * cent, null);
    await expect(reserve(other, workspace, 90n * cent)).rejects.toMatchObject({
      message: "This request may cost up to $0.90, the credit balance is $0.80.",
      retryAfterSeconds: undefined,
    });
  });

  it("take nothing from each other when a lease was reclaimed while a hold was open", async () => {
    const workspace = await newWorkspace(dollar);
    const [one, other] = (await openServers(2)) as [Books, Books];
    const hold = await reserve(one, workspace, 60n * cent);
    await reclaimAll();
    const theirs = await reserve(other, workspace, 90n * cent);
    one.release(hold);
    // Asks the one for what it no longer has.
    await expect(reserve(other, workspace, 60n * cent)).rejects.toMatchObject({ kind: "insufficient_credits" });
    other.settle(theirs, 90n * cent, null);
    await other.flush();
    expect(await auditOf(workspace)).toMatchObject({ isRight: true, balance: 10n * cent });
  });

  it("charge what a reclaimed hold cost to what is left", async () => {
    const workspace = await newWorkspace(dollar);
    const [one] = (await openServers(1)) as [Books];
    const hold = await reserve(one, workspace, 60n * cent);
    await reclaimAll();
    one.settle(hold, 50n * cent, null);
    await one.flush();
    expect(await auditOf(workspace)).toMatchObject({ isRight: true, balance: 50n * cent });
    await reserve(one, workspace, 40n * cent);
  });

  it("keep charges whose account does not add up until it does, and put none into quarantine", async () => {
    const workspace = await newWorkspace(dollar);
    const [one] = (await openServers(1)) as [Books];
    one.settle(await reserve(one, workspace, 10n * cent), 5n * cent, null);
    await database.queries.execute(sql`UPDATE credit_accounts SET leased = 0 WHERE workspace_id = ${workspace}`);
    await expect(one.flush()).rejects.toThrow();
    await database.queries.execute(sql`
      UPDATE credit_accounts AS a SET leased = (SELECT sum(amount) FROM credit_leases WHERE workspace_id = a.workspace_id)
      WHERE workspace_id = ${workspace}`);
    await one.flush();
    expect(await auditOf(workspace)).toMatchObject({ isRight: true, balance: 95n * cent });
  });

  it("hand a job's hold to whoever goes on with it: charged once, the rest free again", async () => {
    const workspace = await newWorkspace(dollar);
    const recorded: unknown[] = [];
    const [one, other] = (await openServers(2, async (_, charges) => {
      recorded.push(...charges.map(({ id }) => id));
    })) as [Books, Books];
    const hold = await reserve(one, workspace, 80n * cent);
    const parked = await database.queries.transaction((within) => one.park(hold, "vid_1", within));
    parked();
    // Nothing is left for a second hold, and there is no need of one.
    await expect(reserve(other, workspace, 80n * cent)).rejects.toMatchObject({ retryAfterSeconds: 2 });
    const adopted = other.parked("vid_1", hold);
    adopted.settle(hold, 50n * cent, { about: {}, figures: [] });
    await database.queries.transaction((within) => adopted.end(within));
    expect(recorded).toEqual([hold.id]);
    expect([one.openHolds, other.openHolds]).toEqual([0, 0]);
    await one.flush();
    expect(await auditOf(workspace)).toMatchObject({ isRight: true, balance: 50n * cent });
    await reserve(other, workspace, 40n * cent);
  });

  it("keep a hold whose job was not queued after all", async () => {
    const workspace = await newWorkspace(dollar);
    const [one] = (await openServers(1)) as [Books];
    const hold = await reserve(one, workspace, 80n * cent);
    const queuing = database.queries.transaction(async (within) => {
      await one.park(hold, "vid_2", within);
      throw new Error("no");
    });
    await expect(queuing).rejects.toThrow("no");
    expect(one.openHolds).toBe(1);
    one.settle(hold, 80n * cent, null);
    await one.flush();
    expect(await auditOf(workspace)).toMatchObject({ isRight: true, balance: 20n * cent });
  });
});
