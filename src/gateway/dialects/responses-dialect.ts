import { Problem } from "../../platform/errors.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { type LocalDialect, type LocalEnd, type ReplyHead, writeEvent } from "./local-dialect.ts";

/** OpenAI's responses. */
export const responsesDialect: LocalDialect = {
  endpoint: "responses",
  idPrefix: "resp_",
  whole: (head, text, end) => finished(head, text, end),
  stream(head) {
    let sequence = 0;
    let written = "";
    const event = (type: string, data: Json) => {
      const numbered = writeEvent({ type, sequence_number: sequence, ...data }, type);
      sequence += 1;
      return numbered;
    };
    const place = { item_id: itemId(head), output_index: 0, content_index: 0 };
    return {
      begin: () =>
        event("response.created", { response: response(head, "in_progress") }) +
        event("response.in_progress", { response: response(head, "in_progress") }) +
        event("response.output_item.added", { output_index: 0, item: { ...item(head, "in_progress"), content: [] } }) +
        event("response.content_part.added", { ...place, part: part("") }),
      text(delta) {
        written += delta;
        return event("response.output_text.delta", { ...place, delta, logprobs: [] });
      },
      end(end) {
        const whole = finished(head, written, end);
        const { output, status } = whole as { output: Json[]; status: string };
        return (
          event("response.output_text.done", { ...place, text: written, logprobs: [] }) +
          event("response.content_part.done", { ...place, part: part(written) }) +
          event("response.output_item.done", { output_index: 0, item: output[0]! }) +
          event(`response.${status}`, { response: whole })
        );
      },
      fail: (message) => event("error", { code: "server_error", message, param: null }),
    };
  },
};

function finished(head: ReplyHead, text: string, end: LocalEnd): Json {
  const isCut = end.reason === "length";
  const status = isCut ? "incomplete" : "completed";
  const { inputTokens, outputTokens } = end;
  return {
    ...response(head, status),
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: [{ ...item(head, status), content: [part(text)] }],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  };
}

function response({ id, created, model }: ReplyHead, status: string): Json {
  const fixed = { error: null, incomplete_details: null, instructions: null, metadata: {}, output: [], tools: [] };
  const chosen = { parallel_tool_calls: false, temperature: null, top_p: null, tool_choice: "none" };
  return { id, object: "response", created_at: created, status, model, ...fixed, ...chosen };
}

const itemId = ({ id }: ReplyHead) => id.replace(/^resp_/, "msg_");
const item = (head: ReplyHead, status: string) => ({ id: itemId(head), type: "message", role: "assistant", status });
const part = (text: string) => ({ type: "output_text", text, annotations: [] });

/** The same request as a chat completion. */
export function responsesToChat(body: Json): Json {
  const { model, input, instructions, stream, max_output_tokens, temperature, top_p, tools, text } = body;
  if (body.previous_response_id != null) {
    throw new Problem("invalid_request", '"previous_response_id": models of this server keep no responses.');
  }
  const before = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  if (!Array.isArray(items) || items.length === 0) {
    throw new Problem("invalid_request", '"input" must be a text or a list of messages.');
  }
  const format = isObject(text) && isObject(text.format) ? text.format : undefined;
  return {
    model,
    stream,
    tools,
    temperature,
    top_p,
    max_tokens: max_output_tokens,
    messages: [...before, ...items.map(toMessage)],
    ...(format?.type === "json_schema" ? { response_format: { type: "json_schema", json_schema: format } } : {}),
    ...(format?.type === "json_object" ? { response_format: { type: "json_object" } } : {}),
  };
}

function toMessage(item: unknown, index: number): Json {
  if (!isObject(item) || typeof item.role !== "string") {
    throw new Problem("invalid_request", `"input.${index}" must be a message; this model reads nothing else.`);
  }
  if (!Array.isArray(item.content)) return { role: item.role, content: item.content };
  const content = item.content.map((part: unknown) =>
    isObject(part) && typeof part.text === "string" ? { type: "text", text: part.text } : part,
  );
  return { role: item.role, content };
}
