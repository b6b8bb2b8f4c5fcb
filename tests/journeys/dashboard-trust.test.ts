import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardServer, emailOf, password, startDashboardServer } from "../support/dashboard-server.ts";
import { databaseKinds } from "../support/databases.ts";

describe.each(databaseKinds)("limits and failed sign-ins on the %s database", (kind) => {
  let server: DashboardServer;
  beforeAll(async () => {
    server = await startDashboardServer(kind);
  });
  afterAll(() => server.close());

  it("a member sets the limits of their key until an admin does, and can then rename and revoke it only", async () => {
    const { admin, member, workspaceId } = await server.people();
    const body = { name: "app", scopes: ["gateway:read" as const], dailyLimitUsd: "5.00" };
    const { key } = await member.call("createKey", { params: { workspaceId }, body });
    const params = { workspaceId, keyId: key.id };
    expect(await member.call("updateKey", { params, body: { dailyLimitUsd: "9.00" } })).toMatchObject({
      dailyLimitUsd: "9.00",
      rulesByAdmin: false,
    });
    await admin.call("updateKey", { params, body: { dailyLimitUsd: "1.00", models: ["local/*"] } });
    for (const lifted of [{ dailyLimitUsd: null }, { dailyLimitUsd: "2.00" }, { models: null }, { ratePerMinute: 9 }])
      expect((await member.ask("updateKey", { params, body: lifted })).status).toBe(403);
    // The form sends every limit along; those that stay as they are need no permission.
    const renamed = { name: "mine", dailyLimitUsd: "1", models: ["local/*"], ratePerMinute: null };
    expect(await member.call("updateKey", { params, body: renamed })).toMatchObject({
      name: "mine",
      dailyLimitUsd: "1.00",
      rulesByAdmin: true,
    });
    // An admin who takes every limit away leaves the key to its member again.
    await admin.call("updateKey", { params, body: { dailyLimitUsd: null, models: null } });
    expect((await member.ask("updateKey", { params, body: { dailyLimitUsd: "3.00" } })).status).toBe(200);
    expect((await member.ask("revokeKey", { params })).status).toBe(200);
  });

  it("failed sign-ins are in the audit log: whose account, from where, and nothing that was typed", async () => {
    const { member } = await server.people();
    const email = await emailOf(member);
    const guesser = server.browser();
    const guess = (address: string, typed: string) =>
      guesser.ask("signIn", { body: { email: address, password: typed } });
    for (let n = 0; n < 4; n++) expect((await guess(email, "secret guess")).status).toBe(401);
    await guess("nobody.at.all@example.org", "secret guess");
    const read = async () => {
      const { entries } = await server.root.call("listAllAudit", { query: { limit: 50 } });
      return entries.filter(({ action, address }) => action === "sign-in-failed" && address === guesser.address);
    };
    await expect.poll(async () => (await read()).length).toBe(2);
    const failures = await read();
    expect(failures).toContainEqual(
      expect.objectContaining({ actor: "a stranger", target: email, details: { reason: "wrong-password" } }),
    );
    expect(failures).toContainEqual(expect.objectContaining({ target: null, details: { reason: "no-account" } }));
    expect(JSON.stringify(failures)).not.toMatch(/secret guess|nobody\.at\.all/);
    expect((await server.browser().ask("signIn", { body: { email, password } })).status).toBe(200);
  });
});
