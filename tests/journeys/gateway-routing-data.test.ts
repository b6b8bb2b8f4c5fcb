import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { completion, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const pricing = { input: "0.000001", output: "0.000002" };
const model = (id: string, more = {}) => ({ id, object: "model", created: 1, owned_by: "acme", pricing, ...more });
const seeded = await openUpstream([model("acme/chat")]);
const added = await openUpstream([model("acme/chat"), model("acme/other")]);
const plain = await openUpstream([{ id: "gpt-x", object: "model" }]);
const server = await openGateway([seeded], { SVC_GATEWAY_UPSTREAM_NAME: "seeded" });
let admin = "";
let key = "";
beforeAll(async () => {
  ({ key: admin } = await server.newKey(["admin"]));
});
beforeEach(async () => {
  key = (await server.newAccount("1")).key;
  for (const { received } of [seeded, added, plain]) received.length = 0;
});

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
for (const { on } of [seeded, added, plain]) {
  on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
}
const act = (method: string, path: string, json?: object) =>
  call(`${server.url}/admin/v1${path}`, { key: admin, method, ...(json ? { json } : {}) });
const ask = (wanted: string, more: object = {}) =>
  call(`${server.base}/chat/completions`, {
    key,
    json: { model: wanted, messages: [{ role: "user", content: "x" }], ...more },
  });
const servedBy = async (wanted: string, more: object = {}) =>
  (await ask(wanted, more)).headers.get("x-svc-served-by")?.split(/[ ;]/)[0];
const chatsOf = ({ received }: typeof seeded) => received.filter(({ path }) => path.endsWith("/chat/completions"));
const keysOf = (upstream: typeof seeded) => chatsOf(upstream).map(({ headers }) => headers.authorization);

describe("an upstream that an admin adds", () => {
  it("serves the next request, beside that of the settings, and is told of its keys in turn", async () => {
    expect((await ask("acme/other")).status).toBe(404);
    const made = await act("PUT", "/upstreams/added", { url: added.url, kind: "openai" });
    expect(made.json.upstreams).toMatchObject([
      { name: "seeded", from: "settings" },
      { name: "added", from: "database", weight: 1 },
    ]);
    for (const secret of ["sk-first-0123456789", "sk-second-0123456789"]) {
      const { status, json } = await act("POST", "/upstreams/added/keys", { key: secret });
      expect([status, json.hint]).toEqual([201, "6789"]);
    }
    for (let time = 0; time < 4; time++) expect((await ask("acme/other")).status).toBe(200);
    expect(keysOf(added).toSorted()).toEqual([
      "Bearer sk-first-0123456789",
      "Bearer sk-first-0123456789",
      "Bearer sk-second-0123456789",
      "Bearer sk-second-0123456789",
    ]);
    const shown = await act("GET", "/routing");
    expect(JSON.stringify(shown.json)).not.toContain("sk-first");
    expect(JSON.stringify(await server.admin("upstreams list", {}))).not.toContain("sk-first");
  });

  it("is asked for no more than its key takes in a minute, and then by another of its keys", async () => {
    await act("PUT", "/upstreams/limited", { url: added.url, prefix: "own" });
    await act("POST", "/upstreams/limited/keys", { key: "sk-one", requestsPerMinute: 1 });
    expect((await ask("own/acme/other")).status).toBe(200);
    const refused = await ask("own/acme/other");
    expect([refused.status, refused.json.error.type]).toEqual([429, "rate_limit_exceeded"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    const second = await act("POST", "/upstreams/limited/keys", { key: "sk-two" });
    for (let time = 0; time < 3; time++) expect((await ask("own/acme/other")).status).toBe(200);
    expect(keysOf(added)).toEqual(["Bearer sk-one", ...Array(3).fill("Bearer sk-two")]);
    await act("DELETE", `/upstream-keys/${second.json.id}`);
    expect((await ask("own/acme/other")).status).toBe(429);
    await act("DELETE", "/upstreams/limited");
    expect((await ask("own/acme/other")).status).toBe(404);
  });

  it("puts its provider before its own names of models, at the operator's prices", async () => {
    const prices = { "openai/*": { input: "0.00001", output: "0.00001" } };
    await act("PUT", "/upstreams/direct", { url: plain.url, prefix: "openai", prices, models: ["openai/tuned-*"] });
    for (const name of ["gpt-x", "tuned-1"]) {
      const balance = Number(await server.balance(key));
      expect((await ask(`openai/${name}`)).status).toBe(200);
      expect(JSON.parse(String(chatsOf(plain).at(-1)!.body)).model).toBe(name);
      // 20 tokens at 10 millionths, and the markup.
      expect(Number(await server.balance(key))).toBeCloseTo(balance - 0.00024, 9);
    }
    const { data } = (await call(`${server.base}/models`, { key })).json;
    expect(data).toContainEqual(expect.objectContaining({ id: "openai/gpt-x" }));
    expect((await ask("gpt-x")).status).toBe(404);
    await act("PUT", "/upstreams/direct", { url: plain.url, prefix: "openai", allowed: ["openai/none"] });
    expect((await ask("openai/gpt-x")).status).toBe(404);
    await act("DELETE", "/upstreams/direct");
  });

  it("stands in for that of the settings with its name, until it is removed", async () => {
    await act("PUT", "/upstreams/seeded", { url: seeded.url, isEnabled: false });
    await ask("acme/chat");
    expect([chatsOf(seeded).length, chatsOf(added).length]).toEqual([0, 1]);
    await act("DELETE", "/upstreams/seeded");
    await ask("acme/chat");
    expect(chatsOf(seeded)).toHaveLength(1);
  });

  it.each([
    ["/upstreams/x", { url: "ftp://x.example" }],
    ["/upstreams/x", { url: "https://user:secret@x.example/v1" }],
    ["/upstreams/openai-1", { url: "https://x.example/v1" }],
    ["/upstreams/X", { url: "https://x.example/v1" }],
    ["/upstreams/x", { url: "https://x.example/v1", kind: "cobol" }],
    ["/upstreams/x", { url: "https://x.example/v1", prefix: "local" }],
    ["/upstreams/x", { url: "https://x.example/v1", prices: { "*": { input: "cheap" } } }],
    ["/upstreams/x", { url: "https://x.example/v1", prices: { "*": { tea: "1" } } }],
    ["/aliases/local%2Fx", { models: [{ model: "a/b" }] }],
    ["/aliases/x", { models: [] }],
    ["/routing", { strategy: "luck" }],
  ])("that makes no sense is refused: %s %j", async (path, json) => {
    expect((await act("PUT", path, json)).status).toBe(400);
  });
});

describe("strategies", () => {
  it("put those who serve a model in order", async () => {
    expect(await servedBy("acme/chat")).toBe("seeded");
    await act("PUT", "/upstreams/added", { url: added.url, position: -1 });
    expect(await servedBy("acme/chat")).toBe("added");
    const prices = { "acme/*": { input: "0.000002", output: "0.000002" } };
    await act("PUT", "/upstreams/added", { url: added.url, position: -1, prices });
    await act("PUT", "/routing", { strategy: "cheapest" });
    expect(await servedBy("acme/chat")).toBe("seeded");
    await act("PUT", "/upstreams/added", { url: added.url, weight: 0 });
    await act("PUT", "/routing", { strategy: "weighted" });
    for (let time = 0; time < 5; time++) expect(await servedBy("acme/chat")).toBe("seeded");
    await act("PUT", "/upstreams/added", { url: added.url });
    await act("PUT", "/routing", { strategy: "sticky" });
    const byUser = new Map<string, string | undefined>();
    for (let user = 0; user < 12; user++) byUser.set(`u${user}`, await servedBy("acme/chat", { user: `u${user}` }));
    expect(new Set(byUser.values())).toEqual(new Set(["seeded", "added"]));
    for (const [user, before] of byUser) expect(await servedBy("acme/chat", { user })).toBe(before);
    await act("PUT", "/routing", { strategy: "order" });
  });
});

describe("an alias", () => {
  it("is in the list, for the keys that may use it, and stands for models of upstreams", async () => {
    await act("PUT", "/aliases/team%2Ffast", { models: [{ model: "acme/none" }, { model: "acme/chat" }] });
    expect((await ask("team/fast")).status).toBe(200);
    const listed = async (models: string[]) => {
      const made = await server.newKey(["gateway:read"], { models });
      return (await call(`${server.base}/models`, { key: made.key })).json.data.map(({ id }: { id: string }) => id);
    };
    expect(await listed(["team/*"])).toEqual(["team/fast"]);
    expect(await listed(["acme/chat"])).toEqual(["acme/chat"]);
    const one = await call(`${server.base}/models/team/fast`, { key });
    expect(one.json).toMatchObject({ id: "team/fast", owned_by: "alias", models: ["acme/none", "acme/chat"] });
    await act("DELETE", "/aliases/team%2Ffast");
    expect((await ask("team/fast")).status).toBe(404);
  });

  it("goes on from a model of this process to one of an upstream, and back", async () => {
    await act("PUT", "/aliases/mixed", { models: [{ model: "local/none" }, { model: "acme/chat" }] });
    expect((await ask("mixed")).status).toBe(200);
    await act("PUT", "/aliases/mixed", { models: [{ model: "acme/none" }, { model: "local/none" }] });
    expect((await ask("mixed")).json.error.message).toContain(`no model "local/none"`);
  });

  it("works for speech and forms as for chats", async () => {
    added.on("/v1/audio/speech", (_request, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" });
      response.end("sound");
    });
    added.on("/v1/audio/transcriptions", (_request, response) => sendJson(response, { text: "hello" }));
    await act("PUT", "/aliases/voice", { models: [{ model: "acme/other" }] });
    const spoken = await call(`${server.base}/audio/speech`, {
      key,
      json: { model: "voice", input: "hi", voice: "x" },
    });
    expect(spoken.status).toBe(200);
    const form = new FormData();
    form.set("model", "voice");
    form.set("file", new Blob(["sound"]), "a.mp3");
    const heard = await fetch(`${server.base}/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    expect([heard.status, await heard.json()]).toEqual([200, { text: "hello" }]);
    for (const { body } of added.received.filter(({ path }) => path.includes("/audio/"))) {
      expect(String(body)).toContain("acme/other");
      expect(String(body)).not.toContain("voice\r\n");
    }
  });
});
