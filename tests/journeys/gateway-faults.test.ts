import { beforeEach, describe, expect, it } from "vitest";
import { wavHeader } from "../../src/audio/wav.ts";
import { call } from "../support/call.ts";
import { chunk, completion, event, type FakeUpstream, openEvents, sendJson } from "../support/fake-upstream.ts";
import type { GatewayServer } from "../support/gateway-server.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const path = "/v1/chat/completions";
const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const role = { ...chunk(""), choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] };
const onlyUsage = { ...chunk(""), choices: [], usage };
const stopped = { ...chunk(""), choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

type Answer = Parameters<FakeUpstream["on"]>[1];
const html: Answer = (_request, response) => {
  response.writeHead(200, { "content-type": "text/html" });
  response.end("<html>sorry</html>");
};
const events =
  (...sent: unknown[]): Answer =>
  (_request, response) => {
    openEvents(response);
    response.end(sent.map(event).join(""));
  };
const raw =
  (body: string, type = "application/json"): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": type });
    response.end(body);
  };

const faithless = await openUpstream();
const faithful = await openUpstream();
const alone = await openGateway([faithless], { SVC_GATEWAY_UPSTREAM_KIND: "openrouter" });
const pair = await openGateway([faithless, faithful]);
beforeEach(() => {
  faithless.received.length = 0;
  faithful.received.length = 0;
});

/** A success, so that the breaker forgets what came before. */
async function mend(server: GatewayServer, key: string): Promise<void> {
  faithless.on(path, (_request, response) => sendJson(response, completion(usage)));
  await call(`${server.base}/chat/completions`, { key, json: wanted });
}

const failures: [string, boolean, Answer][] = [
  ["HTML", false, html],
  ["HTML as a stream", true, html],
  ["half of a JSON", false, raw('{"id":"x","choices":[')],
  ["an error object", false, raw('{"error":{"message":"at 127.0.0.1","code":502}}')],
  ["an error that is a text", false, raw('{"error":"no"}')],
  ["nothing", false, raw("")],
  ["an object of nothing", false, raw("{}")],
  ["no choices, and usage", false, raw(JSON.stringify(completion(usage, { choices: [] })))],
  ["a stream of an error", true, events({ error: { message: "no", code: 502 } })],
  ["a stream of an error and its end", true, events({ error: { message: "no" } }, "[DONE]")],
  ["a stream of an error with a choice", true, events({ ...stopped, error: { message: "no" } }, "[DONE]")],
  ["a stream without an event", true, events()],
  ["a stream of its end", true, events("[DONE]")],
  ["a stream of usage", true, events(onlyUsage, "[DONE]")],
  ["a stream of a role and an error", true, events(role, { error: { message: "no" } }, "[DONE]")],
  ["a stream of a role", true, events(role, onlyUsage)],
  ["a stream of comments", true, raw(": thinking\n\n", "text/event-stream")],
  ["a stream of half an event", true, raw('data: {"id":"x"', "text/event-stream")],
];

describe("an upstream whose success is none", () => {
  const long = "word ".repeat(2_000);

  it.each(failures)("costs nothing: %s", async (_name, stream, answer) => {
    const { key } = await alone.newAccount("1");
    faithless.on(path, answer);
    const json = { ...wanted, stream, messages: [{ role: "user", content: long }] };
    const reply = await call(`${alone.base}/chat/completions`, { key, json });
    expect([reply.status, reply.json.error.type]).toEqual([503, "upstream_error"]);
    expect(reply.text).not.toContain("127.0.0.1");
    expect(await alone.balance(key)).toBe("1.00");
    await mend(alone, key);
  });

  it.each(failures)("is replaced by the next: %s", async (_name, stream, answer) => {
    const { key } = await pair.newAccount("1");
    faithless.on(path, answer);
    faithful.on(
      path,
      stream ? events(chunk("Hello"), stopped, "[DONE]") : (_r, response) => sendJson(response, completion(usage)),
    );
    const reply = await call(`${pair.base}/chat/completions`, { key, json: { ...wanted, stream } });
    expect(reply.status).toBe(200);
    expect(reply.text).toContain("Hello");
    expect([faithless.received.length, faithful.received.length]).toEqual([1, 1]);
    await mend(pair, key);
  });

  it("says what is wrong with the request where that is what its stream says", async () => {
    const { key } = await pair.newAccount("1");
    faithless.on(path, events({ error: { message: "the prompt is too long", code: 400 } }));
    const reply = await call(`${pair.base}/chat/completions`, { key, json: { ...wanted, stream: true } });
    expect([reply.status, reply.json.error.message]).toEqual([400, "the prompt is too long"]);
    expect(faithful.received).toHaveLength(0);
  });

  it("is replaced by the next for speech, too", async () => {
    const { key } = await pair.newAccount("1");
    faithless.on("/v1/audio/speech", raw("", "audio/mpeg"));
    faithful.on("/v1/audio/speech", raw("sound", "audio/mpeg"));
    const json = { model: "acme/speech", input: "Hi" };
    const reply = await call(`${pair.base}/audio/speech`, { key, json });
    expect([reply.status, reply.text]).toEqual([200, "sound"]);
    expect(await pair.balance(key)).toBe("0.999964");
  });
});

