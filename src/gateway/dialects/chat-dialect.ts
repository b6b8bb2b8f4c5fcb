import type { Json } from "../upstreams/kinds/kind.ts";
import { type LocalDialect, type LocalEnd, type ReplyHead, writeEvent } from "./local-dialect.ts";

/** OpenAI's chat completions. */
export const chatDialect: LocalDialect = {
  endpoint: "chat/completions",
  idPrefix: "chatcmpl-",
  whole: (head, text, end) => ({
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", ...contentOf(text, end), refusal: null },
        logprobs: null,
        finish_reason: finishReason(end),
      },
    ],
    usage: usageOf(end),
  }),
  stream(head, showsUsage) {
    const chunk = (delta: Json, finish: string | null = null) =>
      writeEvent({
        ...base(head),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...(showsUsage ? { usage: null } : {}),
      });
    return {
      begin: () => chunk({ role: "assistant", content: "" }),
      text: (content) => chunk({ content }),
      end(end) {
        const usage = showsUsage ? writeEvent({ ...base(head), choices: [], usage: usageOf(end) }) : "";
        const calls = callsOf(end).map((call, index) => chunk({ tool_calls: [{ index, ...call }] }));
        return `${calls.join("")}${chunk({}, finishReason(end))}${usage}data: [DONE]\n\n`;
      },
      fail: (message) => writeEvent({ error: { message, type: "upstream_error", param: null, code: 503 } }),
    };
  },
};

function base(head: ReplyHead) {
  return { ...head, object: "chat.completion.chunk" };
}

function callsOf({ toolCalls = [] }: LocalEnd): Json[] {
  return toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: given },
  }));
}

function contentOf(text: string, end: LocalEnd): Json {
  const calls = callsOf(end);
  return calls.length === 0 ? { content: text } : { content: text === "" ? null : text, tool_calls: calls };
}

function finishReason({ reason, toolCalls = [] }: LocalEnd): string {
  return toolCalls.length > 0 ? "tool_calls" : reason;
}

function usageOf({ inputTokens, outputTokens }: LocalEnd) {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
