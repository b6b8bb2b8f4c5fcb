import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDollars } from "../../src/credits/money.ts";
import { call } from "../support/call.ts";
import { createPostgresDatabase, databaseKinds } from "../support/databases.ts";
import {
  chunk,
  completion,
  event,
  type FakeUpstream,
  openEvents,
  sendJson,
  startFakeUpstream,
} from "../support/fake-upstream.ts";
import { type GatewayServer, startGatewayServer } from "../support/gateway-server.ts";
import { startCli } from "../support/run-cli.ts";
import { startServer } from "../support/start-server.ts";

const path = "/v1/chat/completions";
const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.0001 };

interface Audited {
  workspace: string;
  balance: string;
  in_use: string;
  verdict: string;
}

describe.each(databaseKinds)("money on the %s database", (kind) => {
  let upstream: FakeUpstream;
  let server: GatewayServer;
  let drop = async () => {};
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    const env: Record<string, string> = { SVC_GATEWAY_UPSTREAM_URL: upstream.url };
    if (kind === "postgres") {
      const created = await createPostgresDatabase();
      env.SVC_DATABASE_URL = created.url;
      drop = created.drop;
    }
    server = await startGatewayServer(env);
  });
  afterAll(async () => {
    await server.close();
    await upstream.close();
    await drop();
  });

  it("is never overdrawn by a thousand requests at once on a balance that covers fifty", async () => {
    upstream.on(path, (_request, response) => {
      setTimeout(() => sendJson(response, completion(usage)), 20);
    });
    // Each costs 0.00012.
    const { key, name } = await server.newAccount("0.006");
    const pool = new Pool(server.url, { connections: 250 });
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, async () => {
        const { statusCode, body } = await pool.request({
          method: "POST",
          path: "/gateway/v1/chat/completions",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(wanted),
        });
        await body.dump();
        return statusCode;
      }),
    );
    await pool.close();
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThan(10);
    expect(served).toBeLessThanOrEqual(50);
    expect(parseDollars(await server.balance(key))).toBe(
      parseDollars("0.006") - BigInt(served) * parseDollars("0.00012"),
    );
    const audit = await server.admin<Audited[]>("credits audit", {});
    expect(audit.find(({ workspace }) => workspace === name)?.verdict).toBe("right");
  });

  it("is in the report to the last decimal, and totals are the sums of rows", async () => {
    let turn = 0;
    upstream.on(path, (_request, response) => {
      turn += 1;
      sendJson(
        response,
        completion({
          prompt_tokens: turn,
          completion_tokens: 2,
          total_tokens: 2 + turn,
          cost: Number(`${turn}.001e-9`),
        }),
      );
    });
    const { key } = await server.newAccount("5");
    for (let n = 0; n < 7; n++) await call(`${server.base}/chat/completions`, { key, json: wanted });
    const today = new Date().toISOString().slice(0, 10);
    for (const [group, period] of [
      ["day", today],
      ["model", "acme/chat"],
      ["provider", "acme"],
    ] as const) {
      const { status, json, text } = await call(
        `${server.base}/report?group_by=${group}&start_date=${today}&end_date=${today}`,
        { key },
      );
      expect(status).toBe(200);
      expect(json).toMatchObject({ object: "report", group_by: group });
      expect(json.data).toHaveLength(1);
      expect(json.data[0]).toMatchObject({ period, input_tokens: 28, output_tokens: 14, requests: 7 });
      expect(text).toContain('"cost_usd":0.000000028007,"svc_cost_usd":0.000000033614');
      expect(json.totals).toMatchObject({ cost_usd: json.data[0].cost_usd, svc_cost_usd: json.data[0].svc_cost_usd });
      expect(typeof json.data[0].model).toBe("string");
    }
    expect(await server.balance(key)).toBe("4.999999966386");
  });

  it("reports nothing for days without requests, and refuses days that are none", async () => {
    const { key } = await server.newAccount("5");
    const empty = await call(`${server.base}/report?start_date=2020-01-01&end_date=2020-01-31`, { key });
    expect(empty.json).toEqual({
      object: "report",
      group_by: "day",
      data: [],
      totals: { input_tokens: 0, output_tokens: 0, cost_usd: 0, svc_cost_usd: 0, requests: 0 },
    });
    for (const query of [
      "start_date=2020-02-30",
      "start_date=0000-01-01",
      "start_date=yesterday",
      "start_date=2020-02-02&end_date=2020-02-01",
      "group_by=hour",
    ]) {
      const { status, json } = await call(`${server.base}/report?${query}`, { key });
      expect([status, json.error.type]).toEqual([400, "invalid_request"]);
    }
  });

  it("of one workspace is not seen by another", async () => {
    upstream.on(path, (_request, response) => sendJson(response, completion(usage)));
    const [mine, theirs] = [await server.newAccount("1"), await server.newAccount("1")];
    await call(`${server.base}/chat/completions`, { key: mine.key, json: wanted });
    expect((await call(`${server.base}/report`, { key: theirs.key })).json.data).toEqual([]);
    expect(await server.balance(theirs.key)).toBe("1.00");
  });

  it("is not charged twice for a repeated Idempotency-Key, whose reply comes again", async () => {
    let count = 0;
    let letGo = () => {};
    const isHeld = new Promise<void>((held) => {
      upstream.on(path, (_request, response) => {
        count += 1;
        letGo = () => sendJson(response, completion(usage, { id: `gen_${count}` }));
        held();
      });
    });
    const { key } = await server.newAccount("1");
    const ask = (json: object) =>
      call(`${server.base}/chat/completions`, { key, json, headers: { "idempotency-key": "once" } });
    const running = ask(wanted);
    await isHeld;
    const twin = await ask(wanted);
    letGo();
    const first = await running;
    expect(first.status).toBe(200);
    expect([twin.status, twin.json.error.type]).toEqual([409, "conflict"]);
    const again = await ask(wanted);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await ask({ ...wanted, max_tokens: 51 })).status).toBe(409);
    expect(count).toBe(1);
    expect(await server.balance(key)).toBe("0.99988");
  });
});

