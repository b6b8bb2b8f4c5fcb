import { describe, expect, it } from "vitest";
import type { LocalDialect } from "./local-dialect.ts";
import { messagesDialect, messagesToChat } from "./messages-dialect.ts";
import { responsesDialect, responsesToChat } from "./responses-dialect.ts";

const head = { id: "resp_1", created: 1, model: "local/m" };
const end = { type: "end", reason: "stop", inputTokens: 3, outputTokens: 2 } as const;

function events(dialect: LocalDialect) {
  const writer = dialect.stream(head, false);
  const text = writer.begin() + writer.text("Hel") + writer.text("lo") + writer.end(end);
  return text
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
    expect(() => messagesToChat(picture)).toThrow(/text only/);
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
    expect(() => responsesToChat({ model: "m", input: "x", previous_response_id: "r" })).toThrow(/keep no responses/);
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
