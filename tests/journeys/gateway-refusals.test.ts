import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { completion, type FakeUpstream, sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { type GatewayServer, startGatewayServer } from "../support/gateway-server.ts";

let upstream: FakeUpstream;
let server: GatewayServer;
let unconfigured: GatewayServer;
let rich: string;
let poor: string;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  server = await startGatewayServer({ SVC_GATEWAY_UPSTREAM_URL: upstream.url });
  unconfigured = await startGatewayServer({});
  rich = (await server.newAccount("10")).key;
  poor = (await server.newAccount(undefined)).key;
});
afterAll(async () => {
  await server.close();
  await unconfigured.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.received.length = 0;
});

const messages = [{ role: "user", content: "hi" }];
/** Every endpoint that spends money, with the least that it takes. */
const endpoints: [path: string, least: Record<string, unknown>][] = [
  ["/chat/completions", { model: "acme/chat", messages }],
  ["/responses", { model: "acme/chat" }],
  ["/messages", { model: "acme/chat", messages, max_tokens: 5 }],
  ["/embeddings", { model: "acme/embed", input: "hi" }],
  ["/images/generations", { model: "acme/image", prompt: "a fox" }],
  ["/audio/speech", { model: "acme/speech", input: "hi" }],
  ["/audio/transcriptions", { model: "acme/hear" }],
  ["/audio/translations", { model: "acme/hear" }],
  ["/videos/generations", { model: "acme/video", prompt: "a fox" }],
  ["/rerank", { model: "acme/rank", query: "q", documents: ["d"] }],
  ["/realtime/token", { model: "acme/talk" }],
];

/** As the endpoint wants it: as a form where a file belongs to it. */
function ask(path: string, fields: Record<string, unknown>, key: string | undefined, base = server.base) {
  const body = path.startsWith("/audio/tran")
    ? { body: form({ ...(fields as Record<string, string>), file: new Blob(["RIFF"]) }) }
    : { json: fields };
  return call(`${base}${path}`, { ...(key === undefined ? {} : { key }), ...body });
}

describe.each(endpoints)("%s", (path, least) => {
  const refusal = async (fields: Record<string, unknown>, key: string | undefined, base?: string) => {
    const { status, json } = await ask(path, fields, key, base);
    expect(json.error).toMatchObject({ message: expect.any(String), param: null, code: status });
    expect(upstream.received).toEqual([]);
    return [status, json.error.type];
  };

  it("is refused without a key, with an unknown one, and with one that lacks the scope", async () => {
    const { key: other } = await server.newKey(["speech"]);
    for (const key of [undefined, "parl_unknown", other]) {
      expect(await refusal(least, key)).toEqual([401, "invalid_api_key"]);
    }
  });

  it("is refused on a plan without it", async () => {
    const { name, key } = await server.newAccount("1");
    await server.admin("workspaces set-plan", { name, gateway: "FREE" });
    expect(await refusal(least, key)).toEqual([403, "plan_restricted"]);
  });

  it("is refused beyond the rate limit", async () => {
    const { name } = await server.newAccount(undefined);
    const { key } = await server.newKey(["gateway:read"], { workspace: name, ratePerMinute: 1 });
    await call(`${server.base}/models`, { key });
    expect(await refusal(least, key)).toEqual([429, "rate_limit_exceeded"]);
  });

  it("is refused without its fields", async () => {
    for (const name of Object.keys(least)) {
      const { [name]: _, ...rest } = least;
      expect(await refusal(rest, rich), `without ${name}`).toEqual([400, "invalid_request"]);
    }
    for (const model of ["m".repeat(501), "acme/chat\0", "acme/chat:\u0007"]) {
      expect(await refusal({ ...least, model }, rich)).toEqual([400, "invalid_request"]);
    }
  });

  it("is refused on a balance of zero", async () => {
    expect(await refusal(least, poor)).toEqual([402, "insufficient_credits"]);
  });

  it("knows no model that is not listed", async () => {
    expect(await refusal({ ...least, model: "acme/unheard-of" }, rich)).toEqual([404, "model_not_found"]);
  });

  it("is unavailable without an upstream", async () => {
    const { key } = await unconfigured.newAccount("1");
    expect(await refusal(least, key, unconfigured.base)).toEqual([503, "gateway_unavailable"]);
  });

  it("costs nothing when the upstream fails", async () => {
    const before = await server.balance(rich);
    upstream.on("*", (_request, response) => sendJson(response, { error: { message: "no", type: "invalid" } }, 400));
    const { status, json } = await ask(path, least, rich);
    expect([status, json.error.type]).toEqual([400, "invalid_request"]);
    expect(await server.balance(rich)).toBe(before);
  });
});

