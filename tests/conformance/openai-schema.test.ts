import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { type GatewayServer, startGatewayServer } from "../support/gateway-server.ts";

/** Replies as OpenAI's published description has them. The schemas come from the types of its client, which are generated from
 *  that description; a field it does not know is allowed, one that is missing or of another type is not. */
const schemas = JSON.parse(readFileSync(join(import.meta.dirname, "openai-schemas.json"), "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(schemas, "openai");

function expectValid(name: string, value: unknown): void {
  const validate = ajv.getSchema(`openai#/definitions/${name}`)!;
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

let mock: LLMock;
let server: GatewayServer;
let key: string;
beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  mock.onMessage("hello", { content: "Hi there, how are you?" });
  mock.onMessage("weather", { toolCalls: [{ name: "get_weather", arguments: '{"city":"Paris"}' }] });
  mock.onEmbedding("meaning", { embedding: [0.25, -0.5, 1, 2] });
  mock.onImage("a cat", { image: { b64Json: "aGVsbG8=" } });
  mock.onTranscription({ transcription: { text: "what was said" } });
  await mock.start();
  server = await startGatewayServer({ SVC_GATEWAY_UPSTREAM_URL: `${mock.url}/v1`, SVC_GATEWAY_UPSTREAM_KEY: "mock" });
  ({ key } = await server.newAccount("100"));
});
afterAll(async () => {
  await server.close();
  await mock.stop();
});

const post = (path: string, json: object) => call(`${server.base}${path}`, { key, json });

it.each(["hello", "weather"])(
  "a chat about %s is a ChatCompletion, and its stream is made of chunks",
  async (content) => {
    const asked = { model: "openai/gpt-4o", messages: [{ role: "user", content }] };
    expectValid("ChatCompletion", (await post("/chat/completions", asked)).json);
    const { text } = await post("/chat/completions", {
      ...asked,
      stream: true,
      stream_options: { include_usage: true },
    });
    const events = text.split("\n\n").filter((event) => event.startsWith("data: {"));
    expect(events.length).toBeGreaterThan(1);
    for (const event of events) expectValid("ChatCompletionChunk", JSON.parse(event.slice(6)));
  },
);

it("embeddings, images, transcriptions and models are what the client's types say", async () => {
  const vectors = await post("/embeddings", { model: "openai/text-embedding-3-small", input: "meaning" });
  expectValid("CreateEmbeddingResponse", vectors.json);
  expectValid(
    "ImagesResponse",
    (await post("/images/generations", { model: "openai/gpt-image-1", prompt: "a cat" })).json,
  );
  const body = form({ file: new Blob([Buffer.alloc(2000)]), model: "openai/whisper-1" });
  expectValid("Transcription", (await call(`${server.base}/audio/transcriptions`, { key, body })).json);
  const { json } = await call(`${server.base}/models`, { key });
  expect(json.object).toBe("list");
  for (const model of json.data) expectValid("Model", model);
});
