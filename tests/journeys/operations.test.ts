import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { call, form } from "../support/call.ts";
import { makeKey, startCli } from "../support/run-cli.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const metricsToken = "a-token-for-whoever-scrapes";
let server: TestServer;
let collector: http.Server;
const spans: { name: string; traceId: string }[] = [];

beforeAll(async () => {
  collector = http.createServer((request, reply) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      spans.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
      reply.end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as { port: number };
  server = await startServer({
    SVC_OTLP_URL: `http://127.0.0.1:${port}`,
    SVC_RATE_PER_MINUTE: "60",
    SVC_METRICS_TOKEN: metricsToken,
  });
});
afterAll(() => {
  collector.close();
});

describe("operators", () => {
  it("see that the process lives and which engines are ready, loading or missing and why", async () => {
    expect((await call(`${server.url}/healthz`)).json).toMatchObject({ status: "ok" });
    const { status, json } = await call(`${server.url}/readyz`);
    // The server can do without Debian's packages for more languages.
    const needed = json.engines.filter(({ engine }: { engine: string }) => engine !== "apertium");
    const isMissing = needed.some(({ state }: { state: string }) => state === "missing" || state === "failed");
    expect([status, json.status]).toEqual(isMissing ? [503, "unavailable"] : [200, json.status]);
    expect(json.database).toEqual({ kind: "embedded", state: "ready" });
    for (const engine of json.engines) {
      expect(["ready", "loading", "missing", "failed"]).toContain(engine.state);
      if (engine.state === "missing" || engine.state === "failed") expect(engine.reason).toBeTruthy();
    }
  });

  it("find requests, durations and the database in the metrics", async () => {
    await call(`${server.url}/v1/chat`, { json: {} });
    const counted = /parlance_http_requests_total\{method="POST",route="\/v1\/chat",status="401"\} 1/;
    const read = async () => (await call(`${server.url}/metrics`)).text;
    await expect.poll(read).toMatch(counted);
    expect(await read()).toContain('parlance_database_info{kind="embedded"} 1');
  });

  it("are told apart from strangers, whom a proxy forwards, by where they call from or by a token", async () => {
    for (const path of ["/metrics", "/readyz"]) {
      const forwarded = { "x-forwarded-for": "203.0.113.7" };
      expect((await call(`${server.url}${path}`, { headers: forwarded })).status).toBe(401);
      expect((await call(`${server.url}${path}`, { headers: forwarded, key: "wrong" })).status).toBe(401);
      expect((await call(`${server.url}${path}`, { headers: forwarded, key: metricsToken })).status).not.toBe(401);
    }
    expect((await call(`${server.url}/healthz`, { headers: { forwarded: "for=203.0.113.7" } })).status).toBe(200);
  });

  it("cost the server one rendering a second, however many ask", async () => {
    const texts = await Promise.all(Array.from({ length: 50 }, async () => (await call(`${server.url}/metrics`)).text));
    // Each of them counts as a request, which only a later rendering tells.
    expect(new Set(texts).size).toBeLessThan(50);
  });

  it("have a dashboard and alerts whose metrics all exist", async () => {
    const { text } = await call(`${server.url}/metrics`);
    const deploy = resolve(import.meta.dirname, "../../deploy");
    for (const file of ["grafana-dashboard.json", "alerts.yaml"]) {
      const used = readFileSync(join(deploy, file), "utf8").match(/\b(parlance|nodejs|process)_\w+/g)!;
      const unknown = used.filter((name) => !text.includes(`# TYPE ${name.replace(/_bucket$/, "")} `));
      expect([file, unknown]).toEqual([file, []]);
    }
    const compose = parse(readFileSync(join(deploy, "compose.yaml"), "utf8"));
    expect(Object.keys(compose.services)).toEqual(["parlance", "postgres", "caddy"]);
    expect(parse(readFileSync(join(deploy, "alerts.yaml"), "utf8")).groups[0].rules.length).toBeGreaterThan(5);
  });

  it("can follow a request into a trace", async () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    await call(`${server.url}/v1/chat`, { json: {}, headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    await expect.poll(() => spans.map((span) => span.traceId), { timeout: 6000 }).toContain(traceId);
  });

  it("get the dashboard, an API reference without foreign assets, and OpenAPI 3.1 at each base address", async () => {
    expect((await call(`${server.url}/`)).text).toContain("Parlance");
    for (const base of ["", "/gateway/v1", "/extraction"]) {
      const { json } = await call(`${server.url}${base}/openapi.json`);
      expect(json.openapi).toBe("3.1.0");
      expect(Object.keys(json.paths).length).toBeGreaterThan(0);
      const { text } = await call(`${server.url}${base}/docs`);
      expect(text).not.toMatch(/(src|href)="https?:/);
    }
  });

  it("have security headers and CORS on the APIs", async () => {
    const preflight = await call(`${server.url}/v1/chat`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    const { headers } = await call(`${server.url}/`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});

describe("limits", () => {
  it("refuse the sixty-first request of a minute in the voice dialect with the seconds to wait", async () => {
    const { key } = await server.newKey(["realtime"]);
    for (let sent = 0; sent < 60; sent++) {
      const { headers } = await call(`${server.url}/v1/realtime/session`, { key, json: {} });
      expect(headers.get("x-ratelimit-remaining")).toBe(String(59 - sent));
    }
    const refused = await call(`${server.url}/v1/realtime/session`, { key, json: {} });
    expect([refused.status, refused.json.error.type]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  });

  it("can be set per key, and waiting exactly as long as told is enough", async () => {
    const { key } = await server.newKey(["chat"], { ratePerMinute: 1 });
    await call(`${server.url}/v1/realtime/session`, { key, json: {} });
    const refused = await call(`${server.url}/v1/chat`, { key, json: {} });
    expect(refused.headers.get("x-ratelimit-limit")).toBe("1");
  });

  it("count extraction by the hour and the plan, and the gateway by the minute in its own dialect", async () => {
    await server.admin("workspaces create", { name: "free" });
    const { key } = await server.newKey(["extract"], { workspace: "free" });
    const extract = () => call(`${server.url}/extraction/v1/extract`, { key, body: form({}) });
    for (let sent = 0; sent < 10; sent++) expect((await extract()).status).toBe(400);
    const refused = await extract();
    expect([refused.status, refused.json.error.type, refused.headers.get("x-ratelimit-limit")]).toEqual([
      429,
      "rate_limited",
      "10",
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);

    const gateway = await server.newKey(["gateway:read"], { ratePerMinute: 1 });
    await call(`${server.url}/gateway/v1/credits`, { key: gateway.key });
    const second = await call(`${server.url}/gateway/v1/credits`, { key: gateway.key });
    expect([second.status, second.json.error]).toMatchObject([429, { type: "rate_limit_exceeded", code: 429 }]);
  });
});

describe("uploads", () => {
  it("a hundred at once stay within the server's budget, and all get an answer", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "parlance-uploads-"));
    const child = startCli(["serve", "--port", "0"], {
      SVC_DATA_DIR: dataDir,
      SVC_BUFFERED_BYTES: "64MB",
      SVC_RATE_PER_MINUTE: "1000",
    });
    onTestFinished(async () => {
      child.process.kill("SIGTERM");
      await child.finished;
      rmSync(dataDir, { recursive: true, force: true });
    });
    const url = /listening on (\S+)/.exec(await child.seen(/listening on \S+/))![1];
    const key = await makeKey(dataDir);
    const file = new Blob([Buffer.alloc(4_000_000)]);
    const upload = () => call(`${url}/v1/dub`, { key, body: form({ file, target_language: "es" }) });
    const replies = await Promise.all(Array.from({ length: 100 }, upload));
    // Nothing of it is sound; whoever finds the queue full is told to come back.
    expect(replies.map(({ status }) => status).filter((status) => status !== 422 && status !== 429)).toEqual([]);
    const status = readFileSync(`/proc/${child.process.pid}/status`, "utf8");
    const peakKb = Number(/VmHWM:\s+(\d+)/.exec(status)![1]);
    // Node 24 alone takes this much for some seconds, to compile one function of the embedded database.
    const compilerMb = process.versions.node.startsWith("24.") ? 1_100 : 0;
    // Without the budget the 400 MB of uploads and their copies alone would be above this.
    expect(peakKb / 1024 - compilerMb).toBeLessThan(800);
  });
});

describe("shutting down", () => {
  it("lets a request that is under way finish", async () => {
    const other = await startServer();
    const { hostname, port } = new URL(other.url);
    const request = http.request({
      hostname,
      port,
      path: "/v1/chat",
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${other.key}` },
    });
    const answered = new Promise<number>((resolve, reject) => {
      request.once("response", (reply) => resolve(reply.statusCode!)).once("error", reject);
    });
    request.write('{"message"');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const closed = other.close();
    await new Promise((resolve) => setTimeout(resolve, 300));
    request.end(':""}');
    expect(await answered).toBe(400);
    await closed;
  });

  it("ends cleanly with keep-alive connections open", async () => {
    const agent = new http.Agent({ keepAlive: true });
    await new Promise((resolve) =>
      http.get(`${server.url}/healthz`, { agent }, (reply) => reply.resume().on("end", resolve)),
    );
    await server.close();
    await expect(call(`${server.url}/healthz`)).rejects.toThrow();
    agent.destroy();
  });
});