describe("two workspaces", () => {
  it("may use the same Idempotency-Key, and neither gets the other's reply", async () => {
    let count = 0;
    upstream.on("/v1/chat/completions", (_request, response) => {
      count += 1;
      sendJson(response, completion({ prompt_tokens: 1, completion_tokens: 1 }, { id: `gen_${count}` }));
    });
    const keys = [(await server.newAccount("1")).key, (await server.newAccount("1")).key];
    const json = { model: "acme/chat", messages };
    const replies = [];
    for (const key of [...keys, ...keys]) {
      const headers = { "idempotency-key": "shared" };
      replies.push(await call(`${server.base}/chat/completions`, { key, json, headers }));
    }
    expect(replies.map((reply) => reply.json.id)).toEqual(["gen_1", "gen_2", "gen_1", "gen_2"]);
    expect(replies.map((reply) => reply.headers.get("idempotent-replayed"))).toEqual([null, null, "true", "true"]);
  });

  it("do not see each other's videos: a foreign id looks like a missing one", async () => {
    upstream.on("/v1/videos/generations", (_request, response) => sendJson(response, { created: 1, data: [] }));
    const [mine, theirs] = [await server.newAccount("10"), await server.newAccount("10")];
    const headers = { prefer: "respond-async" };
    const json = { model: "acme/video", prompt: "a fox", duration: 5 };
    const { status, json: job } = await call(`${server.base}/videos/generations`, { key: mine.key, json, headers });
    expect([status, job.object, job.status]).toEqual([202, "video.generation", "queued"]);
    const look = async (key: string, id: string) => {
      const reply = await call(`${server.base}/videos/generations/${id}`, { key });
      return [reply.status, reply.json.error?.type, reply.json.error?.message.replace(id, "ID")];
    };
    expect((await look(mine.key, job.id))[0]).toBe(200);
    const foreign = await look(theirs.key, job.id);
    expect(foreign.slice(0, 2)).toEqual([404, "not_found"]);
    expect(foreign).toEqual(await look(theirs.key, `${job.id.slice(0, -1)}_`));
  });
});

describe("an Idempotency-Key", () => {
  it.each([
    ["/videos/generations", { model: "acme/video", prompt: "a fox", duration: 5 }, {}],
    ["/videos/generations", { model: "acme/video", prompt: "a fox", duration: 5 }, { prefer: "respond-async" }],
    ["/realtime/token", { model: "acme/talk" }, {}],
    ["/images/generations", { model: "acme/image", prompt: "a fox" }, {}],
    ["/audio/speech", { model: "acme/speech", input: "a fox" }, {}],
  ])("of %s %j %j gets the same reply again and costs once", async (path, json, prefer) => {
    upstream.on("*", ({ path: asked }, response) => {
      if (asked.endsWith("/speech")) response.writeHead(200, { "content-type": "audio/mpeg" }).end("ID3");
      else sendJson(response, { created: 1, data: [{ url: "u" }], value: "ek_1", expires_at: 1_800_000_000 });
    });
    const { key } = await server.newAccount("10");
    const headers = { "idempotency-key": "once", ...prefer };
    const first = await call(`${server.base}${path}`, { key, json, headers });
    expect(first.status).toBeLessThan(300);
    const again = await call(`${server.base}${path}`, { key, json, headers });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    await expect.poll(() => upstream.received.length).toBe(1);
  });

  const ask = (key: string, name: string, text = "hi") =>
    call(`${server.base}/chat/completions`, {
      key,
      json: { model: "acme/chat", messages: [{ role: "user", content: text }] },
      headers: { "idempotency-key": name },
    });

  it("is free again after a failure", async () => {
    upstream.on("/v1/chat/completions", (_request, response) =>
      sendJson(response, { error: { message: "no", type: "invalid" } }, 400),
    );
    expect((await ask(rich, "again")).status).toBe(400);
    upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion({ prompt_tokens: 1 })));
    expect((await ask(rich, "again", "something else")).status).toBe(200);
  });

  it("longer than 255 characters is a 400", async () => {
    const { status, json } = await ask(rich, "k".repeat(256));
    expect([status, json.error.type]).toEqual([400, "invalid_request"]);
  });
});
