import { Problem } from "../../platform/errors.ts";
import type { Json } from "../json.ts";
import { writeChatUsage } from "./chat/chat-dialect.ts";
import { type CallerDialect, writeEvent } from "./dialect.ts";
import type { ReplyHead, TurnRequest } from "./turn.ts";

/** OpenAI's completions of before chats: what is to be completed is what the user says, and nothing but text comes back. */
export const completionsDialect: CallerDialect = {
  endpoint: "completions",
  outputLimits: ["max_tokens"],
  idPrefix: "cmpl-",
  readRequest,
  writeReply({ head, parts, end }) {
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    return { ...chunkOf(head, text, end.reason), usage: writeChatUsage(end) };
  },
  writeStream(showsUsage) {
    let head!: ReplyHead;
    const texts = new Set<number>();
    const chunk = (text: string, finish: string | null = null) => writeEvent(chunkOf(head, text, finish));
    return (event) => {
      switch (event.type) {
        case "begin":
          head = event.head;
          return "";
        case "open":
          if (event.part.type !== "text") return "";
          texts.add(event.index);
          return event.part.text === "" ? "" : chunk(event.part.text);
        case "more":
          return texts.has(event.index) ? chunk(event.text) : "";
        case "end": {
          const { end } = event;
          const usage = { ...chunkOf(head, "", null), choices: [], usage: writeChatUsage(end) };
          return `${chunk("", end.reason)}${showsUsage ? writeEvent(usage) : ""}data: [DONE]\n\n`;
        }
        case "fail":
          return writeEvent({ error: { message: event.message, type: "upstream_error", param: null, code: 503 } });
        default:
          return "";
      }
    };
  },
};

function readRequest(body: Json): TurnRequest {
  const { model, stream, prompt, max_tokens: maxTokens, temperature, top_p: topP, stop, seed } = body;
  const text: unknown = Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt;
  if (typeof text !== "string") throw new Problem("invalid_request", '"prompt" must be one text for this model.');
  const messages = [{ role: "user", parts: [{ type: "text", text } as const] }];
  return { model, stream, messages, tools: [], maxTokens, temperature, topP, stop, seed, shared: {} };
}

function chunkOf(head: ReplyHead, text: string, finish: string | null): Json {
  return { ...head, object: "text_completion", choices: [{ index: 0, text, logprobs: null, finish_reason: finish }] };
}
