import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { tokenOf } from "../support/dashboard-client.ts";
import { type DashboardServer, emailOf, password, startDashboardServer } from "../support/dashboard-server.ts";
import { databaseKinds } from "../support/databases.ts";
import { completion, type FakeUpstream, sendJson, startFakeUpstream } from "../support/fake-upstream.ts";

describe.each(databaseKinds)("the dashboard on the %s database", (kind) => {
  let server: DashboardServer;
  let upstream: FakeUpstream;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    server = await startDashboardServer(kind, { SVC_GATEWAY_UPSTREAM_URL: upstream.url });
  });
  afterAll(async () => {
    await server.close();
    await upstream.close();
  });

  describe("a workspace", () => {
    it("always keeps an owner, whatever happens at once", async () => {
      const { owner, workspaceId } = await server.people();
      const { root } = server;
      const [first, second] = await Promise.all([
        owner.ask("leaveWorkspace", { params: { workspaceId } }),
        root.ask("leaveWorkspace", { params: { workspaceId } }),
      ]);
      const codes = [first, second].map(({ status, json }) => (status === 200 ? "left" : json.error.code));
      expect(codes.sort()).toEqual(["last_owner", "left"]);
    });

    it("is managed by admins up to their own rank", async () => {
      const { owner, admin, member, workspaceId } = await server.people();
      const { members } = await owner.call("listMembers", { params: { workspaceId } });
      const idOf = async (person: typeof owner) => (await person.call("getStart", {})).user!.id;
      const [ownerId, memberId] = [await idOf(owner), await idOf(member)];
      expect(members).toHaveLength(4);
      const change = (by: typeof owner, userId: string, role: "owner" | "admin" | "member") =>
        by.ask("changeRole", { params: { workspaceId, userId }, body: { role } });
      expect((await change(admin, ownerId, "member")).status).toBe(403);
      expect((await change(admin, memberId, "owner")).status).toBe(403);
      expect((await change(admin, memberId, "admin")).json.role).toBe("admin");
      expect((await admin.ask("removeMember", { params: { workspaceId, userId: ownerId } })).status).toBe(403);
      expect((await admin.ask("removeMember", { params: { workspaceId, userId: memberId } })).status).toBe(200);
      expect((await member.ask("getWorkspace", { params: { workspaceId } })).status).toBe(404);
    });
  });

  describe("keys", () => {
    it("work at once, are told once, and stop at once", async () => {
      const { member, admin, workspaceId } = await server.people();
      const params = { workspaceId };
      const made = await member.call("createKey", {
        params,
        body: { name: "app", scopes: ["voices", "speech"], ratePerMinute: 3 },
      });
      const voices = () => call(`${server.url}/v1/voices`, { key: made.secret });
      expect((await voices()).status).toBe(200);
      expect((await voices()).headers.get("x-ratelimit-limit")).toBe("3");
      expect((await voices()).status).toBe(200);
      expect((await voices()).status).toBe(429);
      const listed = await member.ask("listKeys", { params });
      expect(listed.text).not.toContain(made.secret);
      expect(listed.json.keys[0]).toMatchObject({
        name: "app",
        hint: made.secret.slice(-4),
        state: "active",
        last30Days: { requests: 4, errors: 1 },
        isYours: true,
      });
      expect(listed.json.keys[0].lastUsedAt).not.toBeNull();
      const keyId = made.key.id;
      const renamed = await admin.call("updateKey", { params: { workspaceId, keyId }, body: { name: "new name" } });
      expect(renamed).toMatchObject({ name: "new name", ratePerMinute: 3 });
      await admin.call("revokeKey", { params: { workspaceId, keyId } });
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect((await voices()).status).toBe(401);
      const theirs = await admin.call("createKey", { params, body: { name: "ops", scopes: ["speech"] } });
      const others = { params: { workspaceId, keyId: theirs.key.id } };
      expect((await member.ask("revokeKey", others)).status).toBe(403);
      const past = { name: "late", scopes: ["speech"], expiresAt: "2020-01-01T00:00:00Z" };
      expect((await member.ask("createKey", { params, body: past })).json.error.field).toBe("expiresAt");
    });

    it("stop at what they may cost in a month, with a 402 that says so, and never go beyond it", async () => {
      const { owner, workspaceId } = await server.people();
      const admin = { params: { workspaceId } };
      await server.root.call("setPlans", { ...admin, body: { gatewayPlan: "PLUS" } });
      await server.root.call("grantCredits", { ...admin, body: { amountUsd: "5", note: "for the test" } });
      // Each costs 0.00012 with the markup, and holds up to 0.00013.
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.0001 };
      upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
      const { secret, key } = await owner.call("createKey", {
        ...admin,
        body: { name: "capped", scopes: ["gateway:read"], monthlyLimitUsd: "0.0006" },
      });
      const body = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
      const ask = () => call(`${server.url}/gateway/v1/chat/completions`, { key: secret, json: body });
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      const refused = answers.find(({ status }) => status === 402);
      expect(refused?.json.error.message).toContain("limit of $0.0006 a month");
      for (let n = 0; n < 10; n++) await ask();
      const { keys } = await owner.call("listKeys", admin);
      const capped = keys.find(({ id }) => id === key.id)!;
      expect(Number(capped.spentThisMonthUsd)).toBeGreaterThan(0.0003);
      expect(Number(capped.spentThisMonthUsd)).toBeLessThanOrEqual(0.0006);
      await owner.call("updateKey", { params: { workspaceId, keyId: key.id }, body: { monthlyLimitUsd: null } });
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect((await ask()).status).toBe(200);
      const spend = await owner.call("getSpend", { ...admin, query: { groupBy: "model" } });
      expect(spend.rows).toMatchObject([{ period: "acme/chat", provider: "acme" }]);
      expect(spend.totals.chargeUsd).toBe((await owner.call("getCredits", admin)).spentThisMonthUsd);
      const csv = await owner.ask("downloadSpend", { ...admin, query: { groupBy: "model" } });
      expect(csv.text.split("\r\n")[0]).toBe("model,provider,requests,input_tokens,output_tokens,cost_usd,charge_usd");
      expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="spend-.*\.csv"$/);
    });

    it("of the playground are real, hidden, counted, and end with the session", async () => {
      const { member, owner, workspaceId } = await server.people();
      const params = { workspaceId };
      const { secret, expiresAt } = await member.call("createPlaygroundKey", { params });
      expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
      const voices = () => call(`${server.url}/v1/voices`, { key: secret });
      expect((await voices()).status).toBe(200);
      expect((await owner.call("listKeys", { params })).keys).toEqual([]);
      const { requests } = await owner.call("listRequests", { params, query: {} });
      expect(requests).toMatchObject([{ route: "GET /v1/voices", status: 200, key: "playground" }]);
      await member.call("signOut", {});
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect((await voices()).status).toBe(401);
    });
  });

  describe("usage and credits", () => {
    it("are told by day, key and route, live, in pages and as a file", async () => {
      const { owner, workspaceId } = await server.people();
      const params = { workspaceId };
      const { secret } = await owner.call("createKey", { params, body: { name: "=app", scopes: ["voices"] } });
      const tail = await fetch(`${server.url}/dashboard/api/workspaces/${workspaceId}/requests/live`, {
        headers: { cookie: owner.cookie },
      });
      const events = tail.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let n = 0; n < 3; n++) await call(`${server.url}/v1/voices`, { key: secret });
      await call(`${server.url}/v1/personas`, { key: secret });
      let seen = "";
      while (!seen.includes('"route":"GET /v1/personas"')) seen += (await events.read()).value ?? "";
      await events.cancel();
      expect(seen).toContain('"key":"=app"');

      const whole = await owner.call("getUsage", { params, query: {} });
      expect(whole.periods).toHaveLength(30);
      expect(whole.groups).toMatchObject([{ value: "all", totals: { requests: 4 } }]);
      expect(whole.totals.p95Ms).toBeGreaterThanOrEqual(whole.totals.p50Ms!);
      const routes = await owner.call("getUsage", { params, query: { split: "route", step: "month" } });
      expect(routes.groups.map(({ value, totals }) => [value, totals.requests])).toEqual([
        ["GET /v1/voices", 3],
        ["GET /v1/personas", 1],
      ]);
      const keys = await owner.call("getUsage", { params, query: { split: "key", step: "week" } });
      expect(keys.groups).toMatchObject([{ label: "=app" }]);
      const csv = await owner.ask("downloadUsage", { params, query: { split: "key", step: "month" } });
      expect(csv.headers.get("content-type")).toContain("text/csv");
      expect(csv.text).toContain(",'=app,4,");

      const first = await owner.call("listRequests", { params, query: { limit: 3 } });
      expect(first.requests).toHaveLength(3);
      const rest = await owner.call("listRequests", { params, query: { limit: 3, cursor: first.nextCursor! } });
      expect([...first.requests, ...rest.requests].map(({ route }) => route).sort()).toEqual([
        "GET /v1/personas",
        "GET /v1/voices",
        "GET /v1/voices",
        "GET /v1/voices",
      ]);
      expect(rest.nextCursor).toBeNull();
    });

    it("warn below the balance that somebody has set, and tell where money came from", async () => {
      const { admin, workspaceId } = await server.people();
      const params = { workspaceId };
      expect(await admin.call("getCredits", { params })).toMatchObject({ balanceUsd: "0.00", isLow: false });
      expect(await admin.call("setLowBalance", { params, body: { lowBalanceUsd: "2.5" } })).toMatchObject({
        lowBalanceUsd: "2.50",
        isLow: true,
      });
      await server.root.call("grantCredits", { params, body: { amountUsd: "2", note: "a start" } });
      await server.root.call("grantCredits", { params, body: { amountUsd: "3", note: "and more" } });
      expect(await admin.call("getCredits", { params })).toMatchObject({ balanceUsd: "5.00", isLow: false });
      const page = await admin.call("listCreditHistory", { params, query: { limit: 1 } });
      expect(page.entries).toMatchObject([{ kind: "grant", amountUsd: "3.00", note: "and more" }]);
      const next = await admin.call("listCreditHistory", { params, query: { limit: 1, cursor: page.nextCursor! } });
      expect(next).toMatchObject({ entries: [{ note: "a start" }], nextCursor: null });
    });
  });

  it("the catalog lists models with their prices, voices and languages", async () => {
    const { root } = server;
    const { models, problem } = await root.call("listModels", {});
    expect(problem).toBeNull();
    expect(models.find(({ id }) => id === "acme/chat")).toMatchObject({
      inputPerMillionUsd: "1.20",
      outputPerMillionUsd: "2.40",
      isLocal: false,
    });
    expect(models.some(({ isLocal }) => isLocal)).toBe(true);
    const { languages } = await root.call("listLanguages", {});
    const english = languages.find(({ code }) => code === "en-us")!;
    expect(english.voices).toBeGreaterThan(3);
    expect(english.heard).toBe("yes");
    expect(english.translatesInto.map(({ code }) => code)).toContain("de");
  });

  it.runIf(kind === "embedded")("a voice can be heard, and is spoken once", async () => {
    const { root } = server;
    const { languages } = await root.call("listVoices", {});
    const { code, voices } = languages.find(({ code }) => code === "es")!;
    const params = { language: code, voice: voices[0]!.id };
    const sample = await root.ask("playVoice", { params });
    expect(sample).toMatchObject({ status: 200 });
    expect(sample.headers.get("content-type")).toBe("audio/wav");
    expect(sample.json.subarray(0, 4).toString()).toBe("RIFF");
    expect(sample.json.length).toBeGreaterThan(40_000);
    // No two takes of this voice are alike.
    expect((await root.ask("playVoice", { params })).json.equals(sample.json)).toBe(true);
  });

  it("the owner of the installation sees its state, and no secret of it", async () => {
    const { root } = server;
    const { engines } = await root.call("listEngines", {});
    expect(engines.map(({ capability }) => capability)).toContain("speech");
    const { models } = await root.call("listModelFiles", {});
    expect(models.find(({ id }) => id === "kokoro-82m")).toMatchObject({ licence: "Apache-2.0" });
    const { settings } = await root.call("listSettings", {});
    expect(settings.find(({ name }) => name === "SVC_GATEWAY_UPSTREAM_URL")).toMatchObject({
      value: upstream.url,
      source: "environment",
    });
    expect(settings.find(({ name }) => name === "SVC_DATABASE_URL")).toMatchObject({ value: null, isSecret: true });
    expect(await root.call("getHealth", {})).toMatchObject({ database: { kind, isUp: true }, troubles: {} });
    const { workspaces } = await root.call("listAllWorkspaces", {});
    expect(workspaces[0]).toMatchObject({ name: "default", gatewayPlan: "PLUS", members: 1 });
    const { users } = await root.call("listUsers", {});
    expect(users[0]).toMatchObject({ email: "root@example.org", isInstallationOwner: true });
  });

  it("everything that was administered is in the audit log, without a secret", async () => {
    const { owner, workspaceId } = await server.people();
    const params = { workspaceId };
    const { secret } = await owner.call("createKey", { params, body: { name: "audited", scopes: ["speech"] } });
    const { url } = await owner.call("createInvitation", {
      params,
      body: { email: "audited@example.org", role: "member" },
    });
    const page = await owner.call("listAudit", { params, query: {} });
    expect(page.entries[0]).toMatchObject({
      action: "invitation-created",
      target: "audited@example.org",
      actorEmail: await emailOf(owner),
      address: owner.address,
    });
    expect(page.entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["key-created", "member-joined", "workspace-created"]),
    );
    let cursor: string | undefined;
    const everything: string[] = [];
    do {
      const next = await server.root.call("listAllAudit", { query: { limit: 200, ...(cursor ? { cursor } : {}) } });
      everything.push(JSON.stringify(next.entries));
      cursor = next.nextCursor ?? undefined;
    } while (cursor);
    for (const hidden of [secret, tokenOf(url), password, "argon2"]) {
      expect(everything.join()).not.toContain(hidden);
    }
    expect(everything.join()).toContain("credits-granted");
  });
});
