import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { type DashboardServer, startDashboardServer } from "../support/dashboard-server.ts";

let server: DashboardServer;
let key: string;
beforeAll(async () => {
  server = await startDashboardServer("embedded");
  ({ key } = await server.newKey(["admin"]));
});
afterAll(() => server.close());

const ask = (path: string, options: Parameters<typeof call>[1] = {}) =>
  call(`${server.url}/admin/v1${path}`, { key, ...options });

const everyRoute = [
  ["GET", "/workspaces"],
  ["POST", "/workspaces"],
  ["PATCH", "/workspaces/default"],
  ["GET", "/workspaces/default/keys"],
  ["POST", "/workspaces/default/keys"],
  ["DELETE", "/keys/key_x"],
  ["GET", "/workspaces/default/credits"],
  ["POST", "/workspaces/default/credits"],
  ["GET", "/usage"],
] as const;

describe("admin over HTTP", () => {
  it.each(everyRoute)("%s %s is for keys with the scope admin alone", async (method, path) => {
    const json = method === "POST" || method === "PATCH" ? { json: {} } : {};
    expect((await ask(path, { method, key: "parl_nobody", ...json })).status).toBe(401);
    // A key with every scope that people can give is not one that governs the installation.
    const refused = await ask(path, { method, key: server.key, ...json });
    expect([refused.status, refused.json.error.type]).toEqual([403, "forbidden"]);
  });

  it("manages two workspaces as the command line does, and the one sees what the other did", async () => {
    for (const name of ["acme", "globex"]) {
      const made = await ask("/workspaces", { json: { name } });
      expect([made.status, made.json]).toMatchObject([201, { name, gatewayPlan: "FREE", extractionPlan: "Free" }]);
    }
    expect((await ask("/workspaces", { json: { name: "acme" } })).status).toBe(409);
    const plans = { gatewayPlan: "PLUS", extractionPlan: "Starter" };
    const changed = await ask("/workspaces/acme", { method: "PATCH", json: plans });
    expect([changed.status, changed.json]).toMatchObject([200, plans]);
    const listed = (await ask("/workspaces")).json.workspaces;
    expect(listed).toContainEqual(changed.json);
    expect(JSON.parse(JSON.stringify(await server.admin("workspaces list", {})))).toEqual(listed);

    const made = await ask("/workspaces/acme/keys", { json: { name: "N", scopes: ["voices"], ratePerMinute: 7 } });
    expect([made.status, Object.keys(made.json)]).toEqual([201, ["id", "key", "scopes"]]);
    const voices = await call(`${server.url}/v1/voices`, { key: made.json.key });
    expect([voices.status, voices.headers.get("x-ratelimit-limit")]).toEqual([200, "7"]);
    const keys = (await ask("/workspaces/acme/keys")).json.keys;
    expect(keys).toMatchObject([{ id: made.json.id, workspace: "acme", name: "N", scopes: ["voices"] }]);
    expect(JSON.stringify(keys)).not.toContain(made.json.key);
    expect((await ask("/workspaces/globex/keys")).json.keys).toEqual([]);

    const granted = await ask("/workspaces/acme/credits", { json: { amount: "5.00", note: "hello" } });
    expect(granted.json).toEqual({ workspace: "acme", balance: "5.00", lifetime_spend: "0.00" });
    expect((await ask("/workspaces/acme/credits")).json).toEqual(granted.json);
    const headers = { "idempotency-key": "invoice 1007" };
    for (let time = 0; time < 2; time++) {
      const once = await ask("/workspaces/acme/credits", { json: { amount: "2.00" }, headers });
      expect(once.json.balance).toBe("7.00");
    }
    expect((await ask("/workspaces/acme/credits", { json: { amount: "3.00" }, headers })).status).toBe(409);
    expect((await ask("/workspaces/globex/credits")).json.balance).toBe("0.00");

    const usage = (await ask("/usage?workspace=acme&days=1")).json.usage;
    expect(usage).toMatchObject([{ workspace: "acme", service: "voice", route: "GET /v1/voices", requests: 1 }]);
    expect((await ask("/usage?workspace=globex")).json.usage).toEqual([]);

    expect((await ask(`/keys/${made.json.id}`, { method: "DELETE" })).json).toEqual({
      id: made.json.id,
      revoked: true,
    });
    await expect.poll(async () => (await call(`${server.url}/v1/voices`, { key: made.json.key })).status).toBe(401);
  });

  it.each([
    ["/workspaces", { json: { name: "" } }, 400, /not a workspace name/],
    ["/workspaces", { json: { name: "a\u0000b" } }, 400, /not a workspace name/],
    ["/workspaces", { json: { title: "x" } }, 400, /no field "title"/],
    ["/workspaces/nobody/keys", { json: { name: "x", scopes: ["chat"] } }, 404, /no workspace "nobody"/],
    ["/workspaces/default/keys", { json: { name: "x", scopes: ["fly"] } }, 400, /no scope "fly"/],
    ["/workspaces/default/keys", { json: { name: "", scopes: ["chat"] } }, 400, /name of 1 to 80/],
    ["/workspaces/default/keys", { json: { name: "x", scopes: ["chat"], expiresAt: "2001-01-01" } }, 400, /has passed/],
    ["/workspaces/default", { method: "PATCH", json: {} }, 400, /at least one of/],
    ["/workspaces/default", { method: "PATCH", json: { gatewayPlan: "GOLD" } }, 400, /must be one of: FREE/],
    ["/workspaces/default/credits", { json: { amount: "much" } }, 400, /not an amount/],
    ["/keys/key_nothing", { method: "DELETE" }, 404, /no key "key_nothing"/],
    ["/keys/%00", { method: "DELETE" }, 400, /cannot be stored/],
    ["/usage?days=0", {}, 400, /"days" must be at least 1/],
    ["/usage?day=3", {}, 400, /Did you mean "days"/],
    ["/nothing", {}, 404, /nothing at \/admin\/v1\/nothing/],
  ])("%s with %j is refused precisely", async (path, options, status, message) => {
    const reply = await ask(path, options);
    expect([reply.status, reply.json.error.message]).toEqual([status, expect.stringMatching(message)]);
  });

  it("is in the audit log under its key, which no role of the dashboard can make", async () => {
    const { people, root } = server;
    const { owner, workspaceId } = await people();
    const wanted = { name: "x", scopes: ["admin" as never] };
    for (const person of [owner, root]) {
      const made = person.call("createKey", { params: { workspaceId }, body: wanted });
      await expect(made).rejects.toThrow(/scopes/);
    }
    const all = await ask("/workspaces/default/keys", { json: { name: "all", scopes: ["all"] } });
    expect(all.json.scopes).not.toContain("admin");
    const { entries } = await root.call("listAllAudit", { query: { limit: 1 } });
    expect(entries[0]).toMatchObject({
      action: "key-created",
      actor: expect.stringMatching(/^API key key_/),
      target: "all",
    });
    expect(JSON.stringify(entries)).not.toContain(all.json.key);
    // An admin key is shown among its workspace's, and a limit in dollars does not stop the list.
    const { workspaces } = await root.call("listAllWorkspaces", {});
    const params = { workspaceId: workspaces.find(({ name }) => name === "default")!.id };
    await root.call("createKey", { params, body: { name: "limited", scopes: ["chat"], monthlyLimitUsd: "2.50" } });
    const shown = await root.call("listKeys", { params });
    expect(shown.keys.flatMap(({ scopes }) => scopes)).toContain("admin");
    const listed = (await ask("/workspaces/default/keys")).json.keys;
    expect(listed).toContainEqual(expect.objectContaining({ name: "limited", monthlyLimitUsd: "2.50" }));
  });
});
