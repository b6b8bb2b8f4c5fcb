import { maybeText, objectIn, optional } from "../dialects/dialect.ts";
import type { ReasoningMarks } from "../dialects/turn.ts";
import { isObject, type Json } from "../json.ts";

/** Where the AI SDK's providers keep what they want back, each under its own name. */
export function marksIn(metadata: unknown): ReasoningMarks {
  const { parlance, anthropic, openai } = objectIn(metadata);
  if (isObject(parlance)) return parlance as ReasoningMarks;
  if (isObject(openai)) {
    const marks = { id: maybeText(openai.itemId), encrypted: maybeText(openai.reasoningEncryptedContent) };
    return optional({ ...marks, format: marks.encrypted && "openai-responses-v1" });
  }
  const { signature, redactedData } = objectIn(anthropic);
  return optional({ signature: maybeText(signature), encrypted: maybeText(redactedData) });
}

export function writeMarks({ signature, encrypted, id, format, isSummary }: ReasoningMarks): Json | undefined {
  const hasMore = id !== undefined || format !== undefined || isSummary || (signature && encrypted);
  if (!hasMore) {
    if (signature !== undefined) return { anthropic: { signature } };
    return encrypted === undefined ? undefined : { anthropic: { redactedData: encrypted } };
  }
  const isOpenAi = format === undefined || format.startsWith("openai");
  return {
    ...(isOpenAi ? { openai: optional({ itemId: id, reasoningEncryptedContent: encrypted }) } : {}),
    parlance: optional({ signature, encrypted, id, format, isSummary }),
  };
}

export function callSignature(metadata: unknown): string | undefined {
  const { google, vertex } = objectIn(metadata);
  return maybeText(objectIn(google).thoughtSignature) ?? maybeText(objectIn(vertex).thoughtSignature);
}

export function writeCallSignature(signature: string | undefined): Json | undefined {
  return signature === undefined ? undefined : { google: { thoughtSignature: signature } };
}

export function cacheIn(options: unknown): Json {
  const { cacheControl, cache_control } = objectIn(objectIn(options).anthropic);
  return optional({ cache: cacheControl ?? cache_control });
}

export function writeCache(cache: Json | undefined): Json | undefined {
  return cache && { anthropic: { cacheControl: cache } };
}
