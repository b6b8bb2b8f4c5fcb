import { Problem } from "../../platform/errors.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { type LocalDialect, type LocalEnd, writeEvent } from "./local-dialect.ts";

/** Anthropic's messages. */
export const messagesDialect: LocalDialect = {
  endpoint: "messages",
  idPrefix: "msg_",
  whole: ({ id, model }, text, end) => ({
    ...message(id, model),
    content: [{ type: "text", text }],
    stop_reason: stopReason(end),
    usage: usageOf(end),
  }),
  stream({ id, model }) {
    const event = (type: string, data: Json = {}) => writeEvent({ type, ...data }, type);
    return {
      begin: () =>
        event("message_start", { message: { ...message(id, model), usage: { input_tokens: 0, output_tokens: 0 } } }) +
        event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      text: (text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
      end: (end) =>
        event("content_block_stop", { index: 0 }) +
        event("message_delta", { delta: { stop_reason: stopReason(end), stop_sequence: null }, usage: usageOf(end) }) +
        event("message_stop"),
      fail: (text) => event("error", { error: { type: "api_error", message: text } }),
    };
  },
};

function message(id: string, model: string) {
  return { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
}

function stopReason({ reason }: LocalEnd): string {
  return reason === "length" ? "max_tokens" : "end_turn";
}

function usageOf({ inputTokens, outputTokens }: LocalEnd) {
  return { input_tokens: inputTokens, output_tokens: outputTokens };
}

/** The same request as a chat completion. */
export function messagesToChat(body: Json): Json {
  const { system, messages, stop_sequences: stop, model, stream, max_tokens, temperature, top_p, tools } = body;
  const before = system == null ? [] : [{ role: "system", content: textOf(system, "system") }];
  const turns = (messages as Json[]).map(({ role, content }, index) => ({
    role,
    content: textOf(content, `messages.${index}.content`),
  }));
  return { model, stream, max_tokens, temperature, top_p, tools, stop, messages: [...before, ...turns] };
}

function textOf(content: unknown, field: string): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.map((part: unknown) => {
    if (isObject(part) && part.type === "text" && typeof part.text === "string") return part.text;
    throw new Problem("invalid_request", `"${field}": this model reads text only.`);
  });
  if (texts.length === 0) throw new Problem("invalid_request", `"${field}" must be a text or a list of text blocks.`);
  return texts.join("\n");
}
