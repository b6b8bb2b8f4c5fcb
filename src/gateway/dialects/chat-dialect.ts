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
        message: { role: "assistant", content: text, refusal: null },
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

function usageOf({ inputTokens, outputTokens }: LocalEnd) {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
