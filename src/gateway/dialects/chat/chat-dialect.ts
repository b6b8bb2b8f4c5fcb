import type { Json } from "../../json.ts";
import { type Dialect, writeEvent } from "../dialect.ts";
import type { Part, ReasoningPart, Reply, ReplyEnd, ReplyHead, TurnEvent } from "../turn.ts";
import { readChatReply } from "./read-reply.ts";
import { readChatRequest } from "./read-request.ts";
import { ChatStreamReader } from "./read-stream.ts";
import { writeThoughts } from "./reasoning.ts";
import { writeAudio, writeCall, writeChatRequest, writeMade } from "./write-request.ts";

/** OpenAI's chat completions, with what OpenRouter and Vercel added to them. */
export const chatDialect: Dialect = {
  endpoint: "chat/completions",
  idPrefix: "chatcmpl-",
  outputLimits: ["max_tokens", "max_completion_tokens"],
  readRequest: readChatRequest,
  writeRequest: writeChatRequest,
  readReply: readChatReply,
  writeReply,
  readStream: () => new ChatStreamReader(),
  writeStream(showsUsage) {
    const writer = new ChatStreamWriter(showsUsage);
    return (event) => writer.write(event);
  },
};

function writeReply({ head, parts, end }: Reply): Json {
  const textOf = (type: "text" | "refusal") =>
    parts.map((part) => (part.type === type ? (part as { text: string }).text : "")).join("");
  const calls = parts.filter((part) => part.type === "call");
  const text = textOf("text");
  const message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: textOf("refusal") || null,
    ...writeMade(parts),
    ...(calls.length > 0 ? { tool_calls: calls.map(writeCall) } : {}),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: end.reason };
  return { ...head, object: "chat.completion", choices: [choice], usage: writeChatUsage(end) };
}

/** Calls and thoughts are numbered, each by themselves. */
class ChatStreamWriter {
  readonly #showsUsage: boolean;
  readonly #parts: { part: Part; number: number }[] = [];
  #head!: ReplyHead;

  constructor(showsUsage: boolean) {
    this.#showsUsage = showsUsage;
  }

  write(event: TurnEvent): string {
    switch (event.type) {
      case "begin":
        this.#head = event.head;
        return this.#chunk({ role: "assistant", content: "" });
      case "open":
        return this.#open(event.index, event.part);
      case "more":
        return this.#more(event.index, event.text);
      case "mark":
        return this.#think(event.index, { text: "", ...event.marks });
      case "end":
        return this.#end(event.end);
      case "fail":
        return writeEvent({ error: { message: event.message, type: "upstream_error", param: null, code: 503 } });
      default:
        return "";
    }
  }

  #open(index: number, part: Part): string {
    const number = this.#parts.filter((one) => one?.part.type === part.type).length;
    this.#parts[index] = { part, number };
    switch (part.type) {
      case "call":
        return this.#chunk({ tool_calls: [{ index: number, ...writeCall(part) }] });
      case "image":
        return this.#chunk(writeMade([part]));
      case "audio":
        return this.#chunk({ audio: writeAudio(part) });
      case "reasoning":
        return part.text === "" && Object.keys(part).length === 2 ? "" : this.#think(index, part);
      case "text":
      case "refusal":
        return part.text === "" ? "" : this.#more(index, part.text);
      default:
        return "";
    }
  }

  #more(index: number, text: string): string {
    const { part, number } = this.#parts[index]!;
    if (part.type === "call") return this.#chunk({ tool_calls: [{ index: number, function: { arguments: text } }] });
    if (part.type === "reasoning") return this.#think(index, { isSummary: part.isSummary, text });
    return this.#chunk(part.type === "refusal" ? { refusal: text } : { content: text });
  }

  #think(index: number, said: Omit<ReasoningPart, "type">): string {
    return this.#chunk(writeThoughts([{ ...said, type: "reasoning", index: this.#parts[index]!.number }]));
  }

  #end(end: ReplyEnd): string {
    const base = { ...this.#head, object: "chat.completion.chunk" };
    const usage = this.#showsUsage ? writeEvent({ ...base, choices: [], usage: writeChatUsage(end) }) : "";
    return `${this.#chunk({}, end.reason)}${usage}data: [DONE]\n\n`;
  }

  #chunk(delta: Json, finish: string | null = null): string {
    return writeEvent({
      ...this.#head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(this.#showsUsage ? { usage: null } : {}),
    });
  }
}

export function writeChatUsage(end: ReplyEnd): Json {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens, cost } = end;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens || cacheWriteTokens
      ? { prompt_tokens_details: counts({ cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens }) }
      : {}),
    ...(reasoningTokens ? { completion_tokens_details: { reasoning_tokens: reasoningTokens } } : {}),
    ...(cost === undefined ? {} : { cost }),
  };
}

function counts(given: Json): Json {
  return Object.fromEntries(Object.entries(given).filter(([, count]) => count));
}
