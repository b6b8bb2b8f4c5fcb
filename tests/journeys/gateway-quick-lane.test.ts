import net from "node:net";
import { describe, expect, it, vi } from "vitest";
import { QuickReply } from "../../src/platform/http/quick/quick-reply.ts";
import { completion, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const upstream = await openUpstream();
const server = await openGateway([upstream], { SVC_QUICK_LANE: "1" });
const { key: rich } = await server.newAccount("10");

interface Raw {
  status: string;
  headers: Record<string, string>;
  body: string;
}

interface Options {
  key?: string;
  path?: string;
  headers?: Record<string, string>;
}

/** A request in plain bytes. A head in two pieces is nothing for the quick lane, and goes through the framework. */
function call(
  body: string,
  { key, path = "/chat/completions", headers = {} }: Options,
  isQuick: boolean,
): Promise<Raw> {
  const { hostname, port } = new URL(server.url);
  const all = {
    host: "x",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": "the-same",
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `POST /gateway/v1${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`;
  return new Promise((resolve) => {
    let heard = "";
    const socket = net.connect(Number(port), hostname, () => {
      if (isQuick) socket.write(text);
      else socket.write(text.slice(0, 10), () => setTimeout(() => socket.write(text.slice(10)), 20));
    });
    socket.setNoDelay(true);
    socket.on("data", (bytes) => {
      heard += bytes;
      if (isWhole(heard)) socket.destroy();
    });
    socket.on("close", () => resolve(parse(heard)));
  });
}

function isWhole(text: string): boolean {
  const [head, ...rest] = text.split("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(head!)?.[1];
  if (length === undefined) return text.endsWith("\r\n0\r\n\r\n");
  return Buffer.byteLength(rest.join("\r\n\r\n")) === Number(length);
}

function parse(text: string): Raw {
  const [head, ...rest] = text.split("\r\n\r\n");
  const [status, ...lines] = head!.split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
  // Each request has a name of its own.
  if (headers["x-svc-generation-id"]) headers["x-svc-generation-id"] = "some";
  const { Date: date, "x-ratelimit-remaining": remaining, ...others } = headers as Record<string, string>;
  // Both must be there; what they say differs.
  expect([new Date(date!).getTime(), Number(remaining ?? 0)].every(Number.isFinite)).toBe(true);
  return {
    status: status!,
    headers: { ...others, ...(remaining ? { remaining: "some" } : {}) },
    body: rest.join("\r\n\r\n"),
  };
}

const served = async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^parlance_http_requests_total\{.*route="([^"]+)",status="(\d+)"\} (\d+)$/gm)].map(
      ([, route, status, count]) => [`${route} ${status}`, Number(count)],
    ),
  );
};

const messages = [{ role: "user", content: "hällo" }];
const chat = (extra: object = {}) => JSON.stringify({ model: "acme/chat", messages, ...extra });

const quickHeads = vi.spyOn(QuickReply.prototype, "writeHead");

/** The reply to this request, which is the same by both ways. `isQuick` when the quick lane is to answer it and not to pass it on. */
async function both(body: string, options: Options, isQuick = true): Promise<Raw> {
  // The first request of a key is the framework's, which knows what to do with strangers.
  if (isQuick) await server.balance(options.key!);
  quickHeads.mockClear();
  const quick = await call(body, options, true);
  expect(quickHeads).toHaveBeenCalledTimes(isQuick ? 1 : 0);
  expect(quick).toEqual(await call(body, options, false));
  expect(quickHeads).toHaveBeenCalledTimes(isQuick ? 1 : 0);
  return quick;
}

