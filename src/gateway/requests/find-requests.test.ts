import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase } from "../../../tests/support/databases.ts";
import type { Charge } from "../../credits/lease-store.ts";
import { dayMs } from "../../platform/days.ts";
import type { Database } from "../../ports/database.ts";
import { recordRequests } from "../charging/store.ts";
import { findRequest, findRequests } from "./find-requests.ts";

const now = Date.parse("2026-05-20T12:00:00.123Z");
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase("embedded");
}, 120_000);
afterAll(() => database.close());

const kindOf = (model: string) => ({
  keyId: "k",
  endpoint: "chat/completions",
  model,
  provider: "acme",
  upstream: "openai-1",
  tag: "",
  costSource: "tokens",
});
const kinds = [kindOf("acme/a"), kindOf("acme/b"), kindOf("acme/c")];
let count = 0;

/** Requests that were charged at these moments, written together. */
async function write(workspaceId: string, moments: number[]): Promise<string[]> {
  const charges = moments.map((at): Charge => {
    count += 1;
    const parts = { position: count, id: `gr_run${count}`, workspaceId, amount: 12n, owed: 0n };
    return { ...parts, at, about: kinds[count % kinds.length]!, figures: [1, 2, 10n] };
  });
  await database.queries.transaction((transaction) => recordRequests(transaction, charges));
  return charges.map(({ id }) => id);
}

/** Page by page, as a caller reads them. */
async function readAll(workspaceId: string, limit: number): Promise<{ id: string | null; at: Date }[]> {
  const all: { id: string | null; at: Date }[] = [];
  let cursor: string | undefined;
  do {
    const page = await findRequests(database.queries, { workspaceId, limit, cursor }, now);
    expect(page.requests.length).toBeLessThanOrEqual(limit);
    all.push(...page.requests);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return all;
}

describe("the log of requests", () => {
  it("has every request of one millisecond, once, on pages of any size", async () => {
    const ids = await write("burst", Array(60).fill(now));
    for (const limit of [1, 7, 20, 60, 100]) {
      const all = await readAll("burst", limit);
      expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
    }
  });

  it("has them in order over days and over groups that reach into each other", async () => {
    const ids: string[] = [];
    for (const day of [0, 1, 7]) {
      const start = now - day * dayMs;
      ids.push(...(await write("spread", [start - 5000, start - 30, start])));
      ids.push(...(await write("spread", [start - 400, start - 200, start - 100, start - 20])));
      for (let at = 1; at <= 12; at++) ids.push(...(await write("spread", [start - at * 25])));
    }
    for (const limit of [1, 4, 57]) {
      const all = await readAll("spread", limit);
      const moments = all.map(({ at }) => at.getTime());
      expect(moments).toEqual([...moments].sort((one, other) => other - one));
      expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
    }
  });

  it("shows thirty days, one workspace, and only what was before a moment", async () => {
    await write("old", [now - 32 * dayMs]);
    const [earlier] = await write("old", [now - 2000]);
    await write("old", [now - 1000]);
    expect(await readAll("old", 10)).toHaveLength(2);
    const before = new Date(now - 1000);
    const page = await findRequests(database.queries, { workspaceId: "old", limit: 10, before }, now);
    expect(page.requests.map(({ id }) => id)).toEqual([earlier]);
    expect(await readAll("nobody", 10)).toEqual([]);
  });

  it("refuses a cursor that it did not make", async () => {
    const asked = findRequests(database.queries, { workspaceId: "old", limit: 1, cursor: "x" }, now);
    await expect(asked).rejects.toMatchObject({ kind: "invalid_request" });
  });

  it("finds one request by its name, of its own workspace alone", async () => {
    const [id] = await write("one", [now]);
    const found = await findRequest(database.queries, { workspaceId: "one", id: id! }, now);
    expect(found).toMatchObject({ id, at: new Date(now), inputTokens: 1n, outputTokens: 2n, cost: 10n, charge: 12n });
    expect(await findRequest(database.queries, { workspaceId: "other", id: id! }, now)).toBeUndefined();
    expect(await findRequest(database.queries, { workspaceId: "one", id: "gr_none" }, now)).toBeUndefined();
  });

  it("is read by indexes, however long it is", async () => {
    await database.queries.execute(sql`
      INSERT INTO gateway_request_groups SELECT day, 'long', key_id, endpoint, model, provider, upstream, cost_source, at_ms,
        input_tokens, output_tokens, cost, charge, tag, ARRAY['gr_long' || n]
      FROM (SELECT * FROM gateway_request_groups WHERE cardinality(at_ms) = 1 LIMIT 1) AS one, generate_series(1, 5000) AS n`);
    await database.queries.execute(sql`ANALYZE gateway_request_groups`);
    const planOf = async (query: ReturnType<typeof sql>) => {
      const { rows } = await database.queries.execute<{ "QUERY PLAN": string }>(sql`EXPLAIN ${query}`);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    };
    expect(await planOf(sql`SELECT * FROM gateway_request_groups WHERE ids @> ARRAY['gr_long77']::text[]`)).toContain(
      "gateway_request_groups_by_id",
    );
    expect(await planOf(sql`SELECT max(day) FROM gateway_request_groups WHERE workspace_id = 'burst'`)).toContain(
      "gateway_request_groups_by_workspace",
    );
  });
});
