import Anthropic from "@anthropic-ai/sdk";
import { createGateway, embedMany, generateText, jsonSchema, streamText, type Tool, type ToolSet, tool } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { completion, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

/** Clients of other dialects, unmodified, in front of an upstream that knows chat completions and nothing else. */
const upstream = await openUpstream();
const server = await openGateway([upstream]);
const { key } = await server.newAccount("1");
// Its clients add /v1 themselves.
const anthropic = new Anthropic({ baseURL: server.base.replace(/\/v1$/, ""), apiKey: key, maxRetries: 0 });
const openai = new OpenAI({ baseURL: server.base, apiKey: key, maxRetries: 0 });

const model = "acme/chat";
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const weather = { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } };
const schema = { type: "object" as const, properties: { city: { type: "string" as const } } };

upstream.on("/v1/chat/completions", ({ json }, response) => {
  const wantsTool = json.tools && json.messages.at(-1).role === "user";
  if (!json.stream) {
    const message = wantsTool
      ? { role: "assistant", content: null, tool_calls: [weather] }
      : { role: "assistant", content: "Hello." };
    const choices = [{ index: 0, message, finish_reason: wantsTool ? "tool_calls" : "stop" }];
    return sendJson(response, { ...completion(usage), choices });
  }
  openEvents(response);
  const say = (delta: object, finish_reason: string | null = null) =>
    response.write(
      event({ id: "gen_1", created: 1, model, choices: [{ index: 0, delta, finish_reason }], usage: null }),
    );
  if (wantsTool) say({ tool_calls: [{ index: 0, ...weather }] });
  else for (const content of ["Hel", "lo."]) say({ content });
  say({}, wantsTool ? "tool_calls" : "stop");
  response.write(event({ id: "gen_1", created: 1, model, choices: [], usage }));
  response.end(event("[DONE]"));
});

describe("Anthropic's client", () => {
  const asked = { model, max_tokens: 50, messages: [{ role: "user" as const, content: "hello" }] };
  const tools = [{ name: "get_weather", input_schema: schema }];

  it("gets a message, and is charged for the chat that it was", async () => {
    const before = Number(await server.balance(key));
    const reply = await anthropic.messages.create(asked);
    expect(reply.content).toEqual([{ type: "text", text: "Hello." }]);
    expect(reply).toMatchObject({ stop_reason: "end_turn", usage: { input_tokens: 10, output_tokens: 5 } });
    // 10 tokens at 1, 5 at 2 millionths of a dollar, and a fifth on top.
    expect(before - Number(await server.balance(key))).toBeCloseTo(0.000024, 8);
  });

  it("streams text and calls of tools", async () => {
    const stream = anthropic.messages.stream(asked);
    expect(await stream.finalText()).toBe("Hello.");
    expect((await stream.finalMessage()).usage.output_tokens).toBe(5);
    const called = await anthropic.messages.stream({ ...asked, tools }).finalMessage();
    expect(called.content).toEqual([{ type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } }]);
    expect(called.stop_reason).toBe("tool_use");
    const results = [{ type: "tool_result" as const, tool_use_id: "call_1", content: "Sunny" }];
    const answered = await anthropic.messages.create({
      ...asked,
      tools,
      messages: [...asked.messages, { role: "assistant", content: called.content }, { role: "user", content: results }],
    });
    expect(answered.content).toEqual([{ type: "text", text: "Hello." }]);
    expect(upstream.received.at(-1)!.json.messages.slice(1)).toEqual([
      { role: "assistant", content: null, tool_calls: [weather] },
      { role: "tool", tool_call_id: "call_1", content: "Sunny" },
    ]);
  });

  it("counts tokens and reads our errors as its own", async () => {
    expect((await anthropic.messages.countTokens({ model, messages: asked.messages })).input_tokens).toBeGreaterThan(3);
    const wrong = new Anthropic({ baseURL: server.base.replace(/\/v1$/, ""), apiKey: "nobody", maxRetries: 0 });
    await expect(wrong.messages.create(asked)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const refused = await anthropic.messages.create({ ...asked, model: "local/none" }).catch((error) => error);
    expect(refused).toBeInstanceOf(Anthropic.NotFoundError);
    expect(refused.error).toMatchObject({ type: "error", error: { type: "not_found_error" } });
  });
});

