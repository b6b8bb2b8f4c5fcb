import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../../tests/support/databases.ts";
import type { Database } from "../ports/database.ts";
import { forgetNow } from "./forget-old-rows.ts";

const day = 86_400_000;
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase("embedded");
}, 120_000);
afterAll(() => database.close());

const fill = async () => {
  const { queries } = database;
  await queries.execute(sql`INSERT INTO workspaces (id, name) VALUES ('ws_1', 'one') ON CONFLICT DO NOTHING`);
  // Of one day each, ten before the limit and five after it.
  await queries.execute(sql`
    INSERT INTO usage_groups (day, service, route, status, at_ms, duration_ms)
    SELECT current_date - n, 'voice', 'POST /v1/speech', 200, '{1}', '{1}' FROM generate_series(396, 410) n`);
  await queries.execute(sql`
    INSERT INTO gateway_request_groups (day, workspace_id, key_id, endpoint, model, provider, upstream, cost_source, at_ms,
      input_tokens, output_tokens, cost, charge)
    SELECT current_date - n, 'ws_1', 'key_1', 'chat/completions', 'm', '', '', 'tokens', '{1}', '{1}', '{1}', '{1}', '{1}'
    FROM generate_series(396, 410) n`);
  await queries.execute(sql`
    INSERT INTO key_days SELECT 'key_1', current_date - n, 1, 1 FROM generate_series(396, 410) n`);
  await queries.execute(sql`
    INSERT INTO audit_log (id, at, actor, action)
    SELECT 'a' || n, now() - n * interval '1 day' - interval '1 hour', 'me', 'did' FROM generate_series(395, 409) n`);
  await queries.execute(sql`
    INSERT INTO jobs (id, kind, payload, state, finished_at)
    SELECT 'j' || n, 'extraction', '{}', 'completed', now() - n * interval '1 day' - interval '1 hour'
    FROM generate_series(2, 16) n`);
  await queries.execute(
    sql`INSERT INTO jobs (id, kind, payload, created_at) VALUES ('waits', 'video', '{}', '2020-01-01')`,
  );
  await queries.execute(sql`
    INSERT INTO api_keys (id, workspace_id, name, hash, hint, scopes, session_id, revoked_at)
    SELECT 'k' || n, 'ws_1', '', 'h' || n, '', '{}', 's', now() - n * interval '1 day' - interval '1 hour'
    FROM generate_series(2, 16) n`);
  await queries.execute(sql`
    INSERT INTO api_keys (id, workspace_id, name, hash, hint, scopes, revoked_at)
    VALUES ('mine', 'ws_1', '', 'mine', '', '{}', '2020-01-01')`);
  // The last of a browser that nobody used again: over without having been revoked.
  await queries.execute(sql`
    INSERT INTO api_keys (id, workspace_id, name, hash, hint, scopes, session_id, expires_at)
    VALUES ('last', 'ws_1', '', 'last', '', '{}', 's', '2020-01-01'), ('now', 'ws_1', '', 'now', '', '{}', 's', now())`);
};

async function count(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ["usage_groups", "gateway_request_groups", "key_days", "audit_log", "jobs", "api_keys"]) {
    const { rows } = await database.queries.execute<{ count: number }>(
      sql`SELECT count(*)::integer AS count FROM ${sql.identifier(table)}`,
    );
    counts[table] = rows[0]!.count;
  }
  return counts;
}

it("rows older than their time go, a few at once, and what is younger, waits or was made by a person stays", async () => {
  await fill();
  await forgetNow(database.queries, { requestsMs: 400 * day, jobsMs: 7 * day }, 3);
  expect(await count()).toEqual({
    usage_groups: 5,
    gateway_request_groups: 5,
    key_days: 5,
    audit_log: 5,
    jobs: 5 + 1,
    api_keys: 5 + 2,
  });
});

it("0 keeps everything", async () => {
  const before = await count();
  await forgetNow(database.queries, { requestsMs: 0, jobsMs: 0 });
  expect(await count()).toEqual(before);
});

it("what a key came to stays as long as a limit may add it up, however short requests are kept", async () => {
  await database.queries.execute(
    sql`INSERT INTO key_days SELECT 'key_2', current_date - n, 1, 1 FROM generate_series(0, 40) n`,
  );
  await forgetNow(database.queries, { requestsMs: day, jobsMs: 0 });
  const { rows } = await database.queries.execute<{ days: number }>(
    sql`SELECT count(*)::integer AS days FROM key_days WHERE key_id = 'key_2'`,
  );
  expect(rows).toEqual([{ days: 33 }]);
});
