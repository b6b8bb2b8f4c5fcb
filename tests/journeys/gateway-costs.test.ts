import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { chunk, completion, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const path = "/v1/chat/completions";
const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.0001 };

const upstream = await openUpstream();
upstream.on(path, (_request, response) => sendJson(response, completion(usage)));
const server = await openGateway([upstream], { SVC_GATEWAY_ALIASES: "fast=acme/gone|acme/chat|acme/rank" });
const chat = (key: string, headers: Record<string, string> = {}, json: object = wanted) =>
  call(`${server.base}/chat/completions`, { key, json, headers });

describe("what a request cost", () => {
  it("is on its reply, and can be asked for by its id", async () => {
    const { key } = await server.newAccount("1");
    const reply = await chat(key);
    expect(reply.headers.get("x-svc-cost-usd")).toBe("0.00012");
    expect(reply.json.usage.cost).toBe(0.00012);
    const id = reply.headers.get("x-svc-generation-id")!;
    const { json } = await call(`${server.base}/generation?id=${id}`, { key });
    expect(json.data).toMatchObject({
      id,
      model: "acme/chat",
      input_tokens: 10,
      cost_usd: 0.0001,
      svc_cost_usd: 0.00012,
    });
    const stranger = await server.newAccount("1");
    expect((await call(`${server.base}/generation?id=${id}`, { key: stranger.key })).status).toBe(404);
  });

  it("of a stream can be asked for when it is over", async () => {
    const { key } = await server.newAccount("1");
    upstream.on(path, (_request, response) => {
      openEvents(response);
      response.end(event(chunk("Hi")) + event({ ...chunk(""), choices: [], usage }) + event("[DONE]"));
    });
    const reply = await chat(key, {}, { ...wanted, stream: true });
    upstream.on(path, (_request, response) => sendJson(response, completion(usage)));
    const id = reply.headers.get("x-svc-generation-id");
    expect((await call(`${server.base}/generation?id=${id}`, { key })).json.data.svc_cost_usd).toBe(0.00012);
  });

  it("is added to a usage that tells none for those who ask, and for nobody else, and every other byte stays", async () => {
    const { key } = await server.newAccount("1");
    const { cost: _, ...plain } = usage;
    const json = JSON.stringify(completion(plain)).replace('"total_tokens":15', '"total_tokens" : 15.0 ');
    const last = JSON.stringify({ ...chunk(""), choices: [], usage: plain });
    upstream.on(path, (request, response) => {
      if (!request.json.stream) {
        response.setHeader("content-type", "application/json").end(json);
        return;
      }
      openEvents(response);
      const done = { ...chunk(""), choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      response.end(`${event(chunk("Hi"))}${event(done)}data: ${last}\n\n${event("[DONE]")}`);
    });
    const asked = { "x-svc-usage-cost": "1" };
    const stream = { ...wanted, stream: true, stream_options: { include_usage: true } };
    expect((await chat(key)).text).toBe(json);
    expect((await chat(key, {}, stream)).text).toContain(`data: ${last}\n`);
    const told = await chat(key, asked);
    const cost = Number(told.headers.get("x-svc-cost-usd"));
    expect(cost).toBeGreaterThan(0);
    expect(told.text).toBe(json.replace("15.0 ", `15.0,"cost":${cost} `));
    const events = await chat(key, asked, stream);
    expect(events.text).toContain(`data: ${last.slice(0, -2)},"cost":${cost}}}\n`);
    const { text } = await chat(key, asked, { ...wanted, stream: true });
    expect(text).toContain(`"cost":${cost}}}\n`);
    const id = events.headers.get("x-svc-generation-id");
    expect((await call(`${server.base}/generation?id=${id}`, { key })).json.data.svc_cost_usd).toBe(cost);
    upstream.on(path, (_request, response) => sendJson(response, completion(usage)));
  });

  it("is in the report by tag and by key, and in the log, as JSON and as CSV", async () => {
    const { key } = await server.newAccount("1");
    await chat(key, { "x-svc-tag": "bot" });
    await chat(key, { "x-svc-tag": "bot" });
    await chat(key);
    const byTag = await call(`${server.base}/report?group_by=tag`, { key });
    expect(byTag.json.data).toMatchObject([
      { period: "", requests: 1 },
      { period: "bot", requests: 2, svc_cost_usd: 0.00024 },
    ]);
    const byKey = await call(`${server.base}/report?group_by=key`, { key });
    expect(byKey.json.data).toMatchObject([{ requests: 3, svc_cost_usd: 0.00036 }]);
    const log = await call(`${server.base}/requests?limit=2`, { key });
    expect(log.json.data.map(({ tag }: { tag: string }) => tag)).toEqual(["", "bot"]);
    const accept = { authorization: `Bearer ${key}`, accept: "text/csv" };
    const csv = await (await fetch(`${server.base}/report?group_by=tag`, { headers: accept })).text();
    expect(csv).toContain("bot,,,20,10,0.0002,0.00024,2\r\n");
    const rows = await (await fetch(`${server.base}/requests`, { headers: accept })).text();
    expect(rows.trim().split("\r\n")).toHaveLength(4);
    expect(rows).not.toMatch(/\bHi\b/);
  });

  it("is not grouped by a tag that could be a text", async () => {
    const { key } = await server.newAccount("1");
    const reply = await chat(key, { "x-svc-tag": "tell me a joke" });
    expect([reply.status, reply.json.error.type]).toEqual([400, "invalid_request"]);
  });

  it("is in the metrics by upstream and model", async () => {
    const text = await (
      await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.key}` } })
    ).text();
    expect(text).toMatch(/parlance_gateway_output_tokens_total\{upstream="openai-1",model="acme\/chat"\} [1-9]/);
    expect(text).toMatch(/parlance_gateway_spend_usd_total\{upstream="openai-1",model="acme\/chat"\} 0\.0/);
    expect(text).toMatch(/parlance_gateway_breaker_open\{upstream="openai-1",model=""\} 0/);
  });
});

it("a request that names models which nobody has is served by the one that there is", async () => {
  const { key } = await server.newAccount("1");
  expect((await chat(key, {}, { ...wanted, models: ["acme/nothing", "acme/chat"] })).status).toBe(200);
});

it("a name of the operator's is served by the first of its models that answers, and charged as that", async () => {
  const { key } = await server.newAccount("1");
  upstream.received.length = 0;
  const reply = await chat(key, {}, { ...wanted, model: "fast" });
  expect([reply.status, upstream.received[0]!.json.model]).toEqual([200, "acme/chat"]);
  expect((await call(`${server.base}/report?group_by=model`, { key })).json.data[0].model).toBe("acme/chat");
});

it("a balance that is too small is told with what it would pay for", async () => {
  const { key } = await server.newAccount("0.0005");
  const { status, json } = await chat(key, {}, { ...wanted, max_tokens: 1000 });
  expect([status, json.error.type]).toEqual([402, "insufficient_credits"]);
  expect(json.error.message).toMatch(
    /may cost up to \$0\.00\d+, the credit balance is \$0\.0005\. It pays for up to 1\d\d tokens/,
  );
});

it("an offer to speak HTTP/2, as Java's client makes it, is served as HTTP/1.1", async () => {
  const { key } = await server.newAccount("1");
  const body = JSON.stringify(wanted);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    let heard = "";
    socket.on("data", (bytes) => {
      heard += bytes;
      if (heard.includes("chat.completion")) socket.destroy();
    });
    socket.on("close", () => resolve(heard)).on("error", reject);
    const head = [
      "POST /gateway/v1/chat/completions HTTP/1.1",
      "Connection: Upgrade, HTTP2-Settings",
      `Content-Length: ${body.length}`,
      "Host: localhost",
      "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
      "Upgrade: h2c",
      "Content-Type: application/json",
      `Authorization: Bearer ${key}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    setTimeout(() => socket.destroy(), 10_000).unref();
  });
  expect(text).toMatch(/^HTTP\/1\.1 200/);
});

it("a video job without the balance for it is refused at once", async () => {
  const { key } = await server.newAccount("0.01");
  const json = { model: "acme/video", prompt: "a dog", duration: 5 };
  const reply = await call(`${server.base}/videos/generations`, { key, json, headers: { prefer: "respond-async" } });
  expect([reply.status, reply.json.error.type]).toEqual([402, "insufficient_credits"]);
});
