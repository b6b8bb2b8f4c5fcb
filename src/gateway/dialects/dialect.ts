import type { Json } from "../json.ts";
import type { Endpoint } from "../upstreams/kinds/kind.ts";

/** What all replies to one request have in common. */
export interface ReplyHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** What a model said. */
export interface Said {
  readonly text: string;
  readonly calls?: readonly ToolCall[] | undefined;
}

export interface ReplyEnd {
  readonly reason: "stop" | "length" | "tool_calls" | "content_filter";
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  /** As an upstream reports it. */
  readonly cost?: unknown;
}

/** How an answer is written in one dialect. */
export interface Dialect {
  readonly endpoint: Endpoint;
  readonly idPrefix: string;
  whole(head: ReplyHead, said: Said, end: ReplyEnd): Json;
  /** Writes server-sent events. */
  stream(head: ReplyHead, showsUsage: boolean): EventWriter;
}

/** Text and calls come one after another, each piece by piece; calls are numbered from 0. */
export interface EventWriter {
  begin(): string;
  text(text: string): string;
  call(index: number, call: Pick<ToolCall, "id" | "name">): string;
  callArguments(index: number, part: string): string;
  end(end: ReplyEnd): string;
  fail(message: string): string;
}

/** A dialect that can be said in chat completions, for models that understand nothing else. */
export interface TranslatedDialect extends Dialect {
  toChat(body: Json): Json;
}

/** One event, under its name where the dialect names them. */
export function writeEvent(data: Json, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
