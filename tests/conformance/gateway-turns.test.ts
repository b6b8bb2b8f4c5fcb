import Anthropic from "@anthropic-ai/sdk";
import { createGateway, generateText, jsonSchema, streamText, type Tool, type ToolSet, tool } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { completion, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

/** What models think and call at once, and what clients send beside text, in front of an upstream that knows chat completions only. */
const upstream = await openUpstream();
const server = await openGateway([upstream], { SVC_GATEWAY_UPSTREAM_KIND: "openrouter" });
const { key } = await server.newAccount("1");
const anthropic = new Anthropic({ baseURL: server.base.replace(/\/v1$/, ""), apiKey: key, maxRetries: 0 });
const openai = new OpenAI({ baseURL: server.base, apiKey: key, maxRetries: 0 });
const gateway = createGateway({ baseURL: `${server.base}/ai`, apiKey: key });

const model = "acme/chat";
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.0001 };
const schema = { type: "object" as const, properties: { city: { type: "string" as const } } };
const thought = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };
const calls = ["Paris", "Oslo"].map((city, index) => ({ index, id: `call_${city}`, city }));

upstream.on("/v1/chat/completions", ({ json }, response) => {
  const wantsTools = json.tools && json.messages.at(-1).role === "user";
  if (!json.stream) {
    const message = {
      role: "assistant",
      content: wantsTools ? null : "Hello.",
      reasoning: "Hm, hm.",
      reasoning_details: [{ ...thought, text: "Hm, hm.", signature: "proof" }],
      ...(wantsTools ? { tool_calls: calls.map(({ id, city }) => callOf(id, city)) } : {}),
    };
    const choices = [{ index: 0, message, finish_reason: wantsTools ? "tool_calls" : "stop" }];
    return sendJson(response, { ...completion(usage), choices });
  }
  openEvents(response);
  const say = (delta: object, finish_reason: string | null = null) =>
    response.write(event({ id: "gen_1", created: 1, model, choices: [{ index: 0, delta, finish_reason }] }));
  for (const text of ["Hm, ", "hm."]) say({ reasoning: text, reasoning_details: [{ ...thought, text }] });
  say({ reasoning_details: [{ ...thought, signature: "proof" }] });
  if (wantsTools) {
    for (const { index, id } of calls) {
      say({ tool_calls: [{ index, id, type: "function", function: { name: "get_weather", arguments: "" } }] });
    }
    // All at once, piece by piece.
    for (const at of [0, 1]) {
      for (const { index, city } of calls) {
        const part = at === 0 ? '{"city":' : `"${city}"}`;
        say({ tool_calls: [{ index, function: { arguments: part } }] });
      }
    }
  } else say({ content: "Hello." });
  say({}, wantsTools ? "tool_calls" : "stop");
  response.end(event({ id: "gen_1", created: 1, model, choices: [], usage }) + event("[DONE]"));
});

function callOf(id: string, city: string) {
  return { id, type: "function", function: { name: "get_weather", arguments: JSON.stringify({ city }) } };
}
const lastSent = () => upstream.received.at(-1)!.json;
const sentThought = { reasoning_details: [{ type: "reasoning.text", text: "Hm, hm.", signature: "proof", index: 0 }] };

describe("Anthropic's client", () => {
  const cache_control = { type: "ephemeral" as const };
  const tools = [{ name: "get_weather", input_schema: schema, cache_control }];
  const pdf = { type: "base64" as const, media_type: "application/pdf" as const, data: "JVBERi0=" };
  const content = [
    { type: "document" as const, source: pdf, title: "report.pdf" },
    { type: "text" as const, text: "weather", cache_control },
  ];
  const asked = {
    model,
    max_tokens: 4_000,
    system: [{ type: "text" as const, text: "Be brief.", cache_control }],
    thinking: { type: "enabled" as const, budget_tokens: 2_000 },
    messages: [{ role: "user" as const, content }],
  };

  it.each(["whole", "streamed"])("gets thoughts with their proof and calls made at once, %s", async (how) => {
    const wanted = { ...asked, tools };
    const reply =
      how === "whole"
        ? await anthropic.messages.create(wanted)
        : await anthropic.messages.stream(wanted).finalMessage();
    const uses = calls.map(({ id, city }) => ({ type: "tool_use", id, name: "get_weather", input: { city } }));
    expect(reply.content).toEqual([{ type: "thinking", thinking: "Hm, hm.", signature: "proof" }, ...uses]);
    expect(lastSent()).toMatchObject({
      reasoning: { max_tokens: 2_000 },
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief.", cache_control }] },
        {
          role: "user",
          content: [
            { type: "file", file: { filename: "report.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
            { type: "text", text: "weather", cache_control },
          ],
        },
      ],
      tools: [{ type: "function", cache_control }],
    });
    const results = calls.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id, content: "Sunny" }));
    const turns = [
      { role: "assistant" as const, content: reply.content },
      { role: "user" as const, content: results },
    ];
    const answer = await anthropic.messages.create({ ...wanted, messages: [...asked.messages, ...turns] });
    expect(answer.content.at(-1)).toEqual({ type: "text", text: "Hello." });
    expect(lastSent().messages.slice(2)).toMatchObject([
      { role: "assistant", ...sentThought, tool_calls: calls.map(({ id, city }) => callOf(id, city)) },
      { role: "tool", tool_call_id: "call_Paris" },
      { role: "tool", tool_call_id: "call_Oslo" },
    ]);
  });
});

