import { Problem } from "../../platform/errors.ts";
import type { ChatEngine, ChatEvent, ChatMessage, ChatUsage } from "../../ports/chat-engine.ts";

export const CHAT_MODEL_NAME = "svc-chat-1";

/** A conversation as somebody wants it answered. Other slices (calls, translation) ask the same way. */
export interface Conversation {
  readonly message?: string | undefined;
  readonly messages?: readonly ChatMessage[] | undefined;
  readonly temperature?: number | undefined;
  readonly model?: string | undefined;
  readonly maxTokens?: number | undefined;
}

export interface Answer {
  readonly reply: string;
  readonly usage: ChatUsage;
}

/** What `model` is called in replies: the remote engine's own name follows a slash. */
export function chatModelName(engine: ChatEngine): string {
  return engine.modelName ? `${CHAT_MODEL_NAME}/${engine.modelName}` : CHAT_MODEL_NAME;
}

/** Starts to answer. An unknown model throws here. */
export function startAnswer(
  engine: ChatEngine,
  wanted: Conversation,
  turn: { key: string; flow: string },
  signal: AbortSignal,
): AsyncIterable<ChatEvent> {
  const model = chatModelName(engine);
  if (wanted.model !== undefined && wanted.model !== CHAT_MODEL_NAME && wanted.model !== model) {
    const names = [...new Set([CHAT_MODEL_NAME, model])].join(", ");
    throw new Problem("invalid_request", `There is no chat model "${wanted.model}". Models: ${names}.`);
  }
  const messages = (wanted.messages ?? [{ role: "user", content: wanted.message ?? "" }]).filter(
    ({ content }) => content.trim() !== "",
  );
  const { temperature, maxTokens } = wanted;
  return engine.answer({ messages, temperature, maxTokens, ...turn }, signal);
}

/** `onDelta` hears of each piece: of an answer that nobody waits for any more, they are all that is known. */
export async function finishAnswer(events: AsyncIterable<ChatEvent>, onDelta?: () => void): Promise<Answer> {
  let reply = "";
  for await (const event of events) {
    if (event.type === "delta") {
      reply += event.text;
      onDelta?.();
    } else return { reply, usage: event.usage };
  }
  throw new Problem("engine_unavailable", "The chat engine ended without finishing its answer. Try again.");
}

/** As replies show it. */
export function showUsage({ inputTokens, outputTokens, cachedTokens }: ChatUsage) {
  return { input_tokens: inputTokens, output_tokens: outputTokens, cached_tokens: cachedTokens };
}
