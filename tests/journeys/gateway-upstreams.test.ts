import { createGzip } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { chunk, completion, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import type { GatewayServer } from "../support/gateway-server.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const upstream = await openUpstream();
const litellm = await openGateway([upstream], { SVC_GATEWAY_UPSTREAM_KIND: "litellm" });
const openrouter = await openGateway([upstream], { SVC_GATEWAY_UPSTREAM_KIND: "openrouter" });
beforeEach(() => {
  upstream.received.length = 0;
});

function stream(server: GatewayServer, key: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.base}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme/chat", stream: true, messages: [{ role: "user", content: "x" }] }),
    signal: signal ?? null,
  });
}

const usage = { prompt_tokens: 9, completion_tokens: 30, total_tokens: 39, cost: 0.0001 };

describe("LiteLLM", () => {
  it("is stopped at once when the client hangs up, and charged is an estimate of what came", async () => {
    const { key } = await litellm.newAccount("1");
    upstream.on("/v1/chat/completions", (_request, response) => {
      openEvents(response);
      const timer = setInterval(() => response.write(event(chunk("word "))), 10);
      response.once("close", () => clearInterval(timer));
    });
    const abort = new AbortController();
    const response = await stream(litellm, key, abort.signal);
    await response.body!.getReader().read();
    abort.abort();
    await upstream.received.find(({ path }) => path === "/v1/chat/completions")!.closed;
    const spent = 1 - Number(await litellm.balance(key));
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThan(0.0005);
  });

  it("goes on with a reply whose client hung up, who gets it under the same Idempotency-Key and pays once", async () => {
    const { key } = await litellm.newAccount("1");
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      upstream.on("/v1/chat/completions", (_request, response) => {
        answer = () => sendJson(response, completion(usage));
        resolve();
      });
    });
    const ask = (signal?: AbortSignal) =>
      fetch(`${litellm.base}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "k" },
        body: JSON.stringify({ model: "acme/chat", messages: [{ role: "user", content: "x" }] }),
        signal: signal ?? null,
      });
    const abort = new AbortController();
    const hungUp = expect(ask(abort.signal)).rejects.toThrow();
    await asked;
    abort.abort();
    await hungUp;
    expect((await ask()).status).toBe(409);
    answer();
    const deadline = Date.now() + 10_000;
    let reply = await ask();
    while (reply.status === 409 && Date.now() < deadline) reply = await ask();
    expect([reply.status, reply.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(upstream.received).toHaveLength(1);
    expect(await litellm.balance(key)).toBe("0.99988");
  });

  it("charges whole replies what the header says", async () => {
    const { key } = await litellm.newAccount("1");
    upstream.on("/v1/chat/completions", (_request, response) => {
      const { cost: _cost, ...tokens } = usage;
      sendJson(response, completion(tokens), 200, {
        "x-litellm-response-cost": "2e-4",
      });
    });
    const json = { model: "acme/chat", messages: [{ role: "user", content: "x" }] };
    const reply = await call(`${litellm.base}/chat/completions`, { key, json });
    expect(reply.headers.get("x-litellm-response-cost")).toBeNull();
    expect(await litellm.balance(key)).toBe("0.99976");
  });
});

describe("OpenRouter", () => {
  it("is polled for a video on its own host, and charged what it says", async () => {
    const { key } = await openrouter.newAccount("5");
    let polls = 0;
    const pollingUrl = `${upstream.url}/videos/job-1?part=a`;
    upstream.on("/v1/videos", (_request, response) =>
      sendJson(response, { id: "job-1", polling_url: pollingUrl, status: "pending" }, 202),
    );
    upstream.on("/v1/videos/job-1", (_request, response) => {
      polls += 1;
      const done = { status: "completed", unsigned_urls: ["https://v.example/1.mp4"], usage: { cost: 0.5 } };
      sendJson(response, { id: "job-1", polling_url: pollingUrl, ...(polls < 2 ? { status: "in_progress" } : done) });
    });
    const json = { model: "acme/video", prompt: "a dog", duration: 5 };
    const reply = await call(`${openrouter.base}/videos/generations`, { key, json });
    expect(reply.json).toMatchObject({ status: "completed", unsigned_urls: ["https://v.example/1.mp4"] });
    expect(reply.json.usage.cost).toBe(0.6);
    expect(JSON.stringify(reply.json)).not.toContain("127.0.0.1");
    expect(upstream.received.at(-1)!.path).toBe("/v1/videos/job-1?part=a");
    expect(await openrouter.balance(key)).toBe("4.40");
  });

  it("sends a compressed stream that nobody asked for, which arrives as it was meant", async () => {
    const { key } = await openrouter.newAccount("1");
    upstream.on("/v1/chat/completions", (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write(": OPENROUTER PROCESSING\n\n");
      for (const word of ["one ", "two ", "three"]) gzip.write(event(chunk(word)));
      gzip.write(event(chunk("", { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage })));
      gzip.end(event("[DONE]"));
    });
    const response = await stream(openrouter, key);
    expect(response.headers.get("content-encoding")).toBeNull();
    const text = await response.text();
    expect([...text.matchAll(/"content":"([^"]+)"/g)].map(([, word]) => word).join("")).toBe("one two three");
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    // As its own clients know it: with usage, though nobody asked, and with what the caller pays.
    expect(text).toContain('"cost":0.00012');
    expect(await openrouter.balance(key)).toBe("0.99988");
  });
});
