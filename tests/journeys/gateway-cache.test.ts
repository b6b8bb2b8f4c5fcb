import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { chunk, completion, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const upstream = await openUpstream();
const server = await openGateway([upstream], { SVC_GATEWAY_UPSTREAM_KEY: "sk-upstream-secret" });
const path = "/v1/chat/completions";
const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };

describe("the response cache", () => {
  let key: string;
  const ask = (json: object, headers: Record<string, string> = { "x-svc-cache-ttl": "60" }, as = key) =>
    call(`${server.base}/chat/completions`, { key: as, json, headers });
  let replies = 0;

  beforeEach(async () => {
    upstream.received.length = 0;
    replies = 0;
    ({ key } = await server.newAccount("1"));
    upstream.on(path, (_request, response) => {
      const reply = completion({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
      sendJson(response, { ...reply, id: `gen_${++replies}` });
    });
  });

  it("gives the same request the same reply, asks nobody and charges nothing", async () => {
    const first = await ask(wanted);
    expect(first.headers.get("x-svc-cache")).toBe("miss");
    const balance = await server.balance(key);
    const again = await ask(wanted);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("x-svc-cache")).toBe("hit");
    expect(again.headers.get("x-svc-cost-usd")).toBe("0.00");
    expect(again.headers.get("x-svc-generation-id")).not.toBe(first.headers.get("x-svc-generation-id"));
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(upstream.received).toHaveLength(1);
    expect(await server.balance(key)).toBe(balance);
    const { data } = (await call(`${server.base}/requests`, { key })).json;
    expect(data.map((row: { cost_source: string }) => row.cost_source).sort()).toEqual(["cached", "measured"]);
    expect(data.find((row: { cost_source: string }) => row.cost_source === "cached").svc_cost_usd).toBe(0);
  });

  it("gives nothing to a key that may not use the model", async () => {
    const { name, key: owner } = await server.newAccount("1");
    await ask(wanted, { "x-svc-cache-ttl": "60" }, owner);
    const rules = { workspace: name, name: "other", scopes: ["gateway:read"], models: ["other/*"] };
    const { key: bound } = (await server.admin("keys create", rules)) as { key: string };
    expect((await ask(wanted, { "x-svc-cache-ttl": "60" }, bound)).status).toBe(403);
    expect(upstream.received).toHaveLength(1);
  });

  it("is asked for by each request: without the header nothing is kept and nothing is found", async () => {
    const plain = await ask(wanted, {});
    expect(plain.headers.get("x-svc-cache")).toBeNull();
    await ask(wanted);
    await ask(wanted, {});
    await ask(wanted, { "x-svc-cache-ttl": "0" });
    expect(upstream.received).toHaveLength(4);
  });

  it("never shows one workspace what another one got", async () => {
    const { key: stranger } = await server.newAccount("1");
    await ask(wanted);
    const other = await ask(wanted, { "x-svc-cache-ttl": "60" }, stranger);
    expect(other.headers.get("x-svc-cache")).toBe("miss");
    expect(upstream.received).toHaveLength(2);
  });

  it.each([
    ["another parameter", { ...wanted, temperature: 0.5 }, {}],
    ["another wish for its cost", wanted, { "x-svc-usage-cost": "1" }],
  ])("takes %s for another request", async (_what, json, headers) => {
    await ask(wanted);
    const other = await ask(json, { "x-svc-cache-ttl": "60", ...headers });
    expect(other.headers.get("x-svc-cache")).toBe("miss");
    expect(upstream.received).toHaveLength(2);
  });

  it("replays a stream as the events that it had", async () => {
    upstream.on(path, (_request, response) => {
      openEvents(response);
      response.write(event(chunk("Hé")));
      response.write(event(chunk("llo", { finish_reason: "stop" })));
      response.end("data: [DONE]\n\n");
    });
    const first = await ask({ ...wanted, stream: true });
    const again = await ask({ ...wanted, stream: true });
    expect(again.text).toBe(first.text);
    expect(again.text).toContain("Hé");
    expect(again.headers.get("content-type")).toContain("text/event-stream");
    expect(again.headers.get("x-svc-cache")).toBe("hit");
    expect(upstream.received).toHaveLength(1);
  });

  it("keeps no failure", async () => {
    upstream.on(path, (_request, response) => sendJson(response, { error: { message: "no" } }, 400));
    expect((await ask(wanted)).status).toBe(400);
    await ask(wanted);
    expect(upstream.received).toHaveLength(2);
  });

  it("keeps a reply for an Idempotency-Key, too, that was found in it", async () => {
    await ask(wanted);
    const headers = { "x-svc-cache-ttl": "60", "idempotency-key": "one" };
    const found = await ask(wanted, headers);
    const replayed = await ask(wanted, headers);
    expect(found.headers.get("x-svc-cache")).toBe("hit");
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect(replayed.text).toBe(found.text);
  });

  it.each(["-1", "soon", "86401", "1.5"])("refuses %s as a TTL", async (ttl) => {
    const reply = await ask(wanted, { "x-svc-cache-ttl": ttl });
    expect(reply.status).toBe(400);
    expect(reply.json.error.message).toContain("X-Svc-Cache-Ttl");
    expect(upstream.received).toHaveLength(0);
  });
});