describe("the AI SDK's own gateway provider", () => {
  const gateway = () => createGateway({ baseURL: `${server.base}/ai`, apiKey: key });
  const tools: ToolSet = { get_weather: tool({ inputSchema: jsonSchema(schema) }) as Tool };

  it("generates and streams text by the plain name of a model", async () => {
    const { text, usage: taken, finishReason } = await generateText({ model: gateway()(model), prompt: "hello" });
    expect([text, finishReason, taken.inputTokens, taken.outputTokens]).toEqual(["Hello.", "stop", 10, 5]);
    const stream = streamText({ model: gateway()(model), prompt: "hello" });
    expect(await stream.text).toBe("Hello.");
    expect((await stream.usage).outputTokens).toBe(5);
  });

  it("calls tools, whole and streamed, and brings their results", async () => {
    const { toolCalls, response } = await generateText({ model: gateway()(model), prompt: "weather", tools });
    expect(toolCalls[0]).toMatchObject({ toolName: "get_weather", input: { city: "Paris" } });
    const streamed = streamText({ model: gateway()(model), prompt: "weather", tools });
    expect((await streamed.toolCalls)[0]).toMatchObject({ toolCallId: "call_1", input: { city: "Paris" } });
    const result = { type: "tool-result" as const, toolCallId: "call_1", toolName: "get_weather" };
    const told = { role: "tool" as const, content: [{ ...result, output: { type: "text" as const, value: "Sunny" } }] };
    const messages = [{ role: "user" as const, content: "weather" }, ...response.messages, told];
    expect((await generateText({ model: gateway()(model), tools, messages })).text).toBe("Hello.");
    expect(upstream.received.at(-1)!.json.messages.at(-1)).toEqual({
      role: "tool",
      tool_call_id: "call_1",
      content: "Sunny",
    });
  });

  it("embeds, lists models and reads our errors", async () => {
    upstream.on("/v1/embeddings", ({ json }, response) =>
      sendJson(response, {
        object: "list",
        data: json.input.map((_: string, index: number) => ({ object: "embedding", index, embedding: [index, 1] })),
        model: json.model,
        usage: { prompt_tokens: 4, total_tokens: 4 },
      }),
    );
    const embedded = await embedMany({ model: gateway().embeddingModel("acme/embed"), values: ["a", "b"] });
    expect(embedded.embeddings).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect((await gateway().getAvailableModels()).models.map(({ id }) => id)).toContain(model);
    const wrong = createGateway({ baseURL: `${server.base}/ai`, apiKey: "nobody" });
    await expect(generateText({ model: wrong(model), prompt: "hello", maxRetries: 0 })).rejects.toThrow(/key/i);
    const none = generateText({ model: gateway()("local/none"), prompt: "hello", maxRetries: 0 });
    await expect(none).rejects.toThrow(/local\/none/);
  });
});

describe("the openai client's responses", () => {
  const tools = [{ type: "function" as const, name: "get_weather", parameters: schema, strict: false }];

  it("come whole and as a stream", async () => {
    expect((await openai.responses.create({ model, input: "hello" })).output_text).toBe("Hello.");
    const done = await openai.responses.stream({ model, input: "hello" }).finalResponse();
    expect(done.output_text).toBe("Hello.");
    expect(done.usage!.output_tokens).toBe(5);
  });

  it("carry calls of tools both ways", async () => {
    const called = await openai.responses.stream({ model, input: "weather", tools }).finalResponse();
    expect(called.output).toMatchObject([{ type: "function_call", call_id: "call_1", name: "get_weather" }]);
    const whole = await openai.responses.create({ model, input: "weather", tools });
    const call = whole.output[0] as OpenAI.Responses.ResponseFunctionToolCall;
    const answered = await openai.responses.create({
      model,
      tools,
      input: [
        { role: "user", content: "weather" },
        call,
        { type: "function_call_output", call_id: call.call_id, output: "Sunny" },
      ],
    });
    expect(answered.output_text).toBe("Hello.");
  });

  it("and its completions of before chats come of the same chat", async () => {
    const whole = await openai.completions.create({ model, prompt: "hello" });
    expect([whole.choices[0]!.text, whole.usage!.total_tokens]).toEqual(["Hello.", 15]);
    let text = "";
    let usages = 0;
    for await (const one of await openai.completions.create({ model, prompt: "hello", stream: true })) {
      text += one.choices[0]?.text ?? "";
      usages += one.usage ? 1 : 0;
    }
    expect([text, usages]).toEqual(["Hello.", 0]);
  });

  it("cost one question in vain for each dialect, and none after it", () => {
    const vain = upstream.received.filter(({ path }) => !/chat|embeddings/.test(path)).map(({ path }) => path);
    expect(vain.toSorted()).toEqual(["/v1/completions", "/v1/messages", "/v1/responses"]);
  });
});
