import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashSecret } from "../../src/platform/ids.ts";
import { call } from "../support/call.ts";
import { createPostgresDatabase, postgresUrl } from "../support/databases.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

/** What the last released version left in a database, and what it says to it; scripts/record-version.ts renews it. */
const fixtures = resolve(import.meta.dirname, "../fixtures/former-version");
const dump = readFileSync(join(fixtures, "database.sql"), "utf8");
const statements = readFileSync(join(fixtures, "statements.sql"), "utf8").split(/;\n/).slice(0, -1);
const key = /Its key: (\S+)/.exec(dump)![1]!;

interface Column {
  readonly type: string;
  /** No row can do without it. */
  readonly isDemanded: boolean;
}

describe.skipIf(!postgresUrl)("a database of the former version that a new server has taken", () => {
  let database: { url: string; drop(): Promise<void> };
  let client: pg.Client;
  let server: TestServer;
  let before: Record<string, Column>;
  let interrupted: string;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(dump);
    // As if it had been just now: documents are kept for a while only.
    const { rows } = await client.query("UPDATE extractions SET created_at = now() RETURNING id, status");
    interrupted = rows.find(({ status }) => status === "processing").id;
    before = await columns();
    server = await startServer({ SVC_DATABASE_URL: database.url, SVC_ENGINES: "extraction" });
  });
  afterAll(async () => {
    await server?.close();
    await client?.end();
    await database?.drop();
  });

  it("has everything that was in it: keys, credits, usage and results", async () => {
    const credits = await call(`${server.url}/gateway/v1/credits`, { key });
    expect([credits.status, credits.json.balance]).toEqual([200, "9.99964"]);
    expect(await server.admin("credits audit", {})).toMatchObject([{ verdict: "right" }]);
    const { rows } = await client.query(
      "SELECT count(*)::int AS requests, sum(charge)::text AS charge FROM gateway_requests",
    );
    expect(rows).toEqual([{ requests: 3, charge: "360000000" }]);
    const { json } = await call(`${server.url}/extraction/v1/extractions`, { key });
    expect(json.extractions).toHaveLength(2);
  });

  it("finishes the document that a server of the former version died with", async () => {
    const find = () => call(`${server.url}/extraction/v1/extractions/${interrupted}`, { key });
    await expect.poll(async () => (await find()).json.status, { timeout: 60_000 }).toBe("completed");
    expect((await find()).json.data.invoice_number).toBe("2");
  });

  it("still has every table and column of it, of the same type, and demands no others", async () => {
    const now = await columns();
    const changed = Object.entries(before).filter(([name, { type }]) => now[name]?.type !== type);
    expect(changed).toEqual([]);
    const tables = new Set(Object.keys(before).map((name) => name.split(".")[0]));
    const demanded = Object.entries(now).filter(
      ([name, { isDemanded }]) => isDemanded && !before[name]?.isDemanded && tables.has(name.split(".")[0]),
    );
    expect(demanded).toEqual([]);
  });

  it("understands every statement of it", async () => {
    expect(statements.length).toBeGreaterThan(150);
    const refused: string[] = [];
    for (const text of statements) {
      const isUnderstood = client.query(`PREPARE one AS ${text}`).then(() => client.query("DEALLOCATE one"));
      await isUnderstood.catch((error: Error) => refused.push(`${error.message}: ${text}`));
    }
    expect(refused).toEqual([]);
  });

  it("serves a server of it beside the new one: keys, credits, usage and jobs are written and read as before", async () => {
    const { rows: found } = await client.query("SELECT id FROM workspaces");
    const workspace = found[0].id;
    const made = "parl_madeByAServerOfTheFormerVersion00000000";
    await say(
      'insert into "api_keys"',
      "key_former",
      workspace,
      "made",
      hashSecret(made),
      "0000",
      ["gateway:read"],
      null,
      null,
      null,
      null,
    );
    expect((await call(`${server.url}/gateway/v1/credits`, { key: made })).status).toBe(200);

    const price = 120_000_000;
    await say('update "credit_accounts" set "leased" = "credit_accounts"."leased" + $1', price, workspace);
    await say('insert into "credit_leases"', "run_former", workspace, price, price);
    const spent = [{ id: "cr_former", workspace, amount: String(price), owed: "0", note: "1 request" }];
    await say("WITH spent AS", JSON.stringify(spent), "run_former", "run_former");
    expect(await server.admin("credits audit", {})).toMatchObject([{ verdict: "right" }]);
    expect((await call(`${server.url}/gateway/v1/credits`, { key })).json.balance).toBe("9.99952");

    const group = { day: "2026-11-17", workspaceId: workspace, service: "voice", route: "GET /former", status: 200 };
    const figures = { atMs: "{1}", durationMs: "{2}" };
    await say("WITH news AS ( INSERT INTO usage_marks", "usage_former", 1, JSON.stringify([{ ...group, ...figures }]));
    const { rows: usage } = await client.query("SELECT duration_ms FROM usage_records WHERE route = 'GET /former'");
    expect(usage).toEqual([{ duration_ms: 2 }]);

    await say("INSERT INTO jobs", "job_former", "former", workspace, null, "{}", new Date(0), 3);
    const claimed = await say("WITH busy AS", "former", 15_000, "former", "{}", 1, "{}");
    expect(claimed).toMatchObject([{ id: "job_former", attempt: 1 }]);
    await say("UPDATE jobs SET state = $1, error = $2", "completed", null, "job_former", 1);
    const { rows: jobs } = await client.query("SELECT state FROM jobs WHERE id = 'job_former'");
    expect(jobs).toEqual([{ state: "completed" }]);
  });

  /** The first statement of the former version that begins so and has as many parameters. */
  async function say(start: string, ...values: unknown[]): Promise<unknown[]> {
    const text = statements.find((one) => one.startsWith(start) && countParameters(one) === values.length);
    if (!text) throw new Error(`No statement with ${values.length} parameters begins with: ${start}`);
    return (await client.query(text, values)).rows;
  }

  /** Of all tables and views, by table.column. */
  async function columns(): Promise<Record<string, Column>> {
    const { rows } = await client.query(`
      SELECT table_name || '.' || column_name AS name, data_type || ' ' || udt_name AS type,
        is_nullable = 'NO' AND column_default IS NULL AS "isDemanded"
      FROM information_schema.columns WHERE table_schema = 'public'`);
    return Object.fromEntries(rows.map(({ name, ...column }) => [name, column]));
  }
});

function countParameters(statement: string): number {
  return Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
}
