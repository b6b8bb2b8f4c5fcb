import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import { ChatOpenAI } from "@langchain/openai";
import { embed, generateText, jsonSchema, streamText, tool } from "ai";
import { CohereClientV2 } from "cohere-ai";
import OpenAI, { APIError, toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { type GatewayServer, startGatewayServer } from "../support/gateway-server.ts";

/** Other people's clients, unmodified, through the gateway to other people's stand-in for the upstream. */
let mock: LLMock;
let server: GatewayServer;
let key: string;
let openai: OpenAI;
const model = "openai/gpt-4o";

beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  mock.onMessage("hello", { content: "Hi there, how are you?" });
  mock.onMessage("weather", { toolCalls: [{ name: "get_weather", arguments: '{"city":"Paris"}' }] });
  mock.onEmbedding("meaning", { embedding: [0.25, -0.5, 1, 2] });
  mock.onImage("a cat", { image: { b64Json: "aGVsbG8=" } });
  mock.onSpeech("say this", { audio: Buffer.from("sound").toString("base64"), format: "mp3" });
  mock.onTranscription({ transcription: { text: "what was said" } });
  mock.onTranslation({ transcription: { text: "what was meant" } } as never);
  await mock.start();
  server = await startGatewayServer({ SVC_GATEWAY_UPSTREAM_URL: `${mock.url}/v1`, SVC_GATEWAY_UPSTREAM_KEY: "mock" });
  ({ key } = await server.newAccount("100"));
  openai = new OpenAI({ baseURL: server.base, apiKey: key, maxRetries: 0 });
});
afterAll(async () => {
  await server.close();
  await mock.stop();
});

const messages = [{ role: "user" as const, content: "hello" }];

describe("the openai client", () => {
  it("completes a chat", async () => {
    const reply = await openai.chat.completions.create({ model, messages });
    expect(reply.choices[0]!.message.content).toBe("Hi there, how are you?");
    expect(reply.usage!.total_tokens).toBeGreaterThan(0);
  });

  it("streams a chat, without usage and with", async () => {
    for (const wantsUsage of [false, true]) {
      const stream = await openai.chat.completions.create({
        model,
        messages,
        stream: true,
        ...(wantsUsage ? { stream_options: { include_usage: true } } : {}),
      });
      let text = "";
      let usage = 0;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? "";
        usage += chunk.usage ? 1 : 0;
      }
      expect(text).toBe("Hi there, how are you?");
      expect(usage).toBe(wantsUsage ? 1 : 0);
    }
  });

  it("calls tools, whole and streamed", async () => {
    const asked = {
      model,
      messages: [{ role: "user" as const, content: "weather" }],
      tools: [{ type: "function" as const, function: { name: "get_weather", parameters: { type: "object" } } }],
    };
    const reply = await openai.chat.completions.create(asked);
    expect(reply.choices[0]!.message.tool_calls![0]).toMatchObject({ function: { name: "get_weather" } });
    const finished = await openai.chat.completions.stream(asked).finalChatCompletion();
    expect(finished.choices[0]!.message.tool_calls![0]).toMatchObject({ function: { arguments: '{"city":"Paris"}' } });
  });

  it("gets the numbers of an embedding right, which it asks for as base64", async () => {
    const reply = await openai.embeddings.create({ model: "openai/text-embedding-3-small", input: "meaning" });
    expect(reply.data[0]!.embedding).toEqual([0.25, -0.5, 1, 2]);
  });

  it("makes images", async () => {
    const reply = await openai.images.generate({ model: "openai/gpt-image-1", prompt: "a cat" });
    expect(reply.data![0]!.b64_json).toBe("aGVsbG8=");
  });

  it("speaks, hears and translates", async () => {
    const speech = await openai.audio.speech.create({ model: "openai/tts-1", voice: "alloy", input: "say this" });
    expect(Buffer.from(await speech.arrayBuffer()).toString()).toBe("sound");
    expect(speech.headers.get("content-type")).toBe("audio/mpeg");
    const file = await toFile(Buffer.from("RIFF"), "a.wav");
    expect((await openai.audio.transcriptions.create({ model: "openai/whisper-1", file })).text).toBe("what was said");
    expect((await openai.audio.translations.create({ model: "openai/whisper-1", file })).text).toBe("what was meant");
  });

  it("lists models and finds one whose id has a slash", async () => {
    const ids = [];
    for await (const one of openai.models.list()) ids.push(one.id);
    expect(ids).toContain("gpt-4o");
    expect((await openai.models.retrieve("local/kokoro-82m")).owned_by).toBe("local");
  });

  it("uses the responses endpoint", async () => {
    const reply = await openai.responses.create({ model, input: "hello" });
    expect(reply.output_text).toBe("Hi there, how are you?");
  });

  it("understands our errors", async () => {
    const wrong = new OpenAI({ baseURL: server.base, apiKey: "nobody", maxRetries: 0 });
    await expect(wrong.models.list()).rejects.toMatchObject({ status: 401, type: "invalid_api_key" });
    const failed = await openai.chat.completions.create({ model: "local/none", messages }).catch((error) => error);
    expect(failed).toBeInstanceOf(APIError);
    expect(failed).toMatchObject({ status: 404, type: "model_not_found" });
  });
});

