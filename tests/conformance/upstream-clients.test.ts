import { OpenRouter } from "@openrouter/sdk";
import { createGateway, experimental_generateImage as generateImage, generateText, streamText } from "ai";
import { describe, expect, it } from "vitest";
import { event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

/** The upstreams' own clients, unmodified, with another address and another key. */

const openRouterModel = {
  id: "acme/chat",
  canonical_slug: "acme/chat-2026",
  name: "Acme: Chat",
  created: 1,
  description: "A model.",
  context_length: 8_000,
  architecture: {
    modality: "text->text",
    input_modalities: ["text"],
    output_modalities: ["text"],
    tokenizer: "Other",
    instruct_type: null,
  },
  pricing: { prompt: "0.000001", completion: "0.000002", request: "0", image: "0" },
  top_provider: { context_length: 8_000, max_completion_tokens: 1_000, is_moderated: false },
  per_request_limits: null,
  supported_parameters: ["max_tokens", "reasoning"],
  default_parameters: {},
  supported_voices: null,
  links: { details: "/api/v1/models/acme/chat/endpoints" },
};

describe("OpenRouter's own client", async () => {
  const upstream = await openUpstream([openRouterModel]);
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.001 };
  upstream.on("/v1/chat/completions", (_request, response) => {
    const message = { role: "assistant", content: "Hello.", refusal: null, reasoning: "Hm." };
    const choices = [{ index: 0, message, finish_reason: "stop", logprobs: null }];
    const head = { id: "gen-1", object: "chat.completion", created: 1, model: "acme/chat", system_fingerprint: null };
    sendJson(response, { ...head, choices, usage });
  });
  const server = await openGateway([upstream], { SVC_GATEWAY_UPSTREAM_KIND: "openrouter" });
  const { key } = await server.newAccount("1");
  const client = new OpenRouter({ apiKey: key, serverURL: server.base });

  it("lists models, those of this process among them", async () => {
    const listed = await client.models.list();
    const models = (listed as unknown as { result: { data: { id: string; contextLength: number }[] } }).result.data;
    const ids = models.map(({ id }) => id);
    expect(ids).toContain("acme/chat");
    expect(ids.some((id) => id.startsWith("local/"))).toBe(true);
  });

  it("chats, and reads credits and the key", async () => {
    const chatRequest = { model: "acme/chat", messages: [{ role: "user" as const, content: "hello" }] };
    const reply = (await client.chat.send({ chatRequest })) as { choices: { message: { content: string } }[] };
    expect(reply.choices[0]!.message.content).toBe("Hello.");
    const { data } = await client.credits.getCredits();
    expect(data).toEqual({ totalCredits: 1, totalUsage: 0.0012 });
    const { data: own } = await client.apiKeys.getCurrentKeyMetadata();
    expect(own).toMatchObject({ usage: 0.0012, usageMonthly: 0.0012, limit: null, limitReset: null });
  });
});

describe("the AI SDK's gateway provider in front of an upstream that speaks its dialect", async () => {
  const upstream = await openUpstream();
  const origin = "/v3/ai";
  const counts = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 9, text: 5, reasoning: 4 },
  };
  const finish = { finishReason: { unified: "stop", raw: "stop" }, usage: counts };
  const gatewayMetadata = { gateway: { cost: "0.001", routing: { finalProvider: "hidden-provider" } } };
  const signature = { anthropic: { signature: "proof" } };
  upstream.on(`${origin}/language-model`, ({ headers }, response) => {
    if (headers["ai-language-model-streaming"] !== "true") {
      const thought = { type: "reasoning", text: "Hm.", providerMetadata: signature };
      const content = [thought, { type: "text", text: "Hello." }];
      return sendJson(response, { content, ...finish, warnings: [], providerMetadata: gatewayMetadata });
    }
    openEvents(response);
    const parts = [
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "gen_1", timestamp: "2026-01-01T00:00:00.000Z", modelId: "acme/chat" },
      { type: "reasoning-start", id: "0" },
      { type: "reasoning-delta", id: "0", delta: "Hm." },
      { type: "reasoning-end", id: "0", providerMetadata: signature },
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "Hello." },
      { type: "text-end", id: "1" },
      { type: "finish", ...finish, providerMetadata: gatewayMetadata },
    ];
    for (const one of parts) response.write(event(one));
    response.end();
  });
  upstream.on(`${origin}/image-model`, (_request, response) => {
    sendJson(response, { images: ["aGVsbG8="], warnings: [], providerMetadata: { gateway: { cost: "0.04" } } });
  });
  const env = { SVC_GATEWAY_UPSTREAM_KIND: "vercel", SVC_SERVICES: "gateway" };
  const server = await openGateway([upstream], env);
  const { key } = await server.newAccount("1");
  let seen = "";
  const listen: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    seen += JSON.stringify([...response.headers]) + (await response.clone().text());
    return response;
  };
  const gateway = createGateway({ baseURL: `${server.url}/v1/ai`, apiKey: key, fetch: listen });

  it("thinks and answers in its own bytes, whole and streamed, at the cost that the upstream tells", async () => {
    const whole = await generateText({ model: gateway("acme/chat"), prompt: "hello" });
    expect([whole.text, whole.reasoningText]).toEqual(["Hello.", "Hm."]);
    expect(whole.reasoning[0]!.providerMetadata).toEqual(signature);
    expect(await server.balance(key)).toBe("0.9988");
    const sent = upstream.received.at(-1)!;
    expect(sent.headers).toMatchObject({
      "ai-language-model-id": "acme/chat",
      "ai-language-model-specification-version": "3",
    });
    const { headers: _client, ...asked } = sent.json;
    expect(asked).toEqual({ prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }] });
    const stream = streamText({ model: gateway("acme/chat"), prompt: "hello" });
    expect([await stream.text, await stream.reasoningText]).toEqual(["Hello.", "Hm."]);
    expect(await stream.usage).toMatchObject({ inputTokens: 10, outputTokens: 9 });
    expect(await server.balance(key)).toBe("0.9976");
    for (const secret of ["hidden-provider", '"0.001"']) expect(seen).not.toContain(secret);
  });

  it("makes pictures and reads credits", async () => {
    const { image } = await generateImage({ model: gateway.imageModel("acme/image"), prompt: "a cat" });
    expect(image.base64).toBe("aGVsbG8=");
    expect(await gateway.getCredits()).toMatchObject({ balance: "0.9496", totalUsed: "0.0504" });
  });
});

describe("the AI SDK's pictures from an upstream that makes them in OpenAI's way", async () => {
  const upstream = await openUpstream();
  upstream.on("/v1/images/generations", (_request, response) =>
    sendJson(response, { created: 1, data: [{ b64_json: "aGVsbG8=" }] }),
  );
  const server = await openGateway([upstream]);
  const { key } = await server.newAccount("1");
  const gateway = createGateway({ baseURL: `${server.base}/ai`, apiKey: key });

  it("come, and are charged by the picture", async () => {
    const { images } = await generateImage({ model: gateway.imageModel("acme/image"), prompt: "a cat" });
    expect(images.map(({ base64 }) => base64)).toEqual(["aGVsbG8="]);
    expect(upstream.received.at(-1)!.json).toMatchObject({ model: "acme/image", prompt: "a cat" });
    expect(await server.balance(key)).toBe("0.952");
  });
});
