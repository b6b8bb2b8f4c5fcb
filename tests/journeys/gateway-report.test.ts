import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/accounts/workspaces.ts";
import { migrate, readMigrations } from "../../src/adapters/database/migrate.ts";
import { type Charge, createLeaseStore } from "../../src/credits/lease-store.ts";
import { grantCredits } from "../../src/credits/ledger.ts";
import { kindOf } from "../../src/gateway/charging/request-kinds.ts";
import { recordRequests } from "../../src/gateway/charging/store.ts";
import { summarizeSpend } from "../../src/gateway/report/summarize.ts";
import type { Database } from "../../src/ports/database.ts";
import { databaseKinds, openTestDatabase } from "../support/databases.ts";

const requests = [
  { at: "2026-01-31T23:59:59.999Z", model: "a/one", cost: 10n ** 15n, input: 3, output: 4 },
  { at: "2026-02-01T00:00:00.000Z", model: "a/one", cost: 1n, input: 1, output: 1 },
  { at: "2026-02-01T12:00:00.000Z", model: "a/two", cost: 5n, input: 10, output: 0 },
  { at: "2026-02-01T12:00:00.001Z", model: "b/three", cost: 0n, input: 0, output: 0 },
  { at: "2026-02-03T00:00:00.000Z", model: "plain", cost: 7n, input: 1e12, output: 1e12 },
];

describe.each(databaseKinds)("a report on the %s database", (kind) => {
  let database: Database;
  let mine: string;
  let theirs: string;

  const spend = async (owner: string, workspaceId: string, first: number) => {
    const store = createLeaseStore(database.queries, recordRequests);
    await store.take(owner, workspaceId, 1n, () => 10n ** 17n);
    const charges = requests.map(({ at, model, cost, input, output }, index): Charge => {
      const about = {
        keyId: "key",
        endpoint: "chat/completions",
        model,
        provider: model.split("/")[0]!,
        upstream: "u",
        tag: "",
      };
      const figures = [input, output, cost];
      const moment = Date.parse(at);
      return {
        position: first + index,
        id: `${owner}-${index}`,
        workspaceId,
        owed: 0n,
        amount: cost,
        at: moment,
        about: kindOf(about, "reported"),
        figures,
      };
    });
    await store.spend(owner, charges);
    // A journal that is read twice counts once.
    await store.spend(owner, charges);
  };
  const report = (workspaceId: string, groupBy: "day" | "model" | "provider", from?: string, to?: string) =>
    summarizeSpend(database.queries, { workspaceId, groupBy, from, to });

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    mine = (await createWorkspace(database.queries, "mine")).id;
    theirs = (await createWorkspace(database.queries, "theirs")).id;
    for (const id of [mine, theirs]) await grantCredits(database.queries, id, 10n ** 17n, "test");
    await spend("first", mine, 1);
    await spend("second", mine, 1);
    await spend("third", theirs, 1);
  });
  afterAll(() => database.close());

  it("has a row for each day, cut at midnight UTC, exact beyond what a float can count", async () => {
    const days = await report(mine, "day");
    expect(days.map(({ period, requests: count, cost }) => [period, count, cost])).toEqual([
      ["2026-01-31", 2n, 2n * 10n ** 15n],
      ["2026-02-01", 6n, 12n],
      ["2026-02-03", 2n, 14n],
    ]);
    expect(days.at(-1)).toMatchObject({ inputTokens: 2n * 10n ** 12n, outputTokens: 2n * 10n ** 12n });
  });

  it("includes its first day and its last, and nothing beyond them", async () => {
    expect((await report(mine, "day", "2026-02-01", "2026-02-01")).map(({ period }) => period)).toEqual(["2026-02-01"]);
    expect(await report(mine, "model", "2026-02-02", "2026-02-02")).toEqual([]);
  });

  it("adds up by model and by provider", async () => {
    const models = await report(mine, "model", "2026-02-01");
    expect(models.map(({ model, provider, cost }) => [model, provider, cost])).toEqual([
      ["a/one", "a", 2n],
      ["a/two", "a", 10n],
      ["b/three", "b", 0n],
      ["plain", "plain", 14n],
    ]);
    const providers = await report(mine, "provider", "2026-02-01");
    expect(providers.map(({ period, requests: count }) => [period, count])).toEqual([
      ["a", 4n],
      ["b", 2n],
      ["plain", 2n],
    ]);
  });

  it("is a workspace's own", async () => {
    const [day] = await report(theirs, "day");
    expect(day).toMatchObject({ period: "2026-01-31", requests: 1n });
    expect(await report("nobody", "day")).toEqual([]);
  });

  it("adds up requests that can each be looked at", async () => {
    const { rows } = await database.queries.execute(sql`
      SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, model, cost::text, charge::text,
        input_tokens::text AS input, output_tokens::text AS output
      FROM gateway_requests WHERE workspace_id = ${theirs} ORDER BY gateway_requests.at`);
    expect(rows).toEqual(
      requests.map(({ at, model, cost, input, output }) => {
        return { at, model, cost: `${cost}`, charge: `${cost}`, input: `${input}`, output: `${output}` };
      }),
    );
  });

  it("takes a model's name of any length", async () => {
    const store = createLeaseStore(database.queries, recordRequests);
    const model = Array.from({ length: 4000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    const about = kindOf({ keyId: "key", endpoint: "e", model, provider: "", upstream: "u", tag: "" }, "free");
    await store.spend("long", [
      { position: 1, id: "l", workspaceId: theirs, amount: 0n, owed: 0n, at: 0, about, figures: [1, 1, 0n] },
    ]);
    expect((await report(theirs, "model", undefined, "1970-01-01"))[0]?.model).toBe(model);
  });

  it("of a database from before the days knows them all", async () => {
    const before = await report(mine, "model");
    await database.queries.execute(sql`DROP TABLE gateway_days`);
    await database.queries.execute(sql`DELETE FROM schema_migrations WHERE name = '0504_gateway_days'`);
    expect(await migrate(database, readMigrations())).toEqual(["0504_gateway_days"]);
    expect(await report(mine, "model")).toEqual(before);
  });
});
