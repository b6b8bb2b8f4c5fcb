import { tokens } from "../charging/read-usage.ts";
import { isObject, type Json } from "../json.ts";
import type { Dialect, EventWriter, ReplyEnd, ReplyHead, ToolCall } from "./dialect.ts";

/** A whole chat completion in another dialect. What is none, an error for one, stays as it is. */
export function translateWhole(dialect: Dialect, body: Json): Json {
  const choice = firstChoice(body);
  if (!choice || !isObject(choice.message)) return body;
  const { content, tool_calls: given } = choice.message;
  const calls = (Array.isArray(given) ? given : []).filter(isObject).map(readCall);
  const said = { text: textOf(content), calls };
  return dialect.whole(headOf(body), said, endOf(choice.finish_reason, body.usage));
}

/** Makes a stream of another dialect of a stream of chat completions, piece by piece. */
export class EventTranslator {
  readonly #dialect: Dialect;
  readonly #showsUsage: boolean;
  readonly #decoder = new TextDecoder();
  readonly #begunCalls = new Set<number>();
  #writer: EventWriter | undefined;
  #waiting = "";
  #reason: unknown;
  #usage: unknown;
  #isOver = false;

  constructor(dialect: Dialect, showsUsage = true) {
    this.#dialect = dialect;
    this.#showsUsage = showsUsage;
  }

  push(chunk: Buffer | string): string {
    this.#waiting += typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true });
    const lines = this.#waiting.split(/\r?\n/);
    this.#waiting = lines.pop()!;
    return lines.map((line) => this.#take(line)).join("");
  }

  /** Usage comes after the model's last word, so the end is written when there is nothing more. */
  end(): string {
    const last = this.#take(this.#waiting);
    this.#waiting = "";
    if (this.#isOver || !this.#writer || this.#reason === undefined) return last;
    this.#isOver = true;
    return last + this.#writer.end(endOf(this.#reason, this.#usage));
  }

  #take(line: string): string {
    // What keeps a connection awake is a comment in every dialect.
    if (line.startsWith(":")) return `${line}\n\n`;
    if (!line.startsWith("data:") || this.#isOver) return "";
    const data = line.slice("data:".length).trim();
    if (data === "[DONE]") return this.end();
    let event: unknown;
    try {
      event = JSON.parse(data);
    } catch {
      return "";
    }
    return isObject(event) ? this.#translate(event) : "";
  }

  #translate(event: Json): string {
    if (event.error != null) {
      this.#isOver = true;
      const { message } = isObject(event.error) ? event.error : { message: event.error };
      const said = typeof message === "string" ? message : "The upstream gateway failed.";
      return (this.#writer ?? this.#dialect.stream(headOf(event), this.#showsUsage)).fail(said);
    }
    let out = "";
    if (!this.#writer) {
      this.#writer = this.#dialect.stream(headOf(event), this.#showsUsage);
      out = this.#writer.begin();
    }
    if (isObject(event.usage)) this.#usage = event.usage;
    const choice = firstChoice(event);
    if (!choice) return out;
    if (choice.finish_reason != null) this.#reason = choice.finish_reason;
    const delta = isObject(choice.delta) ? choice.delta : {};
    if (typeof delta.content === "string" && delta.content !== "") out += this.#writer.text(delta.content);
    const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject) : [];
    return out + calls.map((call) => this.#takeCall(call)).join("");
  }

  #takeCall(call: Json): string {
    const writer = this.#writer!;
    const index = typeof call.index === "number" ? call.index : this.#begunCalls.size;
    const { id, name, arguments: part } = readCall(call);
    let out = "";
    if (!this.#begunCalls.has(index)) {
      this.#begunCalls.add(index);
      out = writer.call(index, { id, name });
    }
    return part === "" ? out : out + writer.callArguments(index, part);
  }
}

function firstChoice({ choices }: Json): Json | undefined {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(first) ? first : undefined;
}

function headOf({ id, created, model }: Json): ReplyHead {
  return {
    id: typeof id === "string" ? id : "",
    created: typeof created === "number" ? created : Math.floor(Date.now() / 1000),
    model: typeof model === "string" ? model : "",
  };
}

function readCall({ id, function: named }: Json): ToolCall {
  const { name, arguments: given } = isObject(named) ? named : {};
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return { id: text(id), name: text(name), arguments: text(given) };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}

function endOf(reason: unknown, usage: unknown): ReplyEnd {
  const given = isObject(usage) ? usage : {};
  const input = isObject(given.prompt_tokens_details) ? given.prompt_tokens_details : {};
  const output = isObject(given.completion_tokens_details) ? given.completion_tokens_details : {};
  return {
    reason: isReason(reason) ? reason : "stop",
    inputTokens: tokens(given.prompt_tokens),
    outputTokens: tokens(given.completion_tokens),
    cachedTokens: tokens(input.cached_tokens),
    reasoningTokens: tokens(output.reasoning_tokens),
    ...(given.cost === undefined ? {} : { cost: given.cost }),
  };
}

function isReason(reason: unknown): reason is ReplyEnd["reason"] {
  return reason === "stop" || reason === "length" || reason === "tool_calls" || reason === "content_filter";
}
