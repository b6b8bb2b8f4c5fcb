import { beforeEach, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { completion, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const upstream = await openUpstream();
const server = await openGateway([upstream]);
const unconfigured = await openGateway([]);
const { key: rich } = await server.newAccount("10");
const { key: poor } = await server.newAccount(undefined);
beforeEach(() => {
  upstream.received.length = 0;
});

const messages = [{ role: "user", content: "hi" }];
/** Every endpoint that spends money, with the least that it takes. */
const endpoints: [path: string, least: Record<string, unknown>][] = [
  ["/chat/completions", { model: "acme/chat", messages }],
  ["/responses", { model: "acme/chat" }],
  ["/messages", { model: "acme/chat", messages, max_tokens: 5 }],
  ["/completions", { model: "acme/chat", prompt: "hi" }],
  ["/moderations", { model: "acme/chat", input: "hi" }],
  ["/images/edits", { model: "acme/image", prompt: "a fox" }],
  ["/embeddings", { model: "acme/embed", input: "hi" }],
  ["/images/generations", { model: "acme/image", prompt: "a fox" }],
  ["/audio/speech", { model: "acme/speech", input: "hi" }],
  ["/audio/transcriptions", { model: "acme/hear" }],
  ["/audio/translations", { model: "acme/hear" }],
  ["/videos/generations", { model: "acme/video", prompt: "a fox" }],
  ["/rerank", { model: "acme/rank", query: "q", documents: ["d"] }],
  ["/realtime/token", { model: "acme/talk" }],
];

const anthropicTypes: Record<string, string> = {
  invalid_request_error: "invalid_request",
  authentication_error: "invalid_api_key",
  billing_error: "insufficient_credits",
  permission_error: "plan_restricted",
  not_found_error: "model_not_found",
  rate_limit_error: "rate_limit_exceeded",
  overloaded_error: "gateway_unavailable",
};

/** As the endpoint wants it: as a form where a file belongs to it. */
function ask(path: string, fields: Record<string, unknown>, key: string | undefined, base = server.base) {
  const body = /^\/(audio\/tran|images\/edits)/.test(path)
    ? { body: form({ ...(fields as Record<string, string>), file: new Blob(["RIFF"]) }) }
    : { json: fields };
  return call(`${base}${path}`, { ...(key === undefined ? {} : { key }), ...body });
}

describe.each(endpoints)("%s", (path, least) => {
  const refusal = async (fields: Record<string, unknown>, key: string | undefined, base?: string) => {
    const { status, json } = await ask(path, fields, key, base);
    expect(json.error).toMatchObject({ message: expect.any(String), param: null, code: status });
    expect(upstream.received).toEqual([]);
    return [status, typeOf(json.error)];
  };
  /** By the gateway's name, also where Anthropic's clients read another. */
  const typeOf = ({ type }: { type: string }) => (path === "/messages" ? anthropicTypes[type] : type);

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
    expect([status, typeOf(json.error)]).toEqual([400, "invalid_request"]);
    expect(await server.balance(rich)).toBe(before);
  });
});

describe("a key's own rules", () => {
  const usage = { prompt_tokens: 30, completion_tokens: 30 };
  const keyWith = async (rules: object) => {
    upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
    const { name } = await server.newAccount("10");
    const wanted = { workspace: name, name: "ruled", scopes: ["gateway:read"], ...rules };
    return (await server.admin<{ key: string }>("keys create", wanted)).key;
  };
  const chat = (key: string, more: object = {}) =>
    call(`${server.base}/chat/completions`, { key, json: { model: "acme/chat", max_tokens: 30, messages, ...more } });

  it("name the models that it may use, also as alternatives and on this server", async () => {
    const key = await keyWith({ models: ["acme/c*"] });
    expect((await chat(key)).status).toBe(200);
    for (const more of [{ model: "acme/image" }, { models: ["acme/image"] }, { model: "local/tinyllama-1.1b-chat" }]) {
      const { status, json } = await chat(key, more);
      expect([status, json.error.type]).toEqual([403, "model_not_allowed"]);
    }
  });

  it("limit its tokens a minute", async () => {
    const key = await keyWith({ tokensPerMinute: 100 });
    expect([(await chat(key)).status, (await chat(key)).status]).toEqual([200, 200]);
    const { status, json, headers } = await chat(key);
    expect([status, json.error.type]).toEqual([429, "rate_limit_exceeded"]);
    expect(json.error.message).toContain("100 tokens a minute");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("limit what it costs in a day, beside a month that has room", async () => {
    // One answer is 0.000108, and a little more is set aside for it.
    const key = await keyWith({ dailyLimitUsd: "0.0006", monthlyLimitUsd: "5.00" });
    const replies = [];
    for (let n = 0; n < 6; n++) replies.push(await chat(key));
    expect(replies[0]!.status).toBe(200);
    const { status, json } = replies.at(-1)!;
    expect([status, json.error.type]).toEqual([402, "insufficient_credits"]);
    expect(json.error.message).toMatch(/limit of \$0\.0006 a day/);
  });

  it("are refused where they make no sense", async () => {
    for (const rules of [{ tokensPerMinute: 0 }, { dailyLimitUsd: "-1" }, { models: [] }, { models: ["a b"] }]) {
      await expect(keyWith(rules)).rejects.toThrow();
    }
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
