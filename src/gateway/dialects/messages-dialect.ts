import type { Json } from "../json.ts";
import { type ReplyEnd, type ToolCall, type TranslatedDialect, writeEvent } from "./dialect.ts";
import { messagesToChat } from "./messages-to-chat.ts";

/** Anthropic's messages. */
export const messagesDialect: TranslatedDialect = {
  endpoint: "messages",
  idPrefix: "msg_",
  toChat: messagesToChat,
  whole: ({ id, model }, { text, calls = [] }, end) => ({
    ...message(id, model),
    content: [...(text === "" ? [] : [{ type: "text", text }]), ...calls.map(toolUse)],
    stop_reason: stopReasons[end.reason],
    usage: usageOf(end),
  }),
  stream({ id, model }) {
    const event = (type: string, data: Json = {}) => writeEvent({ type, ...data }, type);
    /** One block is open at a time. */
    let open: "text" | "call" | undefined;
    let block = -1;
    const close = () => (open === undefined ? "" : event("content_block_stop", { index: block }));
    const start = (kind: "text" | "call", content: Json) => {
      const closed = close();
      open = kind;
      block += 1;
      return closed + event("content_block_start", { index: block, content_block: content });
    };
    const delta = (change: Json) => event("content_block_delta", { index: block, delta: change });
    return {
      begin: () =>
        event("message_start", { message: { ...message(id, model), usage: { input_tokens: 0, output_tokens: 0 } } }),
      text: (text) =>
        (open === "text" ? "" : start("text", { type: "text", text: "" })) + delta({ type: "text_delta", text }),
      call: (_index, call) => start("call", { ...call, type: "tool_use", input: {} }),
      callArguments: (_index, part) => delta({ type: "input_json_delta", partial_json: part }),
      end: (end) =>
        close() +
        event("message_delta", {
          delta: { stop_reason: stopReasons[end.reason], stop_sequence: null },
          usage: usageOf(end),
        }) +
        event("message_stop"),
      fail: (text) => event("error", { error: { type: "api_error", message: text } }),
    };
  },
};

function message(id: string, model: string) {
  return { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
}

const stopReasons = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use", content_filter: "refusal" };

/** A call whose arguments are no JSON is the model's mistake; its clients expect an object. */
function toolUse({ id, name, arguments: given }: ToolCall) {
  let input: unknown;
  try {
    input = JSON.parse(given === "" ? "{}" : given);
  } catch {
    input = { arguments: given };
  }
  return { type: "tool_use", id, name, input };
}

/** What came from the cache is counted beside the input. */
function usageOf({ inputTokens, outputTokens, cachedTokens = 0, cost }: ReplyEnd) {
  return {
    input_tokens: inputTokens - cachedTokens,
    output_tokens: outputTokens,
    ...(cachedTokens > 0 ? { cache_read_input_tokens: cachedTokens } : {}),
    ...(cost === undefined ? {} : { cost }),
  };
}
