import { objectIn, type StreamReader, textIn } from "../dialects/dialect.ts";
import type { Part, TurnEvent } from "../dialects/turn.ts";
import type { Json } from "../json.ts";
import { marksIn } from "./metadata.ts";
import { endOf, headOf, readCall, readContent } from "./replies.ts";

export class PartStreamReader implements StreamReader {
  readonly #open = new Map<string, { index: number; hasText: boolean }>();
  #events: TurnEvent[] = [];
  #count = 0;
  #finish: Json | undefined;

  read(part: Json): readonly TurnEvent[] {
    this.#events = [];
    const { type, id, providerMetadata } = part;
    const key = textIn(id);
    switch (type) {
      case "response-metadata":
        return [{ type: "begin", head: headOf(part) }];
      case "text-start":
        this.#at(`text ${key}`, { type: "text", text: "" });
        break;
      case "reasoning-start":
        this.#at(`reasoning ${key}`, { type: "reasoning", text: "", ...marksIn(providerMetadata) });
        break;
      case "tool-input-start":
        this.#at(key, { ...readCall(part), id: key, arguments: "" });
        break;
      case "text-delta":
      case "reasoning-delta":
        this.#write(`${type.split("-")[0]} ${key}`, part.delta);
        this.#mark(`${type.split("-")[0]} ${key}`, providerMetadata);
        break;
      case "tool-input-delta":
        this.#write(key, part.delta);
        break;
      case "text-end":
        this.#close(`text ${key}`);
        break;
      case "reasoning-end":
        this.#mark(`reasoning ${key}`, providerMetadata);
        this.#close(`reasoning ${key}`);
        break;
      case "tool-call":
        this.#call(part);
        break;
      case "file":
      case "source":
        for (const made of readContent(part)) this.#whole(made);
        break;
      case "finish":
        this.#finish = part;
        break;
      case "error":
        return [{ type: "fail", message: failureOf(part.error) }];
    }
    return this.#events;
  }

  end(): readonly TurnEvent[] {
    if (!this.#finish) return [];
    this.#events = [];
    for (const key of [...this.#open.keys()]) this.#close(key);
    return [...this.#events, { type: "end", end: endOf(this.#finish) }];
  }

  /** Its arguments may have come before, piece by piece. */
  #call(part: Json): void {
    const key = textIn(part.toolCallId);
    const open = this.#at(key, { ...readCall(part), arguments: "" });
    if (!open.hasText) this.#write(key, part.input);
    this.#close(key);
  }

  #whole(part: Part): void {
    this.#events.push({ type: "open", index: this.#count, part }, { type: "close", index: this.#count });
    this.#count += 1;
  }

  #mark(key: string, metadata: unknown): void {
    const open = this.#open.get(key);
    const marks = marksIn(metadata);
    if (open && key.startsWith("reasoning") && Object.keys(marks).length > 0) {
      this.#events.push({ type: "mark", index: open.index, marks });
    }
  }

  #write(key: string, text: unknown): void {
    const open = this.#open.get(key);
    if (!open || typeof text !== "string" || text === "") return;
    open.hasText = true;
    this.#events.push({ type: "more", index: open.index, text });
  }

  #at(key: string, part: Part) {
    const known = this.#open.get(key);
    if (known) return known;
    const opened = { index: this.#count, hasText: false };
    this.#count += 1;
    this.#open.set(key, opened);
    this.#events.push({ type: "open", index: opened.index, part });
    return opened;
  }

  #close(key: string): void {
    const open = this.#open.get(key);
    if (open) this.#events.push({ type: "close", index: open.index });
    this.#open.delete(key);
  }
}

function failureOf(error: unknown): string {
  return textIn(objectIn(error).message) || textIn(error) || "The upstream gateway failed.";
}
