import type { Json } from "../json.ts";
import {
  type ReplyEnd,
  type ReplyHead,
  type Said,
  type ToolCall,
  type TranslatedDialect,
  writeEvent,
} from "./dialect.ts";
import { responsesToChat } from "./responses-to-chat.ts";

/** OpenAI's responses. */
export const responsesDialect: TranslatedDialect = {
  endpoint: "responses",
  idPrefix: "resp_",
  toChat: responsesToChat,
  whole: finished,
  stream(head) {
    let sequence = 0;
    let written = "";
    let hasText = false;
    const calls: { id: string; name: string; arguments: string }[] = [];
    const event = (type: string, data: Json) => {
      const numbered = writeEvent({ type, sequence_number: sequence, ...data }, type);
      sequence += 1;
      return numbered;
    };
    const place = { item_id: textId(head), output_index: 0, content_index: 0 };
    const callPlace = (index: number) => ({
      item_id: callId(calls[index]!),
      output_index: index + (hasText ? 1 : 0),
    });
    const beginText = () => {
      hasText = true;
      const item = { ...textItem(head, "in_progress"), content: [] };
      return (
        event("response.output_item.added", { output_index: 0, item }) +
        event("response.content_part.added", { ...place, part: part("") })
      );
    };
    return {
      begin: () =>
        event("response.created", { response: response(head, "in_progress") }) +
        event("response.in_progress", { response: response(head, "in_progress") }),
      text(delta) {
        const begun = hasText ? "" : beginText();
        written += delta;
        return begun + event("response.output_text.delta", { ...place, delta, logprobs: [] });
      },
      call(index, call) {
        calls[index] = { ...call, arguments: "" };
        const { output_index } = callPlace(index);
        const item = callItem(calls[index], "in_progress");
        return event("response.output_item.added", { output_index, item });
      },
      callArguments(index, delta) {
        calls[index]!.arguments += delta;
        return event("response.function_call_arguments.delta", { ...callPlace(index), delta });
      },
      end(end) {
        const whole = finished(head, { text: written, calls }, end, hasText);
        const { output, status } = whole as { output: Json[]; status: string };
        const textDone = hasText
          ? event("response.output_text.done", { ...place, text: written, logprobs: [] }) +
            event("response.content_part.done", { ...place, part: part(written) })
          : "";
        const argumentsDone = calls.map((call, index) =>
          event("response.function_call_arguments.done", { ...callPlace(index), arguments: call.arguments }),
        );
        const itemsDone = output.map((item, output_index) =>
          event("response.output_item.done", { output_index, item }),
        );
        return textDone + [...argumentsDone, ...itemsDone].join("") + event(`response.${status}`, { response: whole });
      },
      fail: (message) => event("error", { code: "server_error", message, param: null }),
    };
  },
};

function finished(head: ReplyHead, { text, calls = [] }: Said, end: ReplyEnd, hasText = text !== ""): Json {
  const isCut = end.reason === "length";
  const status = isCut ? "incomplete" : "completed";
  const { inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0, cost } = end;
  const said = hasText || calls.length === 0 ? [{ ...textItem(head, status), content: [part(text)] }] : [];
  return {
    ...response(head, status),
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: [...said, ...calls.map((call) => callItem(call, "completed"))],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cachedTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: inputTokens + outputTokens,
      ...(cost === undefined ? {} : { cost }),
    },
  };
}

function response({ id, created, model }: ReplyHead, status: string): Json {
  const fixed = { error: null, incomplete_details: null, instructions: null, metadata: {}, output: [], tools: [] };
  const chosen = { parallel_tool_calls: false, temperature: null, top_p: null, tool_choice: "none" };
  return { id, object: "response", created_at: created, status, model, ...fixed, ...chosen };
}

const textId = ({ id }: ReplyHead) => `msg_${id.replace(/^resp_/, "")}`;
const textItem = (head: ReplyHead, status: string) => ({
  id: textId(head),
  type: "message",
  role: "assistant",
  status,
});
const part = (text: string) => ({ type: "output_text", text, annotations: [] });
const callId = ({ id }: Pick<ToolCall, "id">) => `fc_${id}`;
const callItem = (call: ToolCall, status: string) => ({
  id: callId(call),
  type: "function_call",
  status,
  call_id: call.id,
  name: call.name,
  arguments: call.arguments,
});