describe("a model that keeps failing", () => {
  const fail = () => faithless.on(path, (_request, response) => sendJson(response, { error: {} }, 500));
  const embedding = {
    object: "list",
    model: "acme/embed",
    data: [{ object: "embedding", index: 0, embedding: [1] }],
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };

  it("is no longer asked while another upstream has it, and the first one's other models are", async () => {
    const { key } = await pair.newAccount("1");
    fail();
    faithful.on(path, (_request, response) => sendJson(response, completion(usage)));
    for (let count = 0; count < 4; count++) await call(`${pair.base}/chat/completions`, { key, json: wanted });
    const asked = faithless.received.length;
    expect((await call(`${pair.base}/chat/completions`, { key, json: wanted })).status).toBe(200);
    expect(faithless.received).toHaveLength(asked);
    faithless.on("/v1/embeddings", (_request, response) => sendJson(response, embedding));
    const other = await call(`${pair.base}/embeddings`, { key, json: { model: "acme/embed", input: "x" } });
    expect([other.status, faithless.received.length]).toEqual([200, asked + 1]);
  });

  it("is asked all the same when nobody else has it", async () => {
    const { key } = await alone.newAccount("1");
    fail();
    for (let count = 0; count < 5; count++) await call(`${alone.base}/chat/completions`, { key, json: wanted });
    const asked = faithless.received.length;
    const refused = await call(`${alone.base}/chat/completions`, { key, json: wanted });
    expect([refused.status, faithless.received.length]).toEqual([503, asked + 2]);
    await mend(alone, key);
  });
});

describe("a caller who hangs up before the first byte", () => {
  it.each([false, true])(
    "frees an upstream that bills on at once, and pays for what it read (stream: %s)",
    async (stream) => {
      const server = alone;
      const account = await server.newAccount("1");
      let isAsked = () => {};
      const asked = new Promise<void>((resolve) => {
        isAsked = resolve;
      });
      faithless.on("/v1/messages", () => isAsked());
      const abort = new AbortController();
      const hungUp = fetch(`${server.base}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
        body: JSON.stringify({ ...wanted, stream, model: "acme/embed" }),
        signal: abort.signal,
      }).catch(() => {});
      await asked;
      abort.abort();
      await hungUp;
      // The upstream never ends its answer, so its connection closes because the server lets go of it.
      await faithless.received.at(-1)!.closed;
      await expect.poll(() => server.balance(account.key)).not.toBe("1.00");
      expect(Number(await server.balance(account.key))).toBeGreaterThan(0.9999);
    },
  );
});

describe("what is not priced by tokens", () => {
  it("is charged by the length of the recording when the reply is only a text", async () => {
    const { key } = await pair.newAccount("1");
    faithless.on("/v1/audio/transcriptions", (_request, response) => sendJson(response, { text: "hello" }));
    const sound = Buffer.concat([wavHeader({ sampleRateHz: 16_000 }, 64_000), Buffer.alloc(64_000)]);
    const body = new FormData();
    body.append("file", new Blob([sound]), "two-seconds.wav");
    body.append("model", "acme/hear");
    const reply = await call(`${pair.base}/audio/transcriptions`, { key, body });
    expect(reply.json).toEqual({ text: "hello" });
    expect(await pair.balance(key)).toBe("0.99976");
  });
});
