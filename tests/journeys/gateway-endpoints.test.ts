import { beforeEach, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
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

describe("images", () => {
  it("cost their price each, and the result passes as it is", async () => {
    const body = { created: 1, data: [{ b64_json: "aGk=" }, { b64_json: "aGk=" }] };
    upstream.on("/v1/images/generations", (_request, response) => sendJson(response, body));
    const reply = await post("/images/generations", { model: "acme/image", prompt: "a cat", size: "512x512", n: 2 });
    expect(reply.text).toBe(JSON.stringify(body));
    expect(await server.balance(key)).toBe("9.904");
    expect((await post("/images/generations", { model: "acme/image", prompt: "a", size: "big" })).status).toBe(400);
  });
});

describe("speech", () => {
  it("is binary audio, charged by characters", async () => {
    upstream.on("/v1/audio/speech", (_request, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" });
      response.end(Buffer.alloc(50_000, 7));
    });
    const response = await fetch(`${server.base}/audio/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "acme/speech", input: "Hello there", voice: "alloy" }),
    });
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect(response.headers.get("x-svc-cost-usd")).toBe("0.000198");
    expect((await response.arrayBuffer()).byteLength).toBe(50_000);
    expect(await server.balance(key)).toBe("9.999802");
  });

  it.each([{ speed: 0.2 }, { speed: 4.1 }, { response_format: "ogg" }, { input: "" }])("refuses %o", async (wrong) => {
    const reply = await post("/audio/speech", { model: "acme/speech", input: "x", ...wrong });
    expect([reply.status, reply.json.error.type]).toEqual([400, "invalid_request"]);
  });

  it("comes out of Vercel's JSON as the file that was asked for", async () => {
    const account = await vercel.newAccount("1");
    upstream.on("/v4/ai/speech-model", (_request, response) =>
      sendJson(response, {
        audio: Buffer.from("RIFF....").toString("base64"),
        providerMetadata: { gateway: { cost: "0.002" } },
      }),
    );
    const json = { model: "acme/speech", input: "Hi", response_format: "wav", voice: "nova" };
    const reply = await call(`${vercel.base}/audio/speech`, { key: account.key, json });
    expect(reply.text).toBe("RIFF....");
    expect(reply.headers.get("content-type")).toBe("audio/wav");
    const [received] = upstream.received;
    expect(received!.json).toEqual({ text: "Hi", voice: "nova", outputFormat: "wav" });
    expect(received!.headers["ai-model-id"]).toBe("acme/speech");
    const headers = { "idempotency-key": "k" };
    for (let asked = 0; asked < 2; asked++) {
      await call(`${vercel.base}/audio/speech`, { key: account.key, json, headers });
    }
    expect(await vercel.balance(account.key)).toBe("0.9952");
  });
});

describe("transcriptions", () => {
  const file = new Blob([Buffer.alloc(32_000)], { type: "audio/wav" });

  it("go upstream as the form they came in, and cost their seconds", async () => {
    upstream.on("/v1/audio/transcriptions", (_request, response) =>
      sendJson(response, { text: "hello", usage: { type: "duration", seconds: 3 } }),
    );
    const data = form({ file, model: "acme/hear", language: "en", "timestamp_granularities[]": ["word", "segment"] });
    const reply = await call(`${server.base}/audio/transcriptions`, { key, body: data });
    expect(reply.json.text).toBe("hello");
    const sent = upstream.received[0]!;
    expect(sent.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(sent.body.toString("latin1").match(/timestamp_granularities\[\]/g)).toHaveLength(2);
    expect(await server.balance(key)).toBe("9.99964");
  });

  it("that are a page of HTML are an upstream_error and cost nothing", async () => {
    upstream.on("/v1/audio/transcriptions", (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    });
    const before = await server.balance(key);
    const reply = await call(`${server.base}/audio/transcriptions`, { key, body: form({ file, model: "acme/hear" }) });
    expect([reply.status, reply.json.error.type]).toEqual([503, "upstream_error"]);
    expect(await server.balance(key)).toBe(before);
  });

  it("as text pass as text", async () => {
    upstream.on("/v1/audio/translations", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("hello\n");
    });
    const reply = await call(`${server.base}/audio/translations`, {
      key,
      body: form({ file, model: "acme/hear", response_format: "text" }),
    });
    expect(reply.text).toBe("hello\n");
    expect(Number(await server.balance(key))).toBeLessThan(10);
  });

  it("are translated for Vercel, which wants JSON, and written in the format that was asked for", async () => {
    const account = await vercel.newAccount("1");
    upstream.on("/v4/ai/transcription-model", (_request, response) =>
      sendJson(response, {
        text: "hello world",
        segments: [{ text: "hello world", startSecond: 0.5, endSecond: 1.25 }],
        language: "en",
        durationInSeconds: 2,
      }),
    );
    const ask = (format: string) =>
      call(`${vercel.base}/audio/transcriptions`, {
        key: account.key,
        body: form({ file, model: "acme/hear", response_format: format }),
      });
    expect((await ask("json")).json).toEqual({ text: "hello world" });
    expect((await ask("srt")).text).toBe("1\n00:00:00,500 --> 00:00:01,250\nhello world\n");
    expect((await ask("verbose_json")).json).toMatchObject({ duration: 2, language: "english" });
    expect(Buffer.from(upstream.received[0]!.json.audio, "base64")).toHaveLength(32_000);
    expect(await vercel.balance(account.key)).toBe("0.99928");
  });

  it.each([
    ["no file", { model: "acme/hear" }, /"file" is required/],
    ["two models", { file, model: ["acme/hear", "acme/chat"] }, /more than once/],
  ])("with %s are a 400", async (_name, fields, message) => {
    const reply = await call(`${server.base}/audio/transcriptions`, { key, body: form(fields) });
    expect([reply.status, reply.json.error.type]).toEqual([400, "invalid_request"]);
    expect(reply.json.error.message).toMatch(message);
  });

  it("sent as JSON are a 400", async () => {
    expect((await post("/audio/transcriptions", { model: "acme/hear" })).json.error.message).toMatch(/multipart/);
  });
});

describe("videos", () => {
  it("are one long request, or a job to come back for", async () => {
    const made = { data: [{ url: "https://videos.example/1.mp4" }] };
    upstream.on("/v1/videos/generations", (_request, response) => sendJson(response, made));
    const wanted = { model: "acme/video", prompt: "a cat", duration: 5, aspectRatio: "16:9", generateAudio: true };
    const reply = await post("/videos/generations", wanted);
    expect(reply.json.data[0].url).toBe("https://videos.example/1.mp4");
    expect(await server.balance(key)).toBe("9.40");
    let finish = () => {};
    upstream.on("/v1/videos/generations", (_request, response) => {
      finish = () => sendJson(response, made);
    });
    const queued = await post("/videos/generations", wanted, { prefer: "respond-async" });
    expect([queued.status, queued.json.object, queued.json.status]).toEqual([202, "video.generation", "queued"]);
    const job = `${server.base}/videos/generations/${queued.json.id}`;
    let state = await call(job, { key });
    expect(state.json.status).toBe("running");
    await expect.poll(() => upstream.received.length).toBe(2);
    finish();
    while (state.json.status === "running") {
      await new Promise((resolve) => setTimeout(resolve, 100));
      state = await call(job, { key });
    }
    expect(state.json).toMatchObject({ status: "completed", data: [{ url: "https://videos.example/1.mp4" }] });
    const other = await server.newAccount("1");
    expect((await call(job, { key: other.key })).status).toBe(404);
    expect(await server.balance(key)).toBe("8.80");
  });

  it("are started and polled where the upstream has jobs", async () => {
    const account = await vercel.newAccount("5");
    let polls = 0;
    upstream.on("/v4/ai/video-model/start", (_request, response) => sendJson(response, { operation: { id: "op" } }));
    upstream.on("/v4/ai/video-model/status", (_request, response) => {
      polls += 1;
      const videos = [{ type: "url", url: "https://v.example/2.mp4", mediaType: "video/mp4" }];
      sendJson(response, polls < 2 ? { status: "pending" } : { status: "completed", videos });
    });
    const json = { model: "acme/video", prompt: "a dog", duration: 2 };
    const reply = await call(`${vercel.base}/videos/generations`, { key: account.key, json });
    expect(reply.json).toMatchObject({ status: "completed", data: [{ url: "https://v.example/2.mp4" }] });
    expect(upstream.received.some(({ headers }) => headers["idempotency-key"])).toBe(true);
    expect(await vercel.balance(account.key)).toBe("4.76");
  });

  it("that a client no longer waits for are paid for, because the upstream goes on", async () => {
    const account = await vercel.newAccount("5");
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    upstream.on("/v4/ai/video-model/start", (_request, response) => {
      sendJson(response, { operation: { id: "op" } });
      begun();
    });
    upstream.on("/v4/ai/video-model/status", (_request, response) =>
      sendJson(response, { status: "completed", videos: [] }),
    );
    const abort = new AbortController();
    const hungUp = expect(
      fetch(`${vercel.base}/videos/generations`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "acme/video", prompt: "a dog", duration: 1, n: 2 }),
        signal: abort.signal,
      }),
    ).rejects.toThrow();
    await hasBegun;
    abort.abort();
    await hungUp;
    const deadline = Date.now() + 10_000;
    while ((await vercel.balance(account.key)) === "5.00" && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await vercel.balance(account.key)).toBe("4.76");
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
