import { tokens } from "../../charging/read-usage.ts";
import { isObject, type Json } from "../../json.ts";
import { objectIn, objectsIn, textIn } from "../dialect.ts";
import type { Part, Reply, ReplyEnd, ReplyHead } from "../turn.ts";
import { readAudio, readCall, readImage, readParts } from "./read-request.ts";
import { readThoughts } from "./reasoning.ts";

export function readChatReply(body: Json): Reply | undefined {
  const choice = firstChoice(body);
  if (!isObject(choice?.message)) return undefined;
  const { message } = choice;
  const { content, refusal, images, audio, tool_calls: calls } = message;
  const parts: Part[] = [
    ...readThoughts(message),
    ...(typeof content === "string" ? textPart(content) : readParts(content, "content")),
    ...(typeof refusal === "string" && refusal !== "" ? [{ type: "refusal", text: refusal } as const] : []),
    ...objectsIn(images).flatMap(readImage),
    ...(isObject(audio) ? [readAudio(audio)] : []),
    ...objectsIn(calls).map(readCall),
  ];
  return { head: headOf(body), parts, end: endOf(choice.finish_reason, body.usage) };
}

function textPart(text: string): Part[] {
  return text === "" ? [] : [{ type: "text", text }];
}

export function firstChoice({ choices }: Json): Json | undefined {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(first) ? first : undefined;
}

export function headOf({ id, created, model }: Json): ReplyHead {
  return {
    id: textIn(id),
    created: typeof created === "number" ? created : Math.floor(Date.now() / 1000),
    model: textIn(model),
  };
}

export function endOf(reason: unknown, usage: unknown): ReplyEnd {
  const given = objectIn(usage);
  const input = objectIn(given.prompt_tokens_details);
  const output = objectIn(given.completion_tokens_details);
  return {
    reason: isReason(reason) ? reason : "stop",
    inputTokens: tokens(given.prompt_tokens),
    outputTokens: tokens(given.completion_tokens),
    cachedTokens: tokens(input.cached_tokens),
    cacheWriteTokens: tokens(input.cache_write_tokens ?? given.cache_creation_input_tokens),
    reasoningTokens: tokens(output.reasoning_tokens),
    ...(given.cost === undefined ? {} : { cost: given.cost }),
  };
}

function isReason(reason: unknown): reason is ReplyEnd["reason"] {
  return reason === "stop" || reason === "length" || reason === "tool_calls" || reason === "content_filter";
}
