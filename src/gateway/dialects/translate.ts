import { isObject, type Json, parseObject } from "../json.ts";
import type { Endpoint } from "../upstreams/kinds/kind.ts";
import { chatDialect } from "./chat/chat-dialect.ts";
import type { CallerDialect, Dialect, StreamReader } from "./dialect.ts";
import { messagesDialect } from "./messages/messages-dialect.ts";
import { responsesDialect } from "./responses/responses-dialect.ts";
import type { TurnEvent } from "./turn.ts";

/** Another endpoint, which an upstream is asked for in place of one that it lacks. */
export interface Translation {
  readonly endpoint: Endpoint;
  readonly outputLimits: readonly string[];
  /** Of the caller, for the upstream. */
  request(body: Json): Json;
  /** Of the upstream, for the caller. What is no reply, an error for one, stays as it is. */
  reply(body: Json): Json;
  stream?(showsUsage: boolean): EventTranslator;
}

/** What upstreams speak, the most common first. */
const spoken: readonly Dialect[] = [chatDialect, messagesDialect, responsesDialect];

/** All ways to serve a caller's dialect by another one. */
export function translationsOf(caller: CallerDialect): Translation[] {
  return spoken.filter(({ endpoint }) => endpoint !== caller.endpoint).map((other) => translate(caller, other));
}

export function translate(caller: CallerDialect, upstream: Dialect): Translation {
  return {
    endpoint: upstream.endpoint,
    outputLimits: upstream.outputLimits,
    request: (body) => upstream.writeRequest(caller.readRequest(body)),
    reply(body) {
      const reply = upstream.readReply(body);
      return reply ? caller.writeReply(reply) : body;
    },
    stream: (showsUsage) => new EventTranslator(upstream.readStream(), caller.writeStream(showsUsage)),
  };
}

/** Makes a stream of one dialect of that of another, piece by piece. */
export class EventTranslator {
  readonly #reader: StreamReader;
  readonly #write: (event: TurnEvent) => string;
  readonly #decoder = new TextDecoder();
  #waiting = "";
  #isOver = false;

  constructor(reader: StreamReader, write: (event: TurnEvent) => string) {
    this.#reader = reader;
    this.#write = write;
  }

  push(chunk: Buffer | string): string {
    this.#waiting += typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true });
    const lines = this.#waiting.split(/\r?\n/);
    this.#waiting = lines.pop()!;
    return lines.map((line) => this.#take(line)).join("");
  }

  end(): string {
    const last = this.#take(this.#waiting);
    this.#waiting = "";
    return last + this.#say(this.#reader.end());
  }

  #take(line: string): string {
    // What keeps a connection awake is a comment in every dialect.
    if (line.startsWith(":")) return `${line}\n\n`;
    if (!line.startsWith("data:")) return "";
    const data = line.slice("data:".length).trim();
    if (data === "[DONE]") return this.#say(this.#reader.end());
    const event = parseObject(data);
    return isObject(event) ? this.#say(this.#reader.read(event)) : "";
  }

  #say(events: readonly TurnEvent[]): string {
    let said = "";
    for (const event of events) {
      if (this.#isOver) break;
      this.#isOver = event.type === "end" || event.type === "fail";
      said += this.#write(event);
    }
    return said;
  }
}
