import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate, readMigrations } from "../../src/adapters/database/migrate.ts";
import type { Database } from "../../src/ports/database.ts";
import { databaseKinds, openTestDatabase } from "../support/databases.ts";

const views = ["usage_records", "gateway_requests"];
/** What requests of before have nothing to say about. */
const laterColumns = sql.raw("'day', 'tag', 'id'");

describe.each(databaseKinds)("requests from before they were kept in groups, on the %s database", (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(
      kind,
      readMigrations().filter(({ version }) => version < 505),
    );
    await database.queries.execute(sql`
      INSERT INTO usage_records (at, workspace_id, key_id, service, route, status, duration_ms, voice, language, model,
        input_tokens, output_tokens, cached_tokens, audio_ms)
      VALUES ('2026-01-31T23:59:59.999Z', 'w', 'k', 'voice', 'POST /a', 200, 5, NULL, NULL, 'm', 1, 2, NULL, NULL),
        ('2026-02-01T00:00:00.000Z', 'w', 'k', 'voice', 'POST /a', 200, 6, NULL, NULL, 'm', 3, NULL, 4, NULL),
        ('2026-02-01T00:00:00.001Z', 'w', 'k', 'voice', 'POST /a', 200, 7, NULL, NULL, 'm', NULL, 8, NULL, NULL),
        ('2026-02-01T00:01:00.000Z', 'w', 'k', 'voice', 'POST /b', 400, 8, 'v', 'en-us', NULL, NULL, NULL, NULL, 900),
        ('2026-02-01T00:01:00.001Z', NULL, NULL, 'voice', 'POST /b', 401, 9, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`);
    await database.queries.execute(sql`
      INSERT INTO gateway_requests (at, workspace_id, key_id, endpoint, model, provider, upstream, input_tokens, output_tokens,
        cost, charge, cost_source)
      VALUES ('2026-01-31T23:59:59.999Z', 'w', 'k', 'e', 'm', 'p', 'u', 1, 2, 9007199254740993, 9007199254740995, 'reported'),
        ('2026-02-01T12:34:56.789Z', 'w', 'k', 'e', 'm', 'p', 'u', 1000000000000, 4, 5, 6, 'reported'),
        ('2026-02-01T12:34:56.790Z', 'w', 'k', 'e', 'm', 'p', 'u', 7, 8, 9, 10, 'reported'),
        ('2026-02-01T12:34:56.790Z', 'w', 'k', 'e', 'm', 'p', 'u', 7, 8, 9, 10, 'free')`);
  });
  afterAll(() => database.close());

  it("are each as they were after the upgrade, under the old names and of the same types", async () => {
    const before = await describeTables();
    expect(await migrate(database)).toContain("0505_request_groups");
    expect(await describeTables()).toEqual(before);
    const { rows } = await database.queries.execute(sql`SELECT count(*)::integer AS groups FROM usage_groups`);
    expect(rows).toEqual([{ groups: 4 }]);
  });

  async function describeTables() {
    const found = [];
    for (const view of views) {
      const columns = await database.queries.execute<{ column_name: string; data_type: string }>(sql`
        SELECT column_name, data_type FROM information_schema.columns
        WHERE table_name = ${view} AND column_name NOT IN (${laterColumns}) ORDER BY column_name`);
      const names = sql.raw(columns.rows.map(({ column_name }) => column_name).join(", "));
      const records = await database.queries.execute(
        sql`SELECT ${names} FROM ${sql.raw(view)} ORDER BY at, ${sql.raw(view === "usage_records" ? "route" : "cost_source")}`,
      );
      found.push({ columns: columns.rows, records: records.rows });
    }
    return found;
  }
});
