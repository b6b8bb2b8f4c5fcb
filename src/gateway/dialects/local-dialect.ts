import type { LocalChatEvent } from "../../ports/local-models.ts";
import type { Endpoint, Json } from "../upstreams/kinds/kind.ts";

export type LocalEnd = Extract<LocalChatEvent, { type: "end" }>;

/** What all replies to one request have in common. */
export interface ReplyHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** How a model of this process answers in one dialect. */
export interface LocalDialect {
  readonly endpoint: Endpoint;
  readonly idPrefix: string;
  whole(head: ReplyHead, text: string, end: LocalEnd): Json;
  /** Writes server-sent events. */
  stream(head: ReplyHead, showsUsage: boolean): EventWriter;
}

export interface EventWriter {
  begin(): string;
  text(text: string): string;
  end(end: LocalEnd): string;
  fail(message: string): string;
}

/** One event, under its name where the dialect names them. */
export function writeEvent(data: Json, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
