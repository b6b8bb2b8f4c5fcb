import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { users } from "../../src/dashboard/tables.ts";
import { type AdminContext, runAdminCommand } from "../../src/main/commands/admin-commands.ts";
import type { Database } from "../../src/ports/database.ts";
import { databaseKinds, openTestDatabase } from "../support/databases.ts";

/** Every act of administration of the command line and of /admin/v1, with what it changes. */
const acts = [
  ["workspaces create", { name: "new" }, "SELECT count(*) AS state FROM workspaces"],
  [
    "workspaces set-plan",
    { name: "acme", gateway: "PRO" },
    "SELECT gateway_plan AS state FROM workspaces WHERE name = 'acme'",
  ],
  ["keys create", { workspace: "acme", name: "k", scopes: ["chat"] }, "SELECT count(*) AS state FROM api_keys"],
  ["keys revoke", { id: "key_old" }, "SELECT revoked_at IS NULL AS state FROM api_keys WHERE id = 'key_old'"],
  [
    "credits grant",
    { workspace: "acme", amount: "5.00" },
    "SELECT coalesce(sum(balance), 0) AS state FROM credit_accounts",
  ],
  ["users reset-link", { email: "ann@example.org" }, "SELECT count(*) AS state FROM access_links"],
] as const;

describe.each(databaseKinds)("acts of administration on the %s database", (kind) => {
  let database: Database;
  let context: AdminContext;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    const { queries } = database;
    const vault = () => Promise.reject(new Error("not needed"));
    context = { queries, flushUsage: async () => {}, vault, publicUrl: () => "http://localhost" };
    await runAdminCommand("workspaces create", { name: "acme" }, context);
    await queries.insert(users).values({ id: "usr_ann", name: "Ann", email: "ann@example.org", passwordHash: "x" });
    await queries.execute(sql`
      INSERT INTO api_keys (id, workspace_id, name, hash, hint, scopes)
      SELECT 'key_old', id, 'old', 'x', 'x', '{chat}' FROM workspaces`);
  });
  afterAll(() => database.close());

  const read = async (statement: string) => JSON.stringify((await database.queries.execute(sql.raw(statement))).rows);
  const countLines = () => read("SELECT count(*) AS lines FROM audit_log");

  async function isDoneWithItsLine(command: string, input: object, state: string) {
    const before = [await read(state), await countLines()];
    await database.queries.execute(sql`ALTER TABLE audit_log ADD CONSTRAINT broken CHECK (false) NOT VALID`);
    await expect(runAdminCommand(command, input, context)).rejects.toThrow();
    await database.queries.execute(sql`ALTER TABLE audit_log DROP CONSTRAINT broken`);
    expect([await read(state), await countLines()]).toEqual(before);

    await runAdminCommand(command, input, context);
    const after = [await read(state), await countLines()];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  }

  it.each(acts)("%s is done with its line in the audit log, or not at all", isDoneWithItsLine);

  it("a grant that failed and is repeated was given once", async () => {
    await runAdminCommand("workspaces create", { name: "thrifty" }, context);
    const grant = { workspace: "thrifty", amount: "5.00" };
    await database.queries.execute(sql`ALTER TABLE audit_log ADD CONSTRAINT broken CHECK (false) NOT VALID`);
    await expect(runAdminCommand("credits grant", grant, context)).rejects.toThrow();
    await database.queries.execute(sql`ALTER TABLE audit_log DROP CONSTRAINT broken`);
    expect(await runAdminCommand("credits grant", grant, context)).toMatchObject({ balance: "5.00" });
  });

  it("a grant whose answer was lost is given once, however often it is repeated with its reference", async () => {
    await runAdminCommand("workspaces create", { name: "patient" }, context);
    const grant = { workspace: "patient", amount: "5.00", reference: "order 17" };
    const answers = await Promise.all([1, 2, 3].map(() => runAdminCommand("credits grant", grant, context)));
    for (const answer of answers) expect(answer).toMatchObject({ balance: "5.00" });
    const other = runAdminCommand("credits grant", { ...grant, amount: "6.00" }, context);
    await expect(other).rejects.toMatchObject({ kind: "conflict" });
    const elsewhere = { ...grant, workspace: "acme", reference: "order 17" };
    const before = (await runAdminCommand("credits balance", elsewhere, context)) as { balance: string };
    const after = (await runAdminCommand("credits grant", elsewhere, context)) as { balance: string };
    expect(Number(after.balance) - Number(before.balance)).toBe(5);
  });

  // Last: it is made only while nobody has an account.
  it("setup-link is done with its line in the audit log, or not at all", async () => {
    for (const table of ["access_links", "users"]) await database.queries.execute(sql.raw(`DELETE FROM ${table}`));
    await isDoneWithItsLine("setup-link", {}, "SELECT count(*) AS state FROM access_links");
  });
});
