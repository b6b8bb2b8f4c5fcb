import { describe, expect, it } from "vitest";
import { chatDialect } from "../dialects/chat/chat-dialect.ts";
import { readTools } from "./read-tools.ts";

const weather = { type: "function", function: { name: "get_weather", parameters: { type: "object" } } };

describe("tools for a model of this process", () => {
  it("are read as OpenAI writes them", () => {
    expect(readTools({ tools: [weather] })).toEqual({
      tools: [{ name: "get_weather", description: undefined, parameters: { type: "object" } }],
      toolChoice: "auto",
    });
    const named = { type: "function", function: { name: "get_weather" } };
    expect(readTools({ tools: [weather], tool_choice: named }).toolChoice).toEqual({ name: "get_weather" });
    expect(readTools({ tools: [weather], tool_choice: "none" }).tools).toEqual([]);
    expect(readTools({ tools: null }).tools).toEqual([]);
  });

  it.each([
    [{ tools: [{ type: "function", function: { name: "a b\0" } }] }, /"tools\.0\.function\.name"/],
    [{ tools: [{ type: "retrieval" }] }, /"tools\.0\.type"/],
    [{ tools: [weather], tool_choice: "maybe" }, /"tool_choice"/],
    [
      { tools: [weather], tool_choice: { type: "function", function: { name: "get_time" } } },
      /"tool_choice" names "get_time"\. Tools: get_weather\./,
    ],
    [{ tools: Array.from({ length: 129 }, () => weather) }, /"tools"/],
  ])("%# that make no sense are refused by their field", (wanted, sentence) => {
    expect(() => readTools(wanted)).toThrow(sentence);
  });

  it("calls come back whole and streamed as OpenAI's clients expect", () => {
    const head = { id: "chatcmpl-1", created: 1, model: "local/m" };
    const made = { id: "call_1", name: "get_weather", arguments: '{"city":"Oslo"}' };
    const end = { reason: "tool_calls", inputTokens: 1, outputTokens: 1 } as const;
    const call = { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Oslo"}' } };
    const part = { type: "call", ...made } as const;
    expect(chatDialect.writeReply({ head, parts: [part], end })).toMatchObject({
      choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }],
    });
    const write = chatDialect.writeStream(false);
    const begun = write({ type: "begin", head });
    const written = [
      write({ type: "open", index: 0, part: { ...part, arguments: "" } }),
      write({ type: "more", index: 0, text: made.arguments }),
      write({ type: "close", index: 0 }),
      write({ type: "end", end }),
    ].join("");
    expect(begun).toContain('"role":"assistant"');
    const events = written.trim().split("\n\n");
    const deltas = events.slice(0, -1).map((event) => JSON.parse(event.slice("data: ".length)).choices[0]);
    const unsaid = { ...call, function: { ...call.function, arguments: "" } };
    expect(deltas[0].delta).toEqual({ tool_calls: [{ index: 0, ...unsaid }] });
    expect(deltas[1].delta).toEqual({ tool_calls: [{ index: 0, function: { arguments: made.arguments } }] });
    expect(deltas[2].finish_reason).toBe("tool_calls");
  });
});
