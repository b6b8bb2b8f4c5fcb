import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { chunk, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const upstream = await openUpstream();
const env = { SVC_GATEWAY_UPSTREAM_KEY: "up" };
const server = await openGateway([upstream], env);
const vercel = await openGateway([upstream], { ...env, SVC_GATEWAY_UPSTREAM_KIND: "vercel" });
let key: string;
beforeEach(async () => {
  upstream.received.length = 0;
  ({ key } = await server.newAccount("10"));
});
const post = (path: string, json: object, headers = {}) => call(`${server.base}${path}`, { key, json, headers });

describe("embeddings", () => {
  it("come back as base64 when that was asked for and the upstream sent numbers", async () => {
    upstream.on("/v1/embeddings", (_request, response) =>
      sendJson(response, {
        object: "list",
        data: [{ object: "embedding", index: 0, embedding: [0.5, -1, 2] }],
        model: "acme/embed",
        usage: { prompt_tokens: 5, total_tokens: 5 },
      }),
    );
    const { json } = await post("/embeddings", { model: "acme/embed", input: "hi", encoding_format: "base64" });
    const bytes = Buffer.from(json.data[0].embedding, "base64");
    expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toEqual([0.5, -1, 2]);
    expect(await server.balance(key)).toBe("9.99999988");
  });
});

describe("reranking", () => {
  it("has token counts even where the upstream counts none", async () => {
    const results = [{ index: 1, relevance_score: 0.9 }];
    upstream.on("/v1/rerank", (_request, response) =>
      sendJson(response, { id: "gen_9", results, meta: { billed_units: { search_units: 1 } } }),
    );
    const { json } = await post("/rerank", { model: "acme/rank", query: "cat", documents: ["dog", "a cat"], top_n: 1 });
    expect(json).toMatchObject({ results, usage: { total_tokens: 4 } });
  });
});

describe("a realtime token", () => {
  it("is minted upstream and handed on in our shape", async () => {
    upstream.on("/v1/realtime/client_secrets", (_request, response) =>
      sendJson(response, { value: "ek_1", expires_at: 1_800_000_000, session: { id: "sess_1" } }),
    );
    const { json, headers } = await post("/realtime/token", { model: "acme/talk", voice: "marin" });
    expect(headers.get("x-svc-cost-usd")).toBe("0.12");
    expect(json).toEqual({
      token: "ek_1",
      url: `${upstream.url.replace("http", "ws")}/realtime?model=acme%2Ftalk`,
      model: "acme/talk",
      expires_at: 1_800_000_000,
      session_id: "sess_1",
    });
    expect(upstream.received[0]!.json.session.audio.output.voice).toBe("marin");
    expect(await server.balance(key)).toBe("9.88");
    upstream.on("/v1/realtime/client-secrets", (_request, response) =>
      sendJson(response, { token: "vcst_1", expiresAt: 1_800_000_001 }),
    );
    const account = await vercel.newAccount("1");
    const other = await call(`${vercel.base}/realtime/token`, { key: account.key, json: { model: "acme/talk" } });
    expect(other.json).toMatchObject({ token: "vcst_1", expires_at: 1_800_000_001 });
    expect(other.json.url).toMatch(/\/v4\/ai\/realtime-model\?ai-model-id=acme%2Ftalk$/);
  });
});

describe("the catalog", () => {
  it("lists the upstream's records with the markup, and finds one by either spelling", async () => {
    const { json } = await call(`${server.base}/models`, { key });
    const record = json.data.find(({ id }: { id: string }) => id === "acme/chat");
    expect(record).toMatchObject({ owned_by: "acme", max_tokens: 1000, pricing: { input: "0.0000012" } });
    const embed = json.data.find(({ id }: { id: string }) => id === "acme/embed");
    expect(embed.endpoints).toEqual([{ tag: "1", pricing: { prompt: "0.000000024" } }]);
    for (const id of ["acme/chat", "acme%2Fchat"]) {
      expect((await call(`${server.base}/models/${id}`, { key })).json).toEqual(record);
    }
    expect((await call(`${server.base}/models/acme/none`, { key })).json.error.type).toBe("model_not_found");
  });
});

describe("the upstream's other dialects", () => {
  it("pass through under the same metering", async () => {
    upstream.on("/v1/responses", (_request, response) =>
      sendJson(response, {
        id: "resp_1",
        object: "response",
        output: [],
        usage: { input_tokens: 10, output_tokens: 5 },
      }),
    );
    expect((await post("/responses", { model: "acme/chat", input: "hi" })).json.id).toBe("resp_1");
    expect(await server.balance(key)).toBe("9.999976");
    upstream.on("/v1/messages", (_request, response) => {
      openEvents(response);
      const start = { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 10, output_tokens: 1 } } };
      const delta = { type: "message_delta", delta: {}, usage: { output_tokens: 5 } };
      response.end(
        `event: message_start\n${event(start)}event: message_delta\n${event(delta)}event: message_stop\n${event({ type: "message_stop" })}`,
      );
    });
    const response = await fetch(`${server.base}/messages`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({
        model: "acme/chat",
        max_tokens: 9,
        stream: true,
        messages: [{ role: "user", content: "x" }],
      }),
    });
    const text = await response.text();
    expect(text).toMatch(/event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/);
    expect(text).not.toContain("[DONE]");
    expect(upstream.received.at(-1)!.headers["anthropic-version"]).toBe("2023-06-01");
    expect(await server.balance(key)).toBe("9.999952");
  });

  /** A stream whose last events leave the upstream when the first have arrived. */
  async function readInTwo(path: string, json: object, first: string, last: string): Promise<string> {
    let finish = () => {};
    upstream.on(`/v1${path}`, (_request, response) => {
      openEvents(response);
      response.write(first);
      finish = () => response.end(last);
    });
    const reply = await fetch(`${server.base}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
    finish();
    return reply.text();
  }

  it.each([
    { type: "error", code: "server_error", message: "boom at 127.0.0.1", param: null },
    { type: "response.failed", response: { id: "resp_1", error: { code: "x", message: "boom at 127.0.0.1" } } },
  ])("tell a failure without where it happened, once: %j", async (failure) => {
    const created = event({ type: "response.created", response: { id: "resp_1", error: null } });
    const json = { model: "acme/chat", input: "hi", stream: true };
    const text = await readInTwo("/responses", json, created, event(failure));
    expect(text).toBe(created + event(failure).replace("127.0.0.1", "upstream"));
  });

  it.each([
    ["says that it fails", event({ type: "error", error: { type: "api_error", message: "no" } }), "no"],
    ["breaks off", "", "The upstream gateway broke off the stream."],
  ])("tell Anthropic's clients in the words they know when a stream %s", async (_name, last, message) => {
    const json = { model: "acme/chat", max_tokens: 9, stream: true, messages: [{ role: "user", content: "x" }] };
    const start = event({
      type: "message_start",
      message: { id: "msg_1", usage: { input_tokens: 1, output_tokens: 1 } },
    });
    const text = await readInTwo("/messages", json, `event: message_start\n${start}`, last && `event: error\n${last}`);
    const error = { type: "overloaded_error", message, param: null, code: 503 };
    expect(text.split("event: ").at(-1)).toBe(`error\n${event({ type: "error", error })}`);
  });
});

describe("an upstream that bills on after a hang-up", () => {
  it("is asked what the generation cost", async () => {
    const account = await vercel.newAccount("1");
    upstream.on("/v1/chat/completions", (_request, response) => {
      openEvents(response);
      const timer = setInterval(() => response.write(event(chunk("word "))), 10);
      response.once("close", () => clearInterval(timer));
    });
    upstream.on("/v1/generation", (_request, response) =>
      sendJson(response, { data: { total_cost: 0.0001, tokens_prompt: 9, tokens_completion: 30 } }),
    );
    const abort = new AbortController();
    const response = await fetch(`${vercel.base}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "acme/chat", stream: true, messages: [{ role: "user", content: "x" }] }),
      signal: abort.signal,
    });
    await response.body!.getReader().read();
    abort.abort();
    const [received] = upstream.received;
    await received!.closed;
    expect(await vercel.balance(account.key)).toBe("1.00");
    const deadline = Date.now() + 30_000;
    while ((await vercel.balance(account.key)) === "1.00" && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(await vercel.balance(account.key)).toBe("0.99988");
    expect(upstream.received.at(-1)!.path).toBe("/v1/generation?id=gen_1");
  });
});
