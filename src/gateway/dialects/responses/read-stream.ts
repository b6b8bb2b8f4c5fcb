import type { Json } from "../../json.ts";
import { objectIn, type StreamReader, textIn } from "../dialect.ts";
import type { Part, TurnEvent } from "../turn.ts";
import { marksOf, readCallItem, readReasoningItem, summaryBreak } from "./items.ts";
import { endOf, failureOf, headOf, readOutput } from "./replies.ts";

interface OpenPart {
  readonly index: number;
  hasText: boolean;
}

/** Parts are open by the number of their item and their place in it. */
export class ResponsesStreamReader implements StreamReader {
  readonly #open = new Map<string, OpenPart>();
  /** Items of which anything was written. */
  readonly #begun = new Set<string>();
  #events: TurnEvent[] = [];
  #count = 0;
  #final: Json | undefined;
  #hasCall = false;

  read(event: Json): readonly TurnEvent[] {
    this.#events = [];
    const item = String(event.output_index);
    switch (event.type) {
      case "response.created":
        return [{ type: "begin", head: headOf(objectIn(event.response)) }];
      case "response.output_item.added":
        this.#added(item, objectIn(event.item));
        break;
      case "response.output_text.delta":
        this.#write(`${item} said ${event.content_index}`, { type: "text", text: "" }, event.delta);
        break;
      case "response.refusal.delta":
        this.#write(`${item} said ${event.content_index}`, { type: "refusal", text: "" }, event.delta);
        break;
      case "response.reasoning_summary_text.delta":
        this.#summarize(item, event);
        break;
      case "response.reasoning_text.delta":
        this.#write(`${item} thought`, { type: "reasoning", text: "" }, event.delta);
        break;
      case "response.function_call_arguments.delta":
        this.#write(`${item} call`, undefined, event.delta);
        break;
      case "response.output_item.done":
        this.#done(item, objectIn(event.item));
        break;
      case "response.completed":
      case "response.incomplete":
        this.#final = objectIn(event.response);
        break;
      case "response.failed":
      case "error":
        return [{ type: "fail", message: failureOf(event) }];
    }
    return this.#events;
  }

  end(): readonly TurnEvent[] {
    if (!this.#final) return [];
    this.#events = [];
    for (const key of [...this.#open.keys()]) this.#close(key);
    const end = endOf(this.#final);
    const reason = this.#hasCall && end.reason === "stop" ? "tool_calls" : end.reason;
    return [...this.#events, { type: "end", end: { ...end, reason } }];
  }

  #added(item: string, content: Json): void {
    if (content.type !== "function_call") return;
    this.#hasCall = true;
    this.#at(`${item} call`, { ...readCallItem(content), arguments: "" });
  }

  #summarize(item: string, { delta, summary_index: number }: Json): void {
    const place = `${item} summary`;
    const isNext = typeof number === "number" && number > 0 && !this.#begun.has(`${place} ${number}`);
    this.#begun.add(`${place} ${String(number)}`);
    const text = `${isNext ? summaryBreak : ""}${textIn(delta)}`;
    this.#write(place, { type: "reasoning", text: "", isSummary: true }, text);
  }

  #done(item: string, content: Json): void {
    const keys = [...this.#open.keys()].filter((key) => key.startsWith(`${item} `));
    const call = this.#open.get(`${item} call`);
    if (call && !call.hasText) this.#write(`${item} call`, undefined, content.arguments);
    const thought = content.type === "reasoning" ? keys.at(-1) : undefined;
    if (thought !== undefined) {
      const { index } = this.#open.get(thought)!;
      // What began as thoughts may turn out to be their summary.
      const [whole] = readReasoningItem(content);
      const marks = { ...marksOf(content), ...(whole?.isSummary ? { isSummary: true } : {}) };
      if (Object.keys(marks).length > 0) this.#events.push({ type: "mark", index, marks });
    }
    for (const key of keys) this.#close(key);
    if (keys.length > 0) return;
    for (const part of readOutput(content)) {
      const key = `${item} whole ${this.#count}`;
      this.#at(key, part);
      this.#close(key);
    }
  }

  #write(key: string, part: Part | undefined, text: unknown): void {
    const opened = part ? this.#at(key, part) : this.#open.get(key);
    if (!opened || typeof text !== "string" || text === "") return;
    opened.hasText = true;
    this.#events.push({ type: "more", index: opened.index, text });
  }

  #at(key: string, part: Part): OpenPart {
    const known = this.#open.get(key);
    if (known) return known;
    const opened = { index: this.#count, hasText: false };
    this.#count += 1;
    this.#open.set(key, opened);
    this.#events.push({ type: "open", index: opened.index, part });
    return opened;
  }

  #close(key: string): void {
    this.#events.push({ type: "close", index: this.#open.get(key)!.index });
    this.#open.delete(key);
  }
}
