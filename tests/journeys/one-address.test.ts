import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let client: OpenAI;
beforeAll(async () => {
  server = await startServer({ SVC_CHAT_ENGINE: "openai:http://127.0.0.1:9/v1#gone" });
  client = new OpenAI({ apiKey: server.key, baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterAll(() => server.close());

describe("an OpenAI client with the voice platform's address", () => {
  it("lists the gateway's models", async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toContain("local/bge-small-en-v1.5");
    expect((await client.models.retrieve("local/bge-small-en-v1.5")).id).toBe("local/bge-small-en-v1.5");
  });

  it.each(["/messages/count_tokens", "/requests", "/credits", "/report", "/videos/generations/none"])(
    "reaches %s, which only the gateway has",
    async (path) => {
      const { json } = await call(`${server.url}/v1${path}`, { key: server.key });
      const own = await call(`${server.url}/gateway/v1${path}`, { key: server.key });
      expect(Object.keys(json)).toEqual(Object.keys(own.json));
    },
  );

  it("gets embeddings in OpenAI's shape, by number and packed", async () => {
    const model = "local/bge-small-en-v1.5";
    const packed = await client.embeddings.create({ model, input: ["a cat", "a kitten"] });
    const plain = await client.embeddings.create({ model, input: "a cat", encoding_format: "float" });
    expect(packed.data).toHaveLength(2);
    expect(packed.data[0]!.embedding[0]).toBeCloseTo(plain.data[0]!.embedding[0]!, 5);
    expect(packed.usage.prompt_tokens).toBeGreaterThan(0);
  });

  it("is told by the gateway what is wrong, in OpenAI's shape", async () => {
    const asked = client.chat.completions.create({ model: "gpt-none", messages: [{ role: "user", content: "Hi." }] });
    await expect(asked).rejects.toMatchObject({ status: 404, type: "model_not_found" });
    const embedded = client.embeddings.create({ model: "local/none", input: "a" });
    await expect(embedded).rejects.toMatchObject({ status: 404, type: "model_not_found" });
  });

  it("and whoever sends no model gets the voice platform's own reply", async () => {
    const { json } = await call(`${server.url}/v1/embeddings`, { key: server.key, json: { input: "a cat" } });
    expect(json).toMatchObject({ dimensions: 384, model: "svc-embed-1" });
  });
});

describe("an address that is nearly right", () => {
  it.each([
    ["/extract", "/extraction/v1/extract"],
    ["/v1/extract", "/extraction/v1/extract"],
    ["/chat/completions", "/gateway/v1/chat/completions"],
    ["/gateway/chat/completions", "/gateway/v1/chat/completions"],
    ["/v1/v1/speech", "/v1/speech"],
    ["/speech", "/v1/speech"],
  ])("%s is a 404 that names %s", async (path, meant) => {
    const { status, json } = await call(server.url + path, { key: server.key, json: {} });
    expect([status, json.error.message]).toEqual([404, expect.stringContaining(`Did you mean ${meant}?`)]);
  });
});

describe("a field that does not exist", () => {
  it.each([
    ["/v1/speech", { text: "Hi.", lang: "en-us" }, 'There is no field "lang". Did you mean "language"?'],
    ["/v1/translate", { text: "Hi.", target: "es" }, 'Did you mean "target_language"?'],
    ["/v1/chat", { message: "Hi.", temprature: 1 }, 'Did you mean "temperature"?'],
    ["/v1/personas", { name: "A", baseVoice: "af_heart" }, 'Did you mean "base_voice"?'],
    ["/v1/realtime/tts", { format: "mp3" }, 'There is no field "format". Fields: voice, language'],
    ["/v1/embeddings", { inputs: ["a"] }, 'Did you mean "input"?'],
  ])("in a request to %s is a 400 that names the one that was meant", async (path, json, message) => {
    const reply = await call(server.url + path, { key: server.key, json });
    expect([reply.status, reply.json.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it("in a form is a 400 too", async () => {
    const file = new Blob(["x"]);
    const heard = await call(`${server.url}/v1/transcribe`, { key: server.key, body: form({ file, lang: "en" }) });
    expect([heard.status, heard.json.error.message]).toEqual([400, expect.stringContaining('"language"')]);
    const body = form({ file, template: "invoice" });
    const read = await call(`${server.url}/extraction/v1/extract`, { key: server.key, body });
    expect([read.status, read.json.error.message]).toEqual([400, expect.stringContaining('"template_id"')]);
  });

  it("is ignored where OpenAI's clients ask", async () => {
    const json = { model: "tts-1", input: "", voice: "alloy", seed: 1 };
    const { status, json: reply } = await call(`${server.url}/v1/audio/speech`, { key: server.key, json });
    expect([status, reply.error.message]).toEqual([400, '"input" must not be empty.']);
  });
});

describe("a remote engine that does not answer", () => {
  it("makes /readyz 503 and says so there", async () => {
    const ready = () => call(`${server.url}/readyz`);
    await expect.poll(async () => (await ready()).status, { timeout: 10_000 }).toBe(503);
    const chat = (await ready()).json.engines.find(({ capability }: { capability: string }) => capability === "chat");
    expect(chat).toMatchObject({ state: "failed", reason: expect.stringContaining("does not answer") });
  });
});
