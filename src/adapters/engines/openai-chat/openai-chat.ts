import { z } from "zod";
import { Problem } from "../../../platform/errors.ts";
import type { ChatEngine, ChatEvent, ChatRequest, ChatUsage } from "../../../ports/chat-engine.ts";
import { askServer, type OpenAiServer } from "./openai-server.ts";
import { readEvents } from "./read-events.ts";

export interface OpenAiChatOptions {
  /** From asking to the first byte of the answer. */
  readonly timeoutMs?: number;
  /** The longest silence within an answer. */
  readonly silenceMs?: number;
}

const usageShape = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int().nullish() }).nullish(),
});

const chunkShape = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: usageShape.nullish(),
  error: z.unknown().optional(),
});

/** Chat by any OpenAI-compatible server. A request that got no answer is sent again; once words have come it never is. */
export function createOpenAiChat(server: OpenAiServer, options: OpenAiChatOptions = {}): ChatEngine {
  const { timeoutMs = 60_000, silenceMs = 60_000 } = options;
  return {
    modelName: server.model,
    async *answer(request, signal) {
      signal.throwIfAborted();
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      try {
        const asked = { signal: either, timeoutMs, kind: "chat" };
        const response = await askServer(server, "/chat/completions", bodyFor(request), asked);
        yield* readAnswer(response, request, silenceMs, stop);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Problem) throw error;
        const what = stop.signal.aborted ? "fell silent" : "broke off";
        throw new Problem("engine_unavailable", `The chat server ${what} in the middle of its answer.`, {
          cause: error,
        });
      } finally {
        stop.abort();
      }
    },
  };
}

function bodyFor(request: ChatRequest): object {
  const { messages, temperature, topP, seed, maxTokens, stop, jsonSchema } = request;
  return {
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(stop?.length ? { stop } : {}),
    ...(jsonSchema === undefined ? {} : { response_format: formatFor(jsonSchema) }),
  };
}

function formatFor(schema: object | true): object {
  if (schema === true) return { type: "json_object" };
  return { type: "json_schema", json_schema: { name: "answer", schema, strict: true } };
}

async function* readAnswer(
  response: Response,
  request: ChatRequest,
  silenceMs: number,
  stop: AbortController,
): AsyncGenerator<ChatEvent> {
  let usage: z.output<typeof usageShape> | undefined;
  let finishReason: "stop" | "length" = "stop";
  let pieces = 0;
  let hasBegun = false;
  let held = "";
  let isWhole = false;
  for await (const data of readEvents(response, silenceMs, stop)) {
    if (data === "[DONE]") {
      isWhole = true;
      continue;
    }
    const chunk = chunkShape.safeParse(parseJson(data));
    if (!chunk.success || chunk.data.error !== undefined) {
      const cause = new Error(data.slice(0, 500));
      throw new Problem("engine_unavailable", "The chat server sent an error instead of an answer.", { cause });
    }
    usage = chunk.data.usage ?? usage;
    const choice = chunk.data.choices[0];
    if (choice?.finish_reason) {
      isWhole = true;
      finishReason = choice.finish_reason === "length" ? "length" : "stop";
    }
    const text = choice?.delta?.content ?? "";
    if (text === "") continue;
    pieces += 1;
    // Blanks at the end wait until more comes, so that the answer has none at either end.
    const known: string = hasBegun ? held + text : (held + text).trimStart();
    const shown: string = known.trimEnd();
    held = known.slice(shown.length);
    hasBegun ||= shown !== "";
    if (shown !== "") yield { type: "delta", text: shown };
  }
  if (!isWhole) throw new Problem("engine_unavailable", "The chat server broke off in the middle of its answer.");
  yield { type: "done", finishReason, usage: usage ? toUsage(usage) : estimate(request, pieces) };
}

function toUsage(usage: z.output<typeof usageShape>): ChatUsage {
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
  };
}

/** For servers that do not count: a piece is a token in practice, and four letters make one. */
function estimate({ messages }: ChatRequest, pieces: number): ChatUsage {
  const letters = messages.reduce((sum, { content }) => sum + content.length, 0);
  return { inputTokens: Math.ceil(letters / 4), outputTokens: pieces, cachedTokens: null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