describe("what is passed on", () => {
  it("has moderation, changes of images and who serves a model", async () => {
    const upstream = await startFakeUpstream();
    upstream.on("/v1/moderations", (_request, response) =>
      sendJson(response, { id: "modr_1", model: "acme/chat", results: [{ flagged: false }] }),
    );
    upstream.on("/v1/images/edits", ({ body }, response) => {
      const isWhole = body.includes("make it night") && body.includes("PICTURE");
      sendJson(response, { created: 1, data: isWhole ? [{ b64_json: "aGVsbG8=" }] : [] });
    });
    upstream.on("/v1/models/acme/chat/endpoints", (_request, response) =>
      sendJson(response, { data: { id: "acme/chat", endpoints: [{ tag: "a", pricing: { prompt: "0.000001" } }] } }),
    );
    const other = await startGatewayServer({ SVC_GATEWAY_UPSTREAM_URL: upstream.url });
    const account = await other.newAccount("1");
    const client = new OpenAI({ baseURL: other.base, apiKey: account.key, maxRetries: 0 });
    const moderation = await client.moderations.create({ model: "acme/chat", input: "hello" });
    expect(moderation.results[0]!.flagged).toBe(false);
    const image = await toFile(Buffer.from("PICTURE"), "a.png", { type: "image/png" });
    const before = Number(await other.balance(account.key));
    const changed = await client.images.edit({ model: "acme/image", image, prompt: "make it night" });
    expect(changed.data![0]!.b64_json).toBe("aGVsbG8=");
    // 0.04 a picture, and a fifth on top.
    expect(before - Number(await other.balance(account.key))).toBeCloseTo(0.048, 6);
    const { json: told } = await call(`${other.base}/models/acme/chat/endpoints`, { key: account.key });
    expect(told.data.endpoints[0]).toMatchObject({ tag: "a", pricing: { prompt: "0.0000012" } });
    const { json: listed } = await call(`${other.base}/models/local/kokoro-82m/endpoints`, { key: account.key });
    expect(listed.data).toMatchObject({ id: "local/kokoro-82m", endpoints: [] });
    await other.close();
    await upstream.close();
  });
});

describe("the AI SDK", () => {
  const provider = () =>
    createOpenAICompatible({ name: "parlance", baseURL: server.base, apiKey: key, includeUsage: true });

  it("generates, streams, calls tools and embeds", async () => {
    const language = provider()(model);
    expect((await generateText({ model: language, prompt: "hello" })).text).toBe("Hi there, how are you?");
    const stream = streamText({ model: language, prompt: "hello" });
    expect(await stream.text).toBe("Hi there, how are you?");
    expect((await stream.usage).outputTokens).toBeGreaterThan(0);
    const { toolCalls } = await generateText({
      model: language,
      prompt: "weather",
      tools: { get_weather: tool({ inputSchema: jsonSchema({ type: "object" }) }) },
    });
    expect(toolCalls[0]).toMatchObject({ toolName: "get_weather", input: { city: "Paris" } });
    const embedded = await embed({
      model: provider().embeddingModel("openai/text-embedding-3-small"),
      value: "meaning",
    });
    expect(embedded.embedding).toEqual([0.25, -0.5, 1, 2]);
  });
});

describe("LangChain", () => {
  it("invokes and streams", async () => {
    const chat = new ChatOpenAI({ model, apiKey: key, configuration: { baseURL: server.base }, maxRetries: 0 });
    expect((await chat.invoke("hello")).content).toBe("Hi there, how are you?");
    let text = "";
    for await (const part of await chat.stream("hello")) text += part.content;
    expect(text).toBe("Hi there, how are you?");
  });
});

describe("Cohere's client", () => {
  it("reranks", async () => {
    // The stand-in serves Cohere's own address only, so this upstream is ours, with Cohere's reply.
    const upstream = await startFakeUpstream();
    upstream.on("/v1/rerank", (_request, response) => {
      const results = [{ index: 1, relevance_score: 0.9 }];
      sendJson(response, {
        id: "r1",
        results,
        meta: { api_version: { version: "2" }, billed_units: { search_units: 1 } },
      });
    });
    const other = await startGatewayServer({ SVC_GATEWAY_UPSTREAM_URL: upstream.url });
    const account = await other.newAccount("1");
    const cohere = new CohereClientV2({ token: account.key, environment: other.base });
    const reply = await cohere.rerank({ model: "acme/rank", query: "cats", documents: ["dogs", "cats"] });
    expect(reply.results[0]).toMatchObject({ index: 1, relevanceScore: 0.9 });
    expect(reply.meta?.billedUnits?.searchUnits).toBe(1);
    await other.close();
    await upstream.close();
  });
});

describe("an upstream in chaos", () => {
  it("never becomes more than an upstream_error, a 429 or an error event, and never costs more than was held", async () => {
    const before = Number(await server.balance(key));
    mock.setChaos({ dropRate: 0.2, malformedRate: 0.2, disconnectRate: 0.3 });
    const kinds = new Set<string>();
    for (let n = 0; n < 40; n++) {
      try {
        const stream = await openai.chat.completions.create({ model, messages, stream: true });
        for await (const _ of stream);
        kinds.add("answered");
      } catch (error) {
        kinds.add(error instanceof APIError ? String(error.type ?? error.status ?? "event") : String(error));
      }
    }
    mock.clearChaos();
    for (const kind of kinds) expect(["answered", "upstream_error", "rate_limit_exceeded", "event"]).toContain(kind);
    const after = Number(await server.balance(key));
    expect(after).toBeLessThanOrEqual(before);
    const audit = await server.admin<{ verdict: string }[]>("credits audit", {});
    expect(audit.every(({ verdict }) => verdict === "right")).toBe(true);
  });
});