describe("a request gets the same reply by the quick lane as through the framework", () => {
  it("when it succeeds, whole and as a stream", async () => {
    upstream.on("/v1/chat/completions", ({ json }, response) => {
      if (!json.stream) return sendJson(response, completion({ cost: 0.001 }));
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const content of ["ä", "b"])
        response.write(`data: {"id":"1","choices":[{"delta":{"content":"${content}"}}]}\n\n`);
      response.end(
        'data: {"id":"1","choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\ndata: [DONE]\n\n',
      );
    });
    expect((await both(chat(), { key: rich })).status).toBe("HTTP/1.1 200 OK");
    const stream = await both(chat({ stream: true, stream_options: { include_usage: true } }), { key: rich });
    expect(stream.body).toContain("[DONE]");
    expect((await both(chat({ stream: true }), { key: rich })).body).not.toContain("usage");
    const page = { origin: "https://page.example" };
    expect((await both(chat(), { key: rich, headers: page })).headers).toHaveProperty("access-control-allow-origin");
  });

  it("when it asks for vectors, as numbers and packed", async () => {
    upstream.on("/v1/embeddings", (_request, response) =>
      sendJson(response, {
        object: "list",
        data: [{ object: "embedding", index: 0, embedding: [0.5, 1] }],
        model: "m",
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    );
    for (const encoding_format of [undefined, "float", "base64"]) {
      const body = JSON.stringify({ model: "acme/embed", input: "hi", encoding_format });
      expect((await both(body, { key: rich, path: "/embeddings" })).status).toBe("HTTP/1.1 200 OK");
    }
  });

  it("when its key is missing, unknown, without the scope, the plan or the money", async () => {
    const { key: other } = await server.newKey(["speech"]);
    const poor = (await server.newAccount(undefined)).key;
    await server.admin("workspaces create", { name: "small" });
    const { key: small } = await server.newKey(["gateway:read"], { workspace: "small" });
    for (const [key, status] of [
      ["", 401],
      ["pk_unknown", 401],
      [other, 401],
      [small, 403],
      [poor, 402],
    ] as const) {
      expect((await both(chat(), { key }, status === 402)).status).toContain(` ${status} `);
    }
  });

  it("when it is over the limit", async () => {
    const { key } = await server.newKey(["gateway:read"], { ratePerMinute: 3 });
    await call(chat(), { key }, false);
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await call(chat(), { key }, true)).status.split(" ")[1]);
    expect(statuses.slice(2)).toEqual(["429", "429"]);
    const { headers, ...rest } = await call(chat(), { key }, true);
    const slow = await call(chat(), { key }, false);
    expect(rest).toEqual({ status: slow.status, body: slow.body });
    expect(Object.keys(headers)).toEqual(Object.keys(slow.headers));
  });

  it.each([
    ["no JSON", "{", "400"],
    ["not an object", "[]", "400"],
    ["without a model", JSON.stringify({ messages }), "400"],
    ["with a model that is none", chat({ model: 5 }), "400"],
    ["for a model that nobody has", chat({ model: "acme/none" }), "404"],
    ["for a model of this process that is not there", chat({ model: "local/none" }), "404"],
    ["with a key that reaches too far", '{"model":"acme/chat","__proto__":{},"messages":[]}', "400"],
  ])("when it is %s", async (_, body, status) => {
    upstream.on("/v1/chat/completions", ({ json }, response) =>
      json.model === "acme/none"
        ? sendJson(response, { error: { message: "no such model", type: "model_not_found" } }, 404)
        : sendJson(response, completion({})),
    );
    const isQuick = body.includes("acme/none");
    expect((await both(body, { key: rich }, isQuick)).status).toContain(` ${status} `);
  });

  it.each([
    ["refuses", 400],
    ["is not in order with us", 401],
    ["fails", 500],
    ["sends something unreadable", 200],
  ])("when the upstream %s", async (_, status) => {
    upstream.on("/v1/chat/completions", (_request, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end("<html>");
    });
    expect((await both(chat(), { key: rich })).status).not.toContain(" 200 ");
    // A success, so that the breaker forgets.
    upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion({})));
    await call(chat(), { key: rich }, false);
  });

  it("when it is repeated under its key", async () => {
    upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion({})));
    const options = { key: rich, headers: { "idempotency-key": "once" } };
    await call(chat(), options, true);
    expect((await both(chat(), options)).headers).toHaveProperty("idempotent-replayed");
    expect((await both(chat({ seed: 1 }), options)).status).toContain(" 409 ");
  });

  it("and is counted, charged and on record as the same", async () => {
    const { key, name } = await server.newAccount("10");
    const route = "/gateway/v1/chat/completions 200";
    const before = (await served())[route] ?? 0;
    await both(chat(), { key });
    await expect.poll(async () => (await served())[route]).toBe(before + 2);
    const rows = await server.admin<{ route: string; requests: number; inputTokens: number }[]>("usage", {
      workspace: name,
    });
    expect(rows).toContainEqual(expect.objectContaining({ route: "POST /gateway/v1/chat/completions", requests: 2 }));
  });
});