describe("a server that is killed", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "parlance-killed-"));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it("loses no charge and no hold: the next start puts its books in order", async () => {
    const upstream = await startFakeUpstream();
    const env = {
      SVC_DATA_DIR: dataDir,
      SVC_GATEWAY_UPSTREAM_URL: upstream.url,
      SVC_GATEWAY_UPSTREAM_KIND: "openrouter",
      SVC_GATEWAY_RATE_PER_MINUTE: "1000000",
    };
    const prepared = await startServer(env);
    const { key } = prepared;
    await prepared.close();

    let started = 0;
    upstream.on(path, (_request, response) => {
      started += 1;
      if (started % 3 === 0) {
        openEvents(response);
        response.write(event(chunk("never ending", { id: `gen_open_${started}` })));
      } else setTimeout(() => sendJson(response, completion(usage)), 5);
    });
    upstream.on("/v1/generation", (request, response) => {
      sendJson(response, { data: { id: request.path, total_cost: 0.00005, tokens_prompt: 7, tokens_completion: 3 } });
    });
    const child = startCli(["serve", "--port", "0"], { ...env, SVC_LOG_LEVEL: "silent" });
    const base = `${/http:\/\/\S+:\d+/.exec(await child.seen(/http:\/\/\S+:\d+/))![0]}/gateway/v1`;
    let served = 0;
    let streams = 0;
    const clients = Array.from({ length: 6 }, async () => {
      for (;;) {
        try {
          const response = await fetch(`${base}/chat/completions`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            body: JSON.stringify(wanted),
          });
          if (response.headers.get("content-type")?.includes("event-stream")) {
            streams += 1;
            await response.body!.getReader().read();
            continue;
          }
          await response.text();
          if (response.status === 200) served += 1;
        } catch {
          return;
        }
      }
    });
    for (const deadline = Date.now() + 60_000; Date.now() < deadline && (served <= 20 || streams <= 5); ) {
      await new Promise((done) => setTimeout(done, 100));
    }
    child.process.kill("SIGKILL");
    await Promise.all(clients);
    expect(served).toBeGreaterThan(20);
    expect(streams).toBeGreaterThan(5);

    const next = await startServer(env);
    try {
      const count = async () => (await call(`${next.url}/gateway/v1/report?group_by=model`, { key })).json.totals;
      // Replies that reached their client were on record before they left; one per client may have been on its way.
      const { requests } = await count();
      expect(requests).toBeGreaterThanOrEqual(served);
      expect(requests).toBeLessThanOrEqual(served + 6);
      // Streams that were cut off are looked up by their name.
      const deadline = Date.now() + 60_000;
      let audit = await next.admin<Audited[]>("credits audit", {});
      while (audit.some(({ in_use }) => in_use !== "0.00") && Date.now() < deadline) {
        await new Promise((done) => setTimeout(done, 500));
        audit = await next.admin<Audited[]>("credits audit", {});
      }
      expect(audit.map(({ verdict, in_use }) => [verdict, in_use])).toEqual([["right", "0.00"]]);
      const totals = await count();
      expect(totals.requests).toBeGreaterThanOrEqual(requests + streams - 6);
      const spent =
        BigInt(Math.round(requests)) * parseDollars("0.00012") +
        BigInt(totals.requests - requests) * parseDollars("0.00006");
      expect(parseDollars(audit[0]!.balance)).toBe(parseDollars("10") - spent);
    } finally {
      await next.close();
      await upstream.close();
    }
  });
});
