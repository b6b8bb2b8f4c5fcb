import { beforeEach, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { sendJson } from "../support/fake-upstream.ts";
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
