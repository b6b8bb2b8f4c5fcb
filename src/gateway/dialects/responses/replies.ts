import { tokens } from "../../charging/read-usage.ts";
import { isObject, type Json } from "../../json.ts";
import { objectIn, objectsIn, textIn } from "../dialect.ts";
import type { Part, Reply, ReplyEnd, ReplyHead } from "../turn.ts";
import {
  nameThought,
  readCallItem,
  readContent,
  readImageItem,
  readReasoningItem,
  writeAudio,
  writeCallItem,
  writeImageItem,
  writeReasoningItem,
} from "./items.ts";

export function readResponsesReply(body: Json): Reply | undefined {
  if (!Array.isArray(body.output)) return undefined;
  return { head: headOf(body), parts: objectsIn(body.output).flatMap(readOutput), end: endOf(body) };
}

export function readOutput(item: Json): Part[] {
  if (item.type === "function_call") return [readCallItem(item)];
  if (item.type === "reasoning") return readReasoningItem(item);
  if (item.type === "image_generation_call") return [readImageItem(item)];
  // Searches and the like are between the provider and its model.
  return item.type === "message" ? readContent(item.content, "output").filter(isNotEmpty) : [];
}

const isNotEmpty = (part: Part) => part.type !== "text" || part.text !== "";

export function headOf({ id, created_at: created, model }: Json): ReplyHead {
  const now = Math.floor(Date.now() / 1000);
  return { id: textIn(id), created: typeof created === "number" ? created : now, model: textIn(model) };
}

export function endOf({ usage: given, incomplete_details: details, output }: Json): ReplyEnd {
  const usage = objectIn(given);
  const input = objectIn(usage.input_tokens_details);
  const why = objectIn(details).reason;
  const hasCall = objectsIn(output).some(({ type }) => type === "function_call");
  const cut = why === "content_filter" ? "content_filter" : "length";
  return {
    reason: why == null ? (hasCall ? "tool_calls" : "stop") : cut,
    inputTokens: tokens(usage.input_tokens),
    outputTokens: tokens(usage.output_tokens),
    cachedTokens: tokens(input.cached_tokens),
    cacheWriteTokens: tokens(input.cache_write_tokens),
    reasoningTokens: tokens(objectIn(usage.output_tokens_details).reasoning_tokens),
    ...(usage.cost === undefined ? {} : { cost: usage.cost }),
  };
}

export function writeResponsesReply({ head, parts, end }: Reply): Json {
  const { reason, inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens, reasoningTokens = 0, cost } = end;
  const isCut = reason === "length" || reason === "content_filter";
  const status = isCut ? "incomplete" : "completed";
  const said: readonly Part[] = parts.length > 0 ? parts : [{ type: "text", text: "" }];
  return {
    ...emptyResponse(head, status),
    incomplete_details: isCut ? { reason: reason === "length" ? "max_output_tokens" : reason } : null,
    output: said.map((part, index) => writeOutput(head, part, index, isOpenEnded(part) ? status : "completed")),
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: {
        cached_tokens: cachedTokens,
        ...(cacheWriteTokens ? { cache_write_tokens: cacheWriteTokens } : {}),
      },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: inputTokens + outputTokens,
      ...(cost === undefined ? {} : { cost }),
    },
  };
}

/** A call is whole, or it is none. */
const isOpenEnded = ({ type }: Part) => type === "text" || type === "refusal";

export function emptyResponse({ id, created, model }: ReplyHead, status: string): Json {
  const fixed = { error: null, incomplete_details: null, instructions: null, metadata: {}, output: [], tools: [] };
  const chosen = { parallel_tool_calls: false, temperature: null, top_p: null, tool_choice: "none" };
  return { id, object: "response", created_at: created, status, model, ...fixed, ...chosen };
}

/** The item that a part of a reply is. */
export function writeOutput(head: ReplyHead, part: Part, index: number, status: string): Json {
  const name = `${head.id.replace(/^resp_/, "")}${index === 0 ? "" : `_${index}`}`;
  switch (part.type) {
    case "call":
      return { id: `fc_${part.id}`, status, ...writeCallItem(part) };
    case "reasoning":
      return writeReasoningItem(part, part.id ?? nameThought(name, index));
    case "image":
      return { id: `ig_${name}`, status, ...writeImageItem(part) };
    default:
      return { id: `msg_${name}`, type: "message", role: "assistant", status, content: writeSaid(part) };
  }
}

function writeSaid(part: Part): Json[] {
  if (part.type === "text") return [writtenText(part.text)];
  if (part.type === "refusal") return [{ type: "refusal", refusal: part.text }];
  return part.type === "audio" ? [writeAudio(part)] : [];
}

export function writtenText(text: string): Json {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** Why a reply came to nothing. */
export function failureOf(event: Json): string {
  const response = objectIn(event.response);
  const error = isObject(response.error) ? response.error : event.error;
  return textIn(objectIn(error).message) || textIn(event.message) || "The upstream gateway failed.";
}
