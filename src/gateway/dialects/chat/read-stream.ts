import { isObject, type Json } from "../../json.ts";
import { objectIn, objectsIn, type StreamReader, textIn } from "../dialect.ts";
import type { Part, ReasoningMarks, TurnEvent } from "../turn.ts";
import { endOf, firstChoice, headOf } from "./read-reply.ts";
import { readAudio, readCall, readImage } from "./read-request.ts";
import { thoughtsIn } from "./reasoning.ts";

interface OpenPart {
  readonly index: number;
  readonly isCall: boolean;
  /** Of its arguments. */
  written: string;
  /** What was told beside its text. */
  readonly marks: Json;
}

/** Chat completions never say that a part is over, so it is when another kind begins, and a call is when its arguments are whole. */
export class ChatStreamReader implements StreamReader {
  readonly #open = new Map<string, OpenPart>();
  #events: TurnEvent[] = [];
  #count = 0;
  #audio: Json | undefined;
  #reason: unknown;
  #usage: unknown;
  #state: "new" | "begun" | "over" = "new";

  read(event: Json): readonly TurnEvent[] {
    if (this.#state === "over") return [];
    this.#events = [];
    if (event.error != null) {
      this.#state = "over";
      const message = textIn(isObject(event.error) ? event.error.message : event.error);
      return [{ type: "fail", message: message || "The upstream gateway failed." }];
    }
    if (this.#state === "new") {
      this.#state = "begun";
      this.#events.push({ type: "begin", head: headOf(event) });
    }
    if (isObject(event.usage)) this.#usage = event.usage;
    const choice = firstChoice(event);
    if (choice?.finish_reason != null) this.#reason = choice.finish_reason;
    if (isObject(choice?.delta)) this.#readDelta(choice.delta);
    return this.#events;
  }

  /** Usage comes after the model's last word. */
  end(): readonly TurnEvent[] {
    if (this.#state !== "begun" || this.#reason === undefined) return [];
    this.#state = "over";
    this.#events = [];
    if (this.#audio) this.#whole(readAudio(this.#audio));
    for (const key of [...this.#open.keys()]) this.#close(key);
    this.#events.push({ type: "end", end: endOf(this.#reason, this.#usage) });
    return this.#events;
  }

  #readDelta(delta: Json): void {
    for (const { key, text, marks } of thoughtsIn(delta)) this.#think(key, text, marks);
    this.#write("text", delta.content);
    this.#write("refusal", delta.refusal);
    for (const image of objectsIn(delta.images).flatMap(readImage)) this.#whole(image);
    if (isObject(delta.audio)) this.#hear(delta.audio);
    for (const call of objectsIn(delta.tool_calls)) this.#call(call);
  }

  #think(key: string, text: string, marks: ReasoningMarks): void {
    const { index, marks: known } = this.#at(`reasoning ${key}`, { type: "reasoning", text: "", ...marks });
    if (text !== "") this.#events.push({ type: "more", index, text });
    const news = Object.entries(marks).filter(([name, value]) => known[name] !== value);
    if (news.length === 0) return;
    Object.assign(known, marks);
    this.#events.push({ type: "mark", index, marks: Object.fromEntries(news) });
  }

  #write(type: "text" | "refusal", text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    const { index } = this.#at(type, { type, text: "" });
    this.#events.push({ type: "more", index, text });
  }

  /** Sound comes in pieces that only make sense together. */
  #hear({ data, transcript, ...rest }: Json): void {
    const known = objectIn(this.#audio);
    this.#audio = { ...known, ...rest };
    if (data !== undefined) this.#audio.data = textIn(known.data) + textIn(data);
    if (transcript !== undefined) this.#audio.transcript = textIn(known.transcript) + textIn(transcript);
  }

  #call(call: Json): void {
    const key = `call ${call.index ?? call.id}`;
    const read = readCall(call);
    const part = this.#at(key, { ...read, arguments: "" });
    if (read.arguments === "") return;
    part.written += read.arguments;
    this.#events.push({ type: "more", index: part.index, text: read.arguments });
    // Those that wait for it need not wait for the end.
    if (this.#open.size > 1) this.#closeWhole();
  }

  #whole(part: Part): void {
    this.#closeOthers(undefined);
    this.#events.push({ type: "open", index: this.#count, part }, { type: "close", index: this.#count });
    this.#count += 1;
  }

  #at(key: string, part: Part): OpenPart {
    const known = this.#open.get(key);
    if (known) return known;
    this.#closeOthers(key);
    const opened = { index: this.#count, isCall: part.type === "call", written: "", marks: { ...part } };
    this.#count += 1;
    this.#open.set(key, opened);
    this.#events.push({ type: "open", index: opened.index, part });
    return opened;
  }

  #closeOthers(key: string | undefined): void {
    for (const [other, { isCall }] of this.#open) if (other !== key && !isCall) this.#close(other);
    this.#closeWhole();
  }

  #closeWhole(): void {
    for (const [key, { isCall, written }] of this.#open) if (isCall && isWholeObject(written)) this.#close(key);
  }

  #close(key: string): void {
    this.#events.push({ type: "close", index: this.#open.get(key)!.index });
    this.#open.delete(key);
  }
}

function isWholeObject(text: string): boolean {
  if (!/\}\s*$/.test(text)) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
