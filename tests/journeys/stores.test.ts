import { eq, getTableColumns, getTableName, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../src/accounts/keys/create-key.ts";
import { listKeys } from "../../src/accounts/keys/list-keys.ts";
import { revokeKey } from "../../src/accounts/keys/revoke-key.ts";
import { apiKeys, usageRecords, workspaces } from "../../src/accounts/tables.ts";
import { summarizeUsage } from "../../src/accounts/usage/summarize.ts";
import { UsageGroups } from "../../src/accounts/usage/usage-groups.ts";
import { createKeyVerifier } from "../../src/accounts/verify-key.ts";
import { createWorkspace, getWorkspace, setPlan } from "../../src/accounts/workspaces.ts";
import { migrate } from "../../src/adapters/database/migrate.ts";
import { createJobQueue } from "../../src/adapters/jobs/create-job-queue.ts";
import { auditLog } from "../../src/audit/tables.ts";
import { auditCredits } from "../../src/credits/audit.ts";
import { keyDays } from "../../src/credits/key-days.ts";
import { createLeaseStore } from "../../src/credits/lease-store.ts";
import { grantCredits, readBalance } from "../../src/credits/ledger.ts";
import { creditAccounts, creditLedger } from "../../src/credits/tables.ts";
import { accessLinks, memberships, userSessions, users } from "../../src/dashboard/tables.ts";
import { gatewayDays } from "../../src/gateway/charging/days.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/ports/database.ts";
import { databaseKinds, openTestDatabase } from "../support/databases.ts";

describe.each(databaseKinds)("on the %s database", (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());

  it("migrations run once", async () => {
    expect(await migrate(database)).toEqual([]);
  });

  it("a database from the future is refused", async () => {
    await database.queries.execute(sql`INSERT INTO schema_migrations (version, name) VALUES (99999, 'future')`);
    await expect(migrate(database)).rejects.toThrow(/newer than this program/);
    await database.queries.execute(sql`DELETE FROM schema_migrations WHERE version = 99999`);
  });

  const dashboardTables = [users, memberships, userSessions, accessLinks, auditLog, keyDays];
  it.each([workspaces, apiKeys, usageRecords, creditAccounts, creditLedger, gatewayDays, ...dashboardTables])(
    "the code and the migrations agree on a table's columns",
    async (table) => {
      const { rows } = await database.queries.execute<{ column_name: string }>(
        sql`SELECT column_name FROM information_schema.columns WHERE table_name = ${getTableName(table)}`,
      );
      const coded = Object.values(getTableColumns(table)).map((column) => column.name);
      expect(coded.sort()).toEqual(rows.map((row) => row.column_name).sort());
    },
  );

  it("two workspaces cannot have one name", async () => {
    await createWorkspace(database.queries, "twin");
    await expect(createWorkspace(database.queries, "twin")).rejects.toMatchObject({ kind: "conflict" });
  });

  it("a workspace begins on the lowest plans and can be raised", async () => {
    await createWorkspace(database.queries, "plain");
    expect(await getWorkspace(database.queries, "plain")).toMatchObject({
      gatewayPlan: "FREE",
      extractionPlan: "Free",
    });
    const { id } = await getWorkspace(database.queries, "plain");
    await setPlan(database.queries, id, { gatewayPlan: "PRO" });
    expect(await getWorkspace(database.queries, "plain")).toMatchObject({ gatewayPlan: "PRO", extractionPlan: "Free" });
  });

  it("a key is found by what it hashes to, and its text is nowhere", async () => {
    const { id: workspaceId } = await createWorkspace(database.queries, "keyed");
    const { id, key } = await createKey(database.queries, { workspaceId, name: "mine", scopes: ["speech"] });
    const verifier = createKeyVerifier(database.queries, systemClock);
    expect(await verifier.verify(key)).toMatchObject({ keyId: id, workspace: { name: "keyed" } });
    expect(JSON.stringify(await listKeys(database.queries))).not.toContain(key);
    const { rows } = await database.queries.execute(sql`SELECT * FROM api_keys`);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it("a revoked key is refused half a second later at the latest, an expired one at once", async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    const { id: workspaceId } = await getWorkspace(database.queries, "keyed");
    const verifier = createKeyVerifier(database.queries, clock);
    const revoked = await createKey(database.queries, { workspaceId, name: "r", scopes: ["speech"] });
    const expiring = await createKey(database.queries, {
      workspaceId,
      name: "e",
      scopes: ["speech"],
      // Far ahead: making it may take a while.
      expiresAt: new Date(clock.time + 600_000),
    });
    expect(await verifier.verify(revoked.key)).toBeDefined();
    expect(await verifier.verify(expiring.key)).toBeDefined();
    await revokeKey(database.queries, { id: revoked.id });
    clock.time += 500;
    expect(await verifier.verify(revoked.key)).toBeUndefined();
    clock.time += 599_499;
    expect(await verifier.verify(expiring.key)).toBeDefined();
    clock.time += 1;
    expect(await verifier.verify(expiring.key)).toBeUndefined();
  });

  it("a clock that is set back does not keep a revoked key alive", async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    const { id: workspaceId } = await getWorkspace(database.queries, "keyed");
    const verifier = createKeyVerifier(database.queries, clock);
    const { id, key } = await createKey(database.queries, { workspaceId, name: "back", scopes: ["speech"] });
    expect(await verifier.verify(key)).toBeDefined();
    await revokeKey(database.queries, { id });
    clock.time -= 3_600_000;
    expect(await verifier.verify(key)).toBeUndefined();
  });

  it("busy keys are read together, and each is refused in time when it is revoked", async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    const { id: workspaceId } = await getWorkspace(database.queries, "keyed");
    const made: { id: string; key: string }[] = [];
    for (const name of ["a", "b", "c"]) {
      made.push(await createKey(database.queries, { workspaceId, name, scopes: ["speech"] }));
    }
    let reads = 0;
    const counted = new Proxy(database.queries, {
      get(queries, name) {
        if (name === "select") reads += 1;
        return Reflect.get(queries, name, queries);
      },
    });
    const verifier = createKeyVerifier(counted, clock);
    for (const { key } of made) {
      expect(await verifier.verify(key)).toBeDefined();
      clock.time += 30;
    }
    const ask = () => Promise.all(made.map(({ key }) => verifier.verify(key)));
    expect(reads).toBe(3);
    for (let round = 1; round <= 4; round++) {
      clock.time += 500;
      expect((await ask()).map((caller) => caller?.keyId)).toEqual(made.map(({ id }) => id));
      expect(reads).toBe(3 + round);
    }
    await revokeKey(database.queries, { id: made[1]!.id });
    clock.time += 500;
    expect((await ask()).map((caller) => caller?.keyId)).toEqual([made[0]!.id, undefined, made[2]!.id]);
  });

  it("granted credits add up exactly beyond what a float can count", async () => {
    const { id } = await createWorkspace(database.queries, "rich");
    const odd = 9_007_199_254_740_993n;
    await Promise.all([1n, 2n, odd].map((amount) => grantCredits(database.queries, id, amount, "")));
    expect((await readBalance(database.queries, id)).balance).toBe(odd + 3n);
    await expect(grantCredits(database.queries, id, 0n, "")).rejects.toMatchObject({ kind: "invalid_request" });
  });

  it("usage records come in once, however often their journal is read, and keep what each of them says", async () => {
    const { id: workspaceId } = await createWorkspace(database.queries, "used");
    const record = {
      workspaceId,
      keyId: "k",
      service: "voice",
      route: "POST /a",
      status: 200,
      at: 1e12,
      durationMs: 5,
    };
    const records = new UsageGroups();
    records.add({ ...record, model: 'one "model"', inputTokens: 3, outputTokens: 4 });
    records.add({ ...record, model: 'one "model"', inputTokens: 5, durationMs: 6 });
    records.add({ ...record, status: 500, audioMs: 70 });
    await records.insert(database.queries, "run_1", 1);
    await records.insert(database.queries, "run_1", 1);
    expect(await summarizeUsage(database.queries, { workspaceId })).toEqual([
      {
        day: "2001-09-09",
        workspace: "used",
        service: "voice",
        route: "POST /a",
        requests: 3,
        errors: 1,
        inputTokens: 8,
        outputTokens: 4,
        audioMs: 70,
      },
    ]);
    const common = { ...record, at: new Date(record.at), day: "2001-09-09", voice: null, language: null };
    const ofModel = { ...common, model: 'one "model"', cachedTokens: null, audioMs: null };
    const unmeasured = { model: null, inputTokens: null, outputTokens: null, cachedTokens: null };
    const kept = await database.queries.select().from(usageRecords).where(eq(usageRecords.workspaceId, workspaceId));
    expect(kept).toHaveLength(3);
    expect(kept).toEqual(
      expect.arrayContaining([
        { ...ofModel, inputTokens: 3, outputTokens: 4 },
        { ...ofModel, inputTokens: 5, outputTokens: null, durationMs: 6 },
        { ...common, ...unmeasured, status: 500, audioMs: 70 },
      ]),
    );
  });

  it("usage is cut at midnight UTC, and to the millisecond where a moment is asked for", async () => {
    const { id: workspaceId } = await createWorkspace(database.queries, "nocturnal");
    const alike = { workspaceId, keyId: "k", service: "voice", route: "POST /a", status: 200, durationMs: 5 };
    const midnight = Date.parse("2026-02-01T00:00:00Z");
    const records = new UsageGroups();
    for (const at of [midnight - 1, midnight, midnight + 1]) records.add({ ...alike, at });
    await records.insert(database.queries, "run_midnight", 1);
    const days = async (query: { from?: number; until?: number }) => {
      const from = query.from === undefined ? {} : { from: new Date(query.from) };
      const until = query.until === undefined ? {} : { until: new Date(query.until) };
      const rows = await summarizeUsage(database.queries, { workspaceId, ...from, ...until });
      return rows.map(({ day, requests }) => [day, requests]);
    };
    expect(await days({})).toEqual([
      ["2026-02-01", 2],
      ["2026-01-31", 1],
    ]);
    expect(await days({ from: midnight + 1 })).toEqual([["2026-02-01", 1]]);
    expect(await days({ from: midnight - 1, until: midnight })).toEqual([["2026-01-31", 1]]);
    expect(await days({ until: midnight + 1 })).toEqual([
      ["2026-02-01", 1],
      ["2026-01-31", 1],
    ]);
  });

  it("charges are spent once, however often their journal is read", async () => {
    const { id: workspaceId } = await createWorkspace(database.queries, "spender");
    await grantCredits(database.queries, workspaceId, 1000n, "");
    const recorded: number[] = [];
    const store = createLeaseStore(database.queries, async (_transaction, charges) => {
      recorded.push(...charges.map(({ position }) => position));
    });
    await store.take("run_2", workspaceId, 1n, () => 500n);
    const charge = (position: number) => ({
      position,
      id: `c${position}`,
      workspaceId,
      amount: 10n,
      owed: 0n,
      at: 0,
      about: {},
      figures: [],
    });
    await store.spend("run_2", [charge(1), charge(2)]);
    await store.spend("run_2", [charge(1), charge(2), charge(3)]);
    expect(recorded).toEqual([1, 2, 3]);
    expect(await readBalance(database.queries, workspaceId)).toMatchObject({ balance: 970n, lifetimeSpend: 30n });
    const left = await store.inherit("run_2", "run_3", new Map([[workspaceId, 900n]]));
    expect(left.get(workspaceId)).toMatchObject({ amount: 470n });
    expect((await auditCredits(database.queries)).every(({ isRight }) => isRight)).toBe(true);
  });

  it("two servers that spend for the same workspaces at once take from each what was spent there", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `shared-${n}`);
    const ids: string[] = [];
    for (const name of names) ids.push((await createWorkspace(database.queries, name)).id);
    const store = createLeaseStore(database.queries, async () => {});
    const spend = async (owner: string, order: readonly string[]) => {
      for (let round = 0; round < 5; round++) {
        const charges = order.map((workspaceId, index) => {
          const position = round * order.length + index + 1;
          return {
            position,
            id: "",
            workspaceId,
            amount: BigInt(ids.indexOf(workspaceId)),
            owed: 0n,
            at: 0,
            about: {},
            figures: [],
          };
        });
        await store.spend(owner, charges);
      }
    };
    for (const id of ids) {
      await grantCredits(database.queries, id, 1000n, "");
      for (const owner of ["run_a", "run_b"]) await store.take(owner, id, 100n, () => 100n);
    }
    await Promise.all([spend("run_a", ids), spend("run_b", ids.toReversed())]);
    for (const [index, id] of ids.entries()) {
      expect((await readBalance(database.queries, id)).balance).toBe(1000n - BigInt(index) * 10n);
    }
    for (const [owner, heir] of [
      ["run_a", "run_c"],
      ["run_b", "run_d"],
    ] as const) {
      const left = await store.inherit(owner, heir, new Map(ids.map((id) => [id, 1000n])));
      const amounts = ids.map((id) => left.get(id)?.amount);
      expect(amounts).toEqual(ids.map((_, index) => 100n - BigInt(index) * 5n));
    }
    expect((await auditCredits(database.queries)).every(({ isRight }) => isRight)).toBe(true);
  });

  it("a failed transaction leaves nothing behind", async () => {
    const before = await readBalance(database.queries, (await getWorkspace(database.queries, "rich")).id);
    const failing = database.queries.transaction(async (transaction) => {
      await grantCredits(transaction, (await getWorkspace(transaction, "rich")).id, 5n, "");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await readBalance(database.queries, (await getWorkspace(database.queries, "rich")).id)).toEqual(before);
  });

  it("a job runs, is tried again when it fails, and fails for good at its last attempt", async () => {
    const queue = createJobQueue(database, silentLog);
    const seen: number[] = [];
    const failed = new Promise<string>((resolve) => {
      queue.work<{ n: number }>(
        "stumble",
        async (job) => {
          seen.push(job.attempt);
          throw new Error(`try ${job.attempt} of ${job.payload.n}`);
        },
        { retryAfterMs: () => 10, onFailed: async (_job, error) => resolve(error.message) },
      );
    });
    await queue.enqueue({ kind: "stumble", payload: { n: 7 }, maxAttempts: 2 });
    expect(await failed).toBe("try 2 of 7");
    expect(seen).toEqual([1, 2]);
    await queue.stop();
  });

  it("a job whose worker died is taken over, and the dead worker's late word does not count", async () => {
    const first = createJobQueue(database, silentLog);
    const second = createJobQueue(database, silentLog);
    const id = await first.enqueue({ kind: "lease", payload: {} });
    await database.queries.execute(
      sql`UPDATE jobs SET state = 'running', attempt = 1, lease_until = now() - interval '1 second' WHERE id = ${id}`,
    );
    const attempt = await new Promise<number>((resolve) => second.work("lease", async (job) => resolve(job.attempt)));
    expect(attempt).toBe(2);
    await second.stop();
    await first.stop();
    const { rows } = await database.queries.execute<{ state: string }>(sql`SELECT state FROM jobs WHERE id = ${id}`);
    expect(rows[0]?.state).toBe("completed");
  });

  it("a job that its workers die over fails when its attempts are used up, and is told once", async () => {
    const queue = createJobQueue(database, silentLog);
    const id = await queue.enqueue({ kind: "deadly", payload: {}, maxAttempts: 3 });
    await database.queries.execute(
      sql`UPDATE jobs SET state = 'running', attempt = 3, lease_until = now() - interval '1 second' WHERE id = ${id}`,
    );
    let runs = 0;
    const told = await new Promise<string>((resolve) => {
      const onFailed = async (_job: unknown, error: Error) => resolve(error.message);
      queue.work("deadly", async () => void runs++, { onFailed });
    });
    expect([runs, told]).toEqual([0, "its worker ended 3 times"]);
    await queue.stop();
    const { rows } = await database.queries.execute<{ state: string }>(sql`SELECT state FROM jobs WHERE id = ${id}`);
    expect(rows[0]?.state).toBe("failed");
  });

  it("a worker that has lost a job to another does not say that it failed", async () => {
    const queue = createJobQueue(database, silentLog);
    const told: unknown[] = [];
    const id = await queue.enqueue({ kind: "lost", payload: {}, maxAttempts: 1 });
    await new Promise<void>((resolve) => {
      queue.work(
        "lost",
        async (job) => {
          // As another server does it that has claimed the job.
          await database.queries.execute(
            sql`UPDATE jobs SET attempt = 2, lease_until = now() + interval '1 hour' WHERE id = ${job.id}`,
          );
          setTimeout(resolve, 200);
          throw new Error("too late");
        },
        { onFailed: async (job) => void told.push(job) },
      );
    });
    await queue.stop();
    expect(told).toEqual([]);
    const { rows } = await database.queries.execute<{ state: string }>(sql`SELECT state FROM jobs WHERE id = ${id}`);
    expect(rows[0]?.state).toBe("running");
  });

  it("many workers share the jobs and each runs once", async () => {
    const queues = Array.from({ length: 3 }, () => createJobQueue(database, silentLog));
    const ran: number[] = [];
    const done = new Promise<void>((resolve) => {
      for (const queue of queues) {
        queue.work<number>(
          "share",
          async (job) => {
            ran.push(job.payload);
            if (ran.length === 30) resolve();
          },
          { concurrency: 2 },
        );
      }
    });
    await Promise.all(Array.from({ length: 30 }, (_, n) => queues[0]!.enqueue({ kind: "share", payload: n })));
    await done;
    for (const queue of queues) await queue.stop();
    expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  it("jobs of two keys take turns, though all of one key came first", async () => {
    const queue = createJobQueue(database, silentLog);
    for (const turnOf of ["early", "late"]) {
      for (let n = 0; n < 20; n++) await queue.enqueue({ kind: "turns", payload: { turnOf }, turnOf });
    }
    const ran: string[] = [];
    await new Promise<void>((resolve) => {
      queue.work<{ turnOf: string }>("turns", async (job) => {
        ran.push(job.payload.turnOf);
        if (ran.length === 40) resolve();
      });
    });
    await queue.stop();
    for (let n = 0; n < 40; n += 2) expect(ran.slice(n, n + 2).sort()).toEqual(["early", "late"]);
  });

  it("one key never has more running than its share", async () => {
    const queue = createJobQueue(database, silentLog);
    for (let n = 0; n < 5; n++) await queue.enqueue({ kind: "share-of-one", payload: n, turnOf: "busy" });
    await queue.enqueue({ kind: "share-of-one", payload: 9, turnOf: "other" });
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await new Promise<void>((resolve) => {
      queue.work<number>(
        "share-of-one",
        async ({ payload }) => {
          running++;
          most = Math.max(most, running);
          await new Promise((wake) => setTimeout(wake, 20));
          running--;
          done.push(payload);
          if (done.length === 6) resolve();
        },
        { concurrency: 6, mostPerTurn: 2 },
      );
    });
    await queue.stop();
    expect(most).toBeLessThanOrEqual(3);
    expect(done.slice(0, 3)).toContain(9);
  });
});
