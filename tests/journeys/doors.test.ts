import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** One request per service that only lacks what a test takes away. */
const doors = [
  {
    service: "voice",
    path: "/v1/embeddings",
    json: { input: "hi" },
    scope: "chat",
    unauthorized: "unauthorized",
    lacking: [403, "forbidden"],
  },
  {
    service: "gateway",
    path: "/gateway/v1/credits",
    scope: "gateway:read",
    unauthorized: "invalid_api_key",
    lacking: [401, "invalid_api_key"],
  },
  {
    service: "extraction",
    path: "/extraction/v1/extract",
    file: true,
    scope: "extract",
    unauthorized: "unauthorized",
    lacking: [403, "forbidden"],
  },
] as const;

function knock(door: (typeof doors)[number], key?: string) {
  return call(server.url + door.path, {
    ...(key ? { key } : {}),
    ...("json" in door ? { json: door.json } : {}),
    ...("file" in door ? { body: form({ file: new Blob(["a,b\n1,2\n"]) }) } : {}),
  });
}

describe.each(doors)("the door of the $service service", (door) => {
  it("asks for a key, in its own dialect, and says how to send one", async () => {
    const { status, json, headers } = await knock(door);
    expect(status).toBe(401);
    expect(json.error.type).toBe(door.unauthorized);
    expect(json.error.message).toMatch(/API key is required/);
    if (door.service === "gateway") expect(json.error.code).toBe(401);
    expect(headers.get("x-request-id")).toMatch(/^req_\w{15,}$/);
    for (const name of ["limit", "remaining", "reset"]) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  });

  it("refuses a key it does not know", async () => {
    expect((await knock(door, "parl_nobody")).json.error.type).toBe(door.unauthorized);
  });

  it("refuses a key without the scope", async () => {
    const { key } = await server.newKey([door.scope === "chat" ? "speech" : "chat"]);
    const { status, json, headers } = await knock(door, key);
    expect([status, json.error.type]).toEqual(door.lacking);
    // Nothing was taken: a refusal is no turn.
    expect(headers.get("x-ratelimit-remaining")).toBe(headers.get("x-ratelimit-limit"));
  });

  it("lets a key with the scope in and tells how much it has left", async () => {
    const { key } = await server.newKey([door.scope]);
    const { status, headers } = await knock(door, key);
    expect([401, 403]).not.toContain(status);
    for (const name of ["limit", "remaining", "reset"]) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  });

  it("refuses a revoked key within a second", async () => {
    const { id, key } = await server.newKey([door.scope]);
    expect((await knock(door, key)).status).not.toBe(401);
    await server.admin("keys revoke", { id });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await knock(door, key)).status).toBe(401);
  });

  it("answers an unknown path with 404 and a wrong method with 405, each in its own shape", async () => {
    const base = door.path.replace(/\/[^/]+$/, "");
    const unknown = await call(`${server.url}${base}/nothing-here`, { key: server.key });
    expect([unknown.status, unknown.json.error.type]).toEqual([404, "not_found"]);
    expect(unknown.headers.get("x-ratelimit-limit")).toMatch(/^\d+$/);
    const wrong = await call(server.url + door.path, { method: "DELETE", key: server.key });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe(door.service === "gateway" ? "GET, HEAD" : "POST");
    if (door.service === "gateway") expect(wrong.json.error.code).toBe(405);
  });
});

describe("the edge and the sockets", () => {
  it("tell the rate limit with a 413 too", async () => {
    const { status, headers } = await call(`${server.url}/v1/chat`, { body: "x".repeat(4_600_000), method: "POST" });
    expect([status, headers.get("x-ratelimit-limit")]).toEqual([413, "100000"]);
  });

  it("answer a plain GET on a socket's address in the shape of errors", async () => {
    for (const kind of ["tts", "stt", "stt/auto", "stt/lang"]) {
      const { status, json } = await call(`${server.url}/v1/realtime/${kind}/stream`, {});
      expect([status, json.error.type]).toEqual([404, "not_found"]);
      expect(json.error.message).toContain("is a WebSocket");
    }
  });
});

describe("keys", () => {
  it("cannot be created with an expiry that has passed, and are good for the whole of their last day", async () => {
    const create = (expiresAt: string) =>
      server.admin<{ id: string }>("keys create", { workspace: "default", name: "n", scopes: ["chat"], expiresAt });
    await expect(create("2020-01-31")).rejects.toThrow(/has passed/);
    await expect(create(new Date(Date.now() - 1000).toISOString())).rejects.toThrow(/has passed/);
    await expect(create(new Date().toISOString().slice(0, 10))).resolves.toHaveProperty("key");
    await expect(create("never")).rejects.toThrow(/not a date/);
  });
});

describe("plans", () => {
  it("keep workspaces below PLUS out of the gateway until their plan is raised", async () => {
    await server.admin("workspaces create", { name: "frugal" });
    const { key } = await server.newKey(["gateway:read"], { workspace: "frugal" });
    const { status, json } = await call(`${server.url}/gateway/v1/credits`, { key });
    expect([status, json.error.type, json.error.code]).toEqual([403, "plan_restricted", 403]);
    await server.admin("workspaces set-plan", { name: "frugal", gateway: "PLUS" });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await call(`${server.url}/gateway/v1/credits`, { key })).status).toBe(200);
  });
});