describe("the openai client's responses", () => {
  const tools = [{ type: "function" as const, name: "get_weather", parameters: schema, strict: false }];

  it.each(["whole", "streamed"])("have thoughts and calls made at once, and bring both back, %s", async (how) => {
    const asked = { model, input: "weather", tools, reasoning: { effort: "high" as const } };
    const reply =
      how === "whole" ? await openai.responses.create(asked) : await openai.responses.stream(asked).finalResponse();
    expect(reply.output).toMatchObject([
      { type: "reasoning", content: [{ type: "reasoning_text", text: "Hm, hm." }] },
      ...calls.map(({ id, city }) => ({ type: "function_call", call_id: id, arguments: JSON.stringify({ city }) })),
    ]);
    expect(lastSent()).toMatchObject({ reasoning_effort: "high" });
    const outputs = calls.map(({ id }) => ({ type: "function_call_output" as const, call_id: id, output: "Sunny" }));
    const known = reply.output as OpenAI.Responses.ResponseInputItem[];
    const input = [{ role: "user" as const, content: "weather" }, ...known, ...outputs];
    const answer = await openai.responses.create({ model, tools, input });
    expect(answer.output_text).toBe("Hello.");
    expect(lastSent().messages[1]).toMatchObject({
      ...sentThought,
      tool_calls: calls.map(({ id, city }) => callOf(id, city)),
    });
  });
});

describe("the AI SDK's own gateway provider", () => {
  const tools: ToolSet = { get_weather: tool({ inputSchema: jsonSchema(schema) }) as Tool };
  const cacheControl = { anthropic: { cacheControl: { type: "ephemeral" } } };

  it("gets thoughts, whole and streamed, and brings them back with their proof", async () => {
    const prompt = { model: gateway(model), prompt: "weather", tools };
    const whole = await generateText(prompt);
    expect(whole.reasoningText).toBe("Hm, hm.");
    const streamed = streamText(prompt);
    expect(await streamed.reasoningText).toBe("Hm, hm.");
    expect((await streamed.toolCalls).map(({ input }) => input)).toEqual(calls.map(({ city }) => ({ city })));
    for (const response of [whole.response, await streamed.response]) {
      const results = calls.map(({ id }) => ({
        type: "tool-result" as const,
        toolCallId: id,
        toolName: "get_weather",
        output: { type: "text" as const, value: "Sunny" },
      }));
      const question = { role: "user" as const, content: "weather", providerOptions: cacheControl };
      const turns = [question, ...response.messages, { role: "tool" as const, content: results }];
      expect((await generateText({ model: gateway(model), tools, messages: turns })).text).toBe("Hello.");
      expect(lastSent().messages).toMatchObject([
        { role: "user", content: [{ type: "text", text: "weather", cache_control: { type: "ephemeral" } }] },
        { role: "assistant", ...sentThought },
        { role: "tool" },
        { role: "tool" },
      ]);
    }
  });
});

describe("an upstream that refuses what it does not know", async () => {
  const strict = await openUpstream();
  strict.on("/v1/chat/completions", ({ body }, response) => {
    const name = ["cache_control", "reasoning_effort"].find((one) => body.includes(one));
    if (!name) return sendJson(response, completion({ ...usage, cost: undefined }));
    sendJson(response, { error: { message: `property '${name}' is unsupported` } }, 400);
  });
  const other = await openGateway([strict]);
  const account = await other.newAccount("1");

  const chats = () => strict.received.filter(({ path }) => path.endsWith("/chat/completions")).length;

  it("is asked again without it, and knows nothing of it from then on", async () => {
    const client = new Anthropic({ baseURL: other.base.replace(/\/v1$/, ""), apiKey: account.key, maxRetries: 0 });
    const content = [{ type: "text" as const, text: "hello", cache_control: { type: "ephemeral" as const } }];
    for (const asked of [2, 3]) {
      const reply = await client.messages.create({ model, max_tokens: 50, messages: [{ role: "user", content }] });
      expect(reply.content).toEqual([{ type: "text", text: "Hello." }]);
      expect(chats()).toBe(asked);
    }
    const messages = [{ role: "user" as const, content }];
    const reply = await client.messages.create({ model, max_tokens: 50, messages, output_config: { effort: "high" } });
    expect([reply.content, chats()]).toEqual([[{ type: "text", text: "Hello." }], 5]);
  });
});
