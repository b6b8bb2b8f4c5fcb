import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { chatDialect } from "./chat/chat-dialect.ts";
import { writeChatRequest } from "./chat/write-request.ts";
import type { CallerDialect } from "./dialect.ts";
import { messagesDialect } from "./messages/messages-dialect.ts";
import { responsesDialect } from "./responses/responses-dialect.ts";
import { type EventTranslator, translate } from "./translate.ts";

const head = { id: "resp_1", created: 1, model: "local/m" };
const end = { reason: "stop", inputTokens: 3, outputTokens: 2 } as const;

const messagesToChat = (body: Json) => writeChatRequest(messagesDialect.readRequest(body));
const responsesToChat = (body: Json) => writeChatRequest(responsesDialect.readRequest(body));
const openTranslator = (dialect: CallerDialect): EventTranslator => translate(dialect, chatDialect).stream!(true);

function events(dialect: CallerDialect) {
  const write = dialect.writeStream(false);
  const text = [
    write({ type: "begin", head }),
    write({ type: "open", index: 0, part: { type: "text", text: "" } }),
    write({ type: "more", index: 0, text: "Hel" }),
    write({ type: "more", index: 0, text: "lo" }),
    write({ type: "close", index: 0 }),
    write({ type: "end", end }),
  ];
  return text
    .join("")
    .trim()
    .split("\n\n")
    .map((one) => {
      const [name, data] = one.split("\n");
      const json = JSON.parse(data!.slice("data: ".length));
      expect(name).toBe(`event: ${json.type}`);
      return json;
    });
}

describe("Anthropic's messages", () => {
  it("become a chat with its system text first", () => {
    const chat = messagesToChat({
      model: "local/m",
      max_tokens: 9,
      system: [{ type: "text", text: "Be brief." }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    });
    expect(chat).toMatchObject({
      max_tokens: 9,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
    });
    const picture = { model: "m", messages: [{ role: "user", content: [{ type: "image" }] }] };
    expect(() => messagesToChat(picture)).toThrow(/needs a source/);
  });

  it("are streamed in the order that its clients expect", () => {
    const all = events(messagesDialect);
    expect(all.map(({ type }) => type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(all[5]).toMatchObject({ delta: { stop_reason: "end_turn" }, usage: { input_tokens: 3, output_tokens: 2 } });
  });
});

describe("OpenAI's responses", () => {
  it("become a chat", () => {
    const chat = responsesToChat({ model: "m", instructions: "Be brief.", input: "Hi", max_output_tokens: 5 });
    expect(chat).toMatchObject({ max_tokens: 5, messages: [{ role: "system" }, { role: "user", content: "Hi" }] });
    expect(() => responsesToChat({ model: "m", input: "x", previous_response_id: "r" })).toThrow(/not kept/);
  });

  it("are streamed with numbers and end with the whole", () => {
    const all = events(responsesDialect);
    expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, index) => index));
    expect(all.at(-1)).toMatchObject({
      type: "response.completed",
      response: { status: "completed", output: [{ content: [{ type: "output_text", text: "Hello" }] }] },
    });
  });
});

describe("a chat completion in other words", () => {
  const said = (delta: object, finish: string | null = null) => ({
    id: "gen_1",
    created: 1,
    model: "acme/chat",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const call = (index: number, id: string | undefined, name: string | undefined, part: string) => ({
    tool_calls: [{ index, ...(id ? { id } : {}), function: { ...(name ? { name } : {}), arguments: part } }],
  });
  const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } };
  const stream = [
    said({ role: "assistant", content: "" }),
    said({ content: "Wait. " }),
    said(call(0, "c1", "look_up", "")),
    said(call(0, undefined, undefined, '{"city":')),
    said(call(0, undefined, undefined, '"Paris"}')),
    said(call(1, "c2", "stop", "{}")),
    said({}, "tool_calls"),
    { ...said({}), choices: [], usage },
  ];
  const bytes = `${stream.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`;

  function inPieces(dialect: CallerDialect, size: number) {
    const translator = openTranslator(dialect);
    let out = "";
    const all = Buffer.from(bytes);
    for (let at = 0; at < all.length; at += size) out += translator.push(all.subarray(at, at + size));
    return (out + translator.end())
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice("data: ".length)));
  }

  it.each([1, 7, 10_000])("keeps text, calls and usage as Anthropic's events, whatever the pieces (%i)", (size) => {
    const all = inPieces(messagesDialect, size);
    expect(all.filter(({ type }) => type === "content_block_start").map((one) => one.content_block)).toEqual([
      { type: "text", text: "" },
      { type: "tool_use", id: "c1", name: "look_up", input: {} },
      { type: "tool_use", id: "c2", name: "stop", input: {} },
    ]);
    const json = all.filter(({ index, delta }) => index === 1 && delta).map(({ delta }) => delta.partial_json);
    expect(json.join("")).toBe('{"city":"Paris"}');
    expect(all.at(-2)).toMatchObject({
      delta: { stop_reason: "tool_use" },
      usage: { input_tokens: 6, cache_read_input_tokens: 3, output_tokens: 4 },
    });
    expect(all.at(-1).type).toBe("message_stop");
  });

  it("keeps them as OpenAI's responses", () => {
    const all = inPieces(responsesDialect, 11);
    expect(all.at(-1)).toMatchObject({
      type: "response.completed",
      response: {
        output: [
          { type: "message", content: [{ text: "Wait. " }] },
          { type: "function_call", call_id: "c1", name: "look_up", arguments: '{"city":"Paris"}' },
          { type: "function_call", call_id: "c2", name: "stop" },
        ],
        usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 3 }, output_tokens: 4 },
      },
    });
  });

  it("does not end a stream that broke off, and tells an error in the dialect's own way", () => {
    const broken = openTranslator(messagesDialect);
    expect(broken.push(`data: ${JSON.stringify(said({ content: "Wait" }))}\n\n`)).toContain("Wait");
    expect(broken.end()).toBe("");
    expect(broken.push('data: {"error":{"message":"gone"}}\n\n')).toContain('event: error\ndata: {"type":"error"');
  });

  it("turns calls and their results into the turns of a chat", () => {
    const messages = messagesToChat({
      model: "m",
      max_tokens: 5,
      tools: [{ name: "look_up", input_schema: { type: "object" } }],
      tool_choice: { type: "any" },
      messages: [
        { role: "user", content: "Where?" },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "look_up", input: { city: "Paris" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "France" }] },
      ],
    });
    const responses = responsesToChat({
      model: "m",
      tools: [{ type: "function", name: "look_up", parameters: { type: "object" } }],
      tool_choice: "required",
      input: [
        { role: "user", content: "Where?" },
        { type: "function_call", call_id: "c1", name: "look_up", arguments: '{"city":"Paris"}' },
        { type: "function_call_output", call_id: "c1", output: "France" },
      ],
    });
    const turns = [
      { role: "user", content: "Where?" },
      { role: "assistant", tool_calls: [{ id: "c1", function: { name: "look_up", arguments: '{"city":"Paris"}' } }] },
      { role: "tool", tool_call_id: "c1", content: "France" },
    ];
    for (const chat of [messages, responses]) {
      expect(chat).toMatchObject({ messages: turns, tool_choice: "required", tools: [{ type: "function" }] });
    }
  });
});