describe("bodies", () => {
  const chat = () => `${server.url}/v1/chat`;
  it.each([
    ["malformed JSON", { body: "{bad", headers: { "content-type": "application/json" } }, /not valid JSON/],
    ["an empty JSON body", { body: "", headers: { "content-type": "application/json" } }, /Send|empty/],
    ["a list", { json: [] }, /must be an object/],
    ["null", { json: null }, /must be an object/],
    ["another content type", { body: "hi", headers: { "content-type": "text/plain" } }, /application\/json/],
    ["a field of the wrong type", { json: { message: 5 } }, /"message" must be a string/],
    ["a number out of range", { json: { message: "hi", temperature: 3 } }, /"temperature" must be at most 2/],
    [
      "a polluted prototype",
      { body: '{"__proto__":{"a":1},"message":"x"}', headers: { "content-type": "application/json" } },
      /JSON/,
    ],
  ])("with %s are a 400 that says what is wrong", async (_name, body, message) => {
    const { status, json } = await call(chat(), { key: server.key, method: "POST", ...(body as object) });
    expect([status, json.error.type]).toEqual([400, "invalid_request"]);
    expect(json.error.message).toMatch(message);
  });

  it("that are forms need each part once", async () => {
    const url = `${server.url}/v1/dub`;
    const missing = await call(url, { key: server.key, body: form({ target_language: "es" }) });
    expect([missing.status, missing.json.error.message]).toEqual([400, '"file" is required.']);
    const file = new Blob(["x"]);
    const double = await call(url, { key: server.key, body: form({ file: [file, file], target_language: "es" }) });
    expect([double.status, double.json.error.message]).toEqual([400, '"file" was sent more than once.']);
    const notForm = await call(url, { key: server.key, json: {} });
    expect(notForm.json.error.message).toMatch(/multipart\/form-data/);
  });

  it("keep a sane request id and replace a strange one", async () => {
    const kept = await call(chat(), { headers: { "x-request-id": "abc-1.2_3" } });
    expect(kept.headers.get("x-request-id")).toBe("abc-1.2_3");
    const replaced = await call(chat(), { headers: { "x-request-id": "a b" } });
    expect(replaced.headers.get("x-request-id")).not.toBe("a b");
  });
});

describe("the edge", () => {
  it("answers a body over 4.5 MB in plain text before it looks at the key", async () => {
    const reply = await call(`${server.url}/v1/transcribe`, {
      body: form({ file: new Blob([Buffer.alloc(4_500_001)]) }),
    });
    expect(reply.status).toBe(413);
    expect(reply.headers.get("content-type")).toMatch(/^text\/plain/);
  });

  it.each(["/extraction/v1/extract", "/gateway/v1/chat/completions"])(
    "of the voice platform does not stop a larger body to %s",
    async (path) => {
      const body = Buffer.alloc(5_000_000, 32);
      const small = await call(`${server.url}${path}`, { body, headers: { "content-type": "application/json" } });
      expect(small.status).toBe(401);
      const huge = Buffer.alloc(25_000_001, 32);
      const large = await call(`${server.url}${path}`, { body: huge, headers: { "content-type": "application/json" } });
      expect([large.status, large.json.error.message]).toEqual([413, "Request body over the limit of 25 MB."]);
    },
  );

  it.each([
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["a version of its own", "GET / HTTP/9.9\r\n\r\n", 400],
    ["a head without end", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, 431],
    ["no host", "POST /gateway/v1/models HTTP/1.1\r\ncontent-length: 0\r\n\r\n", 400],
    ["an address that is none", "GET /gateway/v1/%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", 400],
    ["an expectation", "POST /gateway/v1/models HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\n\r\n", 417],
  ])("answers %s in the shape of errors", async (_name, bytes, status) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.end(bytes);
    const reply = await text(socket);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(reply.split("\r\n").findLast((line) => line.startsWith("{"))!).error.code).toBe(status);
  });

  it("lets a body at its limit through to the key check", async () => {
    const reply = await call(`${server.url}/v1/chat`, {
      body: Buffer.alloc(4_500_000, 32),
      headers: { "content-type": "application/json" },
    });
    expect(reply.status).toBe(401);
  });

  it.each([
    ["JSON", "/v1/chat", "application/json", true],
    ["JSON without a key", "/v1/chat", "application/json", false],
    ["a form", "/v1/transcribe", "multipart/form-data; boundary=xx", true],
    ["a form without a key", "/v1/transcribe", "multipart/form-data; boundary=xx", false],
  ])("counts %s that hides its length", async (_name, path, type, hasKey) => {
    const head = '--xx\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
    async function* chunks() {
      yield Buffer.from(type.startsWith("multipart") ? head : "");
      for (let sent = 0; sent < 50; sent++) yield Buffer.alloc(100_000, 32);
      if (type.startsWith("multipart")) yield Buffer.from("\r\n--xx--\r\n");
    }
    const response = await fetch(server.url + path, {
      method: "POST",
      headers: { ...(hasKey ? { authorization: `Bearer ${server.key}` } : {}), "content-type": type },
      body: ReadableStream.from(chunks()) as unknown as RequestInit["body"],
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  });
});
