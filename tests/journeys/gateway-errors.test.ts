import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { completion, type FakeUpstream, sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { startGatewayServer } from "../support/gateway-server.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const path = "/v1/chat/completions";
const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const first = await openUpstream();
const server = await openGateway([first], {
  SVC_GATEWAY_UPSTREAM_KEY: "sk-upstream-secret-1234",
  SVC_GATEWAY_SILENCE: "2s",
});
let second: FakeUpstream;
let key: string;
beforeEach(async () => {
  ({ key } = await server.newAccount("1"));
});
const chat = (json: object = wanted, base = server.base, own = key) =>
  call(`${base}/chat/completions`, { key: own, json });
const answer = (status: number, body: unknown, headers = {}) =>
  first.on(path, (_request, response) => {
    if (typeof body === "string") {
      response.writeHead(status, { "content-type": "text/html", ...headers });
      response.end(body);
    } else sendJson(response, body, status, headers);
  });

describe("an upstream that refuses", () => {
  it.each([
    [400, 400, "invalid_request", { error: { message: "max_tokens is too large", type: "invalid_request_error" } }],
    [404, 404, "model_not_found", { error: { message: "The model does not exist", type: "model_not_found" } }],
    [409, 409, "conflict", { error: { message: "already under way" } }],
    [413, 413, "invalid_request", { error: { message: "too long" } }],
    [415, 415, "invalid_request", { error: { message: "not this type" } }],
    [424, 424, "upstream_error", { error: { message: "a provider failed" } }],
    [451, 451, "invalid_request", { error: { message: "not in this country" } }],
    [422, 422, "invalid_request", { detail: "unprocessable" }],
    [401, 503, "gateway_unavailable", { error: { message: "bad key sk-upstream-secret-1234" } }],
    [402, 503, "gateway_unavailable", { error: { message: "pay first" } }],
    [403, 503, "gateway_unavailable", { error: { message: "customer_verification_required" } }],
    [400, 503, "gateway_unavailable", { error: { message: "over budget", type: "budget_exceeded" } }],
    [500, 503, "upstream_error", { error: { message: "oops" } }],
    [503, 503, "upstream_error", "<html>down</html>"],
    [405, 503, "upstream_error", ""],
  ])("with %i is told as %i %s, and costs nothing", async (status, ours, type, body) => {
    answer(status, body);
    const reply = await chat();
    expect([reply.status, reply.json.error.type, reply.json.error.code]).toEqual([ours, type, ours]);
    expect(reply.json.error.param).toBeNull();
    expect(reply.text).not.toMatch(/sk-upstream|pay first|127\.0\.0\.1/);
    expect(await server.balance(key)).toBe("1.00");
    // The breaker must not carry one case's failures into the next.
    answer(200, completion(usage));
    for (let tries = 0; tries < 60 && (await chat()).status !== 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });

  it("because it is busy is told with its own Retry-After", async () => {
    answer(429, { error: { message: "slow down" } }, { "retry-after": "17" });
    const reply = await chat();
    expect([reply.status, reply.json.error.type]).toEqual([429, "rate_limit_exceeded"]);
    expect(reply.headers.get("retry-after")).toBe("17");
  });

  it("once is asked again", async () => {
    let count = 0;
    first.on(path, (_request, response) => {
      count += 1;
      sendJson(response, count === 1 ? { error: {} } : completion(usage), count === 1 ? 502 : 200);
    });
    expect((await chat()).status).toBe(200);
    expect(count).toBe(2);
  });
});

describe("an upstream that lies", () => {
  it.each([
    ["a negative cost", { ...usage, cost: -5 }, "0.999976"],
    ["a cost beyond reason, which is charged as the hold", { ...usage, cost: 5000 }, undefined],
    ["negative tokens", { prompt_tokens: -10, completion_tokens: -5, total_tokens: -15 }, undefined],
    ["usage that says nothing", {}, undefined],
    ["an explicit zero", { prompt_tokens: 0, completion_tokens: 0 }, "1.00"],
    ["usage that is a text", "a lot", undefined],
    ["no usage at all", undefined, undefined],
  ])("about usage (%s) never overdraws or credits", async (_name, told, balance) => {
    answer(200, { ...completion(), ...(told === undefined ? {} : { usage: told }) });
    // Not by `chat`, which knows what a reply is to look like.
    const { status } = await fetch(`${server.base}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(wanted),
    });
    expect(status).toBe(200);
    const left = await server.balance(key);
    if (balance) expect(left).toBe(balance);
    else {
      expect(Number(left)).toBeLessThan(1);
      expect(Number(left)).toBeGreaterThan(0.999);
    }
  });

  it.each(["<html>hello</html>", "", "[1,2]", '{"choices": [', '{"error":{"message":"as 200"}}'])(
    "about success (%j) is an upstream_error and costs nothing",
    async (body) => {
      answer(200, body);
      const reply = await chat();
      expect([reply.status, reply.json.error.type]).toEqual([503, "upstream_error"]);
      expect(await server.balance(key)).toBe("1.00");
    },
  );
});

describe("an upstream that is slow, broken or gone", () => {
  it("is given up after its silence", async () => {
    first.on(path, () => {});
    const reply = await chat();
    expect([reply.status, reply.json.error.type]).toEqual([503, "upstream_error"]);
    answer(200, completion(usage));
    await chat();
  });

  it("in the middle of a reply is an upstream_error", async () => {
    first.on(path, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"id":"x"');
      setTimeout(() => response.destroy(), 30);
    });
    const reply = await chat();
    expect([reply.status, reply.json.error.type]).toEqual([503, "upstream_error"]);
    expect(await server.balance(key)).toBe("1.00");
    answer(200, completion(usage));
    await chat();
  });

  it("is replaced by the next, and no longer asked once it has failed often", async () => {
    second = await startFakeUpstream();
    const broken = await startFakeUpstream();
    let asked = 0;
    broken.on(path, (_request, response) => {
      asked += 1;
      sendJson(response, { error: {} }, 500);
    });
    second.on(path, (_request, response) => sendJson(response, completion(usage)));
    const pair = await startGatewayServer({
      SVC_GATEWAY_UPSTREAM_URL: `${broken.url},${second.url}`,
      SVC_GATEWAY_UPSTREAM_KEY: "sk-one,sk-two",
    });
    const account = await pair.newAccount("1");
    for (let n = 0; n < 8; n++) expect((await chat(wanted, pair.base, account.key)).status).toBe(200);
    expect(asked).toBeLessThanOrEqual(6);
    expect(second.received.at(-1)!.headers.authorization).toBe("Bearer sk-two");
    await broken.close();
    expect((await chat(wanted, pair.base, account.key)).status).toBe(200);
    await second.close();
    const gone = await chat(wanted, pair.base, account.key);
    expect([gone.status, gone.json.error.type]).toEqual([503, "upstream_error"]);
    // The catalog is served stale.
    const models = await call(`${pair.base}/models`, { key: account.key });
    expect(models.json.data.map(({ id }: { id: string }) => id)).toContain("acme/chat");
    await pair.close();
  });
});

describe("the gateway's own refusals", () => {
  it("know which models there are", async () => {
    const reply = await chat({ ...wanted, model: "acme/nothing" });
    expect([reply.status, reply.json.error.type, reply.json.error.code]).toEqual([404, "model_not_found", 404]);
    const local = await chat({ ...wanted, model: "local/nothing" });
    expect([local.status, local.json.error.type]).toEqual([404, "model_not_found"]);
  });

  it.each([
    ["no model", { messages: [{ role: "user", content: "x" }] }, /"model" is required/],
    ["no messages", { model: "acme/chat" }, /"messages" is required/],
    ["messages that are none", { model: "acme/chat", messages: "hi" }, /"messages" must be an array/],
    ["an odd limit", { ...wanted, max_tokens: -1 }, /"max_tokens" must be at least 0/],
  ])("say what is wrong with a body: %s", async (_name, body, message) => {
    const reply = await chat(body);
    expect([reply.status, reply.json.error.type]).toEqual([400, "invalid_request"]);
    expect(reply.json.error.message).toMatch(message);
  });

  it("of a body that is not JSON, or reaches into prototypes, are 400", async () => {
    for (const body of ["{bad", "", "null", "[]", '{"__proto__":{"a":1},"model":"acme/chat"}']) {
      const reply = await call(`${server.base}/chat/completions`, {
        key,
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      expect([reply.status, reply.json.error.type]).toEqual([400, "invalid_request"]);
    }
  });

  it("without an upstream are gateway_unavailable, while local models are listed", async () => {
    const alone = await startGatewayServer({});
    const account = await alone.newAccount("1");
    const reply = await chat(wanted, alone.base, account.key);
    expect([reply.status, reply.json.error.type]).toEqual([503, "gateway_unavailable"]);
    const models = await call(`${alone.base}/models`, { key: account.key });
    expect(models.json.data.every(({ id }: { id: string }) => id.startsWith("local/"))).toBe(true);
    await alone.close();
  });

  it("for an upstream without a realtime service are service_unavailable", async () => {
    const { status, json } = await call(`${server.base}/realtime/token`, { key, json: { model: "acme/talk" } });
    expect([status, json.error.type]).toEqual([503, "service_unavailable"]);
  });

  it("stand at the root of a gateway that is served alone", async () => {
    const alone = await startGatewayServer({ SVC_SERVICES: "gateway", SVC_GATEWAY_UPSTREAM_URL: first.url });
    const account = await alone.newAccount("1");
    expect((await call(`${alone.url}/v1/models`, { key: account.key })).status).toBe(200);
    await alone.close();
  });
});
