import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { chunk, completion, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const pricing = { input: "0.000001", output: "0.000002" };
const model = (id: string) => ({ id, object: "model", created: 1, owned_by: "acme", pricing });
const upstream = await openUpstream([model("acme/chat"), model("acme/hear")]);
const server = await openGateway([upstream]);
let key = "";
beforeEach(async () => {
  key = (await server.newAccount("1")).key;
});

const spent = async () => Number((1 - Number(await server.balance(key))).toFixed(9));
/** 2.26 s of silence, which is no whole number of anything. */
function recording(): Blob {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(32_000, 28);
  head.write("data", 36);
  head.writeUInt32LE(72_320, 40);
  return new Blob([head, Buffer.alloc(72_320)], { type: "audio/wav" });
}

function transcribe(): ReturnType<typeof call> {
  const body = new FormData();
  body.append("file", recording(), "a.wav");
  body.append("model", "acme/hear");
  return call(`${server.base}/audio/transcriptions`, { key, body });
}

describe("a transcription by a model that is priced by tokens", () => {
  it("costs the tokens that the upstream tells", async () => {
    upstream.on("/v1/audio/transcriptions", (_request, response) =>
      sendJson(response, { text: "hello", usage: { type: "tokens", input_tokens: 100, output_tokens: 50 } }),
    );
    const reply = await transcribe();
    expect([reply.status, reply.json.text]).toEqual([200, "hello"]);
    expect(await spent()).toBe(0.00024);
  });

  it("is estimated by its length where the upstream tells nothing", async () => {
    upstream.on("/v1/audio/transcriptions", (_request, response) => sendJson(response, { text: "hello" }));
    expect((await transcribe()).status).toBe(200);
    // 68 tokens heard and one written.
    expect(await spent()).toBe(0.000084);
  });
});

describe("usage that cannot be read", () => {
  const json = { model: "acme/chat", messages: [{ role: "user", content: "Say hello." }] };
  // Not by `call`, which checks replies: these are the upstream's own bytes.
  const ask = (more: object = {}) =>
    fetch(`${server.base}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...json, ...more }),
    }).then(async (reply) => ({ status: reply.status, text: await reply.text() }));
  const unreadable: object[] = [
    { prompt_tokens: "NaN", completion_tokens: "NaN" },
    { prompt_tokens: "NaN", completion_tokens: 1, total_tokens: 1 },
    { prompt_tokens: "12", completion_tokens: "34" },
    { prompt_tokens: -3, completion_tokens: 1 },
    { type: "duration", seconds: 2 },
    { prompt_tokens: {}, completion_tokens: [] },
  ];

  it.each(unreadable)("is estimated from what was read and written: %j", async (usage) => {
    upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
    expect((await ask()).status).toBe(200);
    // A handful of tokens read, and some written.
    expect(await spent()).toBeGreaterThan(0.000006);
    expect(await spent()).toBeLessThan(0.00005);
  });

  it.each(unreadable)("is estimated in a stream, too: %j", async (usage) => {
    upstream.on("/v1/chat/completions", (_request, response) => {
      openEvents(response);
      response.write(event(chunk("Hello.")));
      response.write(event({ ...chunk(""), choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage }));
      response.end(event("[DONE]"));
    });
    expect((await ask({ stream: true })).text).toContain("[DONE]");
    expect(await spent()).toBeGreaterThan(0.000006);
    expect(await spent()).toBeLessThan(0.00005);
  });

  it("of a transcription that tells its duration, by a model that is priced by tokens, is estimated", async () => {
    upstream.on("/v1/audio/transcriptions", (_request, response) =>
      sendJson(response, { text: "hello", usage: { type: "duration", seconds: 3 } }),
    );
    expect((await transcribe()).status).toBe(200);
    expect(await spent()).toBe(0.000084);
  });
});
