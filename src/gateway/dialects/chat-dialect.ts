import type { Json } from "../json.ts";
import { type Dialect, type ReplyEnd, type ReplyHead, type ToolCall, writeEvent } from "./dialect.ts";

/** OpenAI's chat completions. */
export const chatDialect: Dialect = {
  endpoint: "chat/completions",
  idPrefix: "chatcmpl-",
  whole: (head, { text, calls = [] }, end) => ({
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" && calls.length > 0 ? null : text,
          refusal: null,
          ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
        },
        logprobs: null,
        finish_reason: end.reason,
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
      call: (index, call) => chunk({ tool_calls: [{ index, ...toolCall({ ...call, arguments: "" }) }] }),
      callArguments: (index, part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      end(end) {
        const usage = showsUsage ? writeEvent({ ...base(head), choices: [], usage: usageOf(end) }) : "";
        return `${chunk({}, end.reason)}${usage}data: [DONE]\n\n`;
      },
      fail: (message) => writeEvent({ error: { message, type: "upstream_error", param: null, code: 503 } }),
    };
  },
};

function base(head: ReplyHead) {
  return { ...head, object: "chat.completion.chunk" };
}

function toolCall({ id, name, arguments: given }: ToolCall) {
  return { id, type: "function", function: { name, arguments: given } };
}

function usageOf({ inputTokens, outputTokens }: ReplyEnd) {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
