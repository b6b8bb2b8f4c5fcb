import type { Json } from "../../json.ts";
import { ReplyBuilder } from "../build-reply.ts";
import { type Dialect, writeEvent } from "../dialect.ts";
import type { Part, ReasoningPart, ReplyEnd, ReplyHead, TurnEvent } from "../turn.ts";
import { writeCallItem } from "./items.ts";
import { ResponsesStreamReader } from "./read-stream.ts";
import { emptyResponse, readResponsesReply, writeOutput, writeResponsesReply, writtenText } from "./replies.ts";
import { readResponsesRequest, writeResponsesRequest } from "./requests.ts";

/** OpenAI's responses. */
export const responsesDialect: Dialect = {
  endpoint: "responses",
  idPrefix: "resp_",
  outputLimits: ["max_output_tokens"],
  readRequest: readResponsesRequest,
  writeRequest: writeResponsesRequest,
  readReply: readResponsesReply,
  writeReply: writeResponsesReply,
  readStream: () => new ResponsesStreamReader(),
  writeStream() {
    const writer = new ResponsesStreamWriter();
    return (event) => writer.write(event);
  },
};

/** The last event repeats everything, so all of it is kept. */
class ResponsesStreamWriter {
  readonly #reply = new ReplyBuilder();
  /** What items were called when they began. */
  readonly #names: string[] = [];
  /** Those that have a part for their text. */
  readonly #begun = new Set<number>();
  #head!: ReplyHead;
  #sequence = 0;

  write(event: TurnEvent): string {
    this.#reply.add(event);
    switch (event.type) {
      case "begin": {
        this.#head = event.head;
        const response = emptyResponse(event.head, "in_progress");
        return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
      }
      case "open":
        return this.#open(event.index, event.part);
      case "more":
        return this.#more(event.index, event.text);
      case "close":
        return this.#close(event.index);
      case "end":
        return this.#end(event.end);
      case "fail":
        return this.#event("error", { code: "server_error", message: event.message, param: null });
      default:
        return "";
    }
  }

  #open(index: number, part: Part): string {
    const item = { ...this.#item(index, "in_progress"), ...emptied(part) };
    this.#names[index] = String(item.id);
    const added = this.#event("response.output_item.added", { output_index: index, item });
    const said = part.type === "call" ? part.arguments : "text" in part ? part.text : "";
    const begun = part.type === "text" || part.type === "refusal" ? this.#begin(index, part) : "";
    return added + begun + (said === "" ? "" : this.#more(index, said));
  }

  #begin(index: number, part: Part): string {
    if (this.#begun.has(index)) return "";
    this.#begun.add(index);
    const place = this.#place(index);
    switch (part.type) {
      case "text":
        return this.#event("response.content_part.added", { ...place, content_index: 0, part: writtenText("") });
      case "refusal": {
        const empty = { type: "refusal", refusal: "" };
        return this.#event("response.content_part.added", { ...place, content_index: 0, part: empty });
      }
      case "reasoning": {
        const empty = { type: part.isSummary ? "summary_text" : "reasoning_text", text: "" };
        return part.isSummary
          ? this.#event("response.reasoning_summary_part.added", { ...place, summary_index: 0, part: empty })
          : this.#event("response.content_part.added", { ...place, content_index: 0, part: empty });
      }
      default:
        return "";
    }
  }

  #more(index: number, delta: string): string {
    const part = this.#reply.parts[index]!;
    return this.#begin(index, part) + this.#delta(index, part, delta);
  }

  #delta(index: number, part: Part, delta: string): string {
    const place = this.#place(index);
    switch (part.type) {
      case "call":
        return this.#event("response.function_call_arguments.delta", { ...place, delta });
      case "reasoning": {
        if (part.isSummary) {
          return this.#event("response.reasoning_summary_text.delta", { ...place, summary_index: 0, delta });
        }
        return this.#event("response.reasoning_text.delta", { ...place, content_index: 0, delta });
      }
      case "refusal":
        return this.#event("response.refusal.delta", { ...place, content_index: 0, delta });
      default:
        return this.#event("response.output_text.delta", { ...place, content_index: 0, delta, logprobs: [] });
    }
  }

  #close(index: number): string {
    const part = this.#reply.parts[index]!;
    const item = { ...this.#item(index, "completed"), id: this.#names[index] };
    return this.#whole(index, part) + this.#event("response.output_item.done", { output_index: index, item });
  }

  #whole(index: number, part: Part): string {
    const place = { ...this.#place(index), content_index: 0 };
    switch (part.type) {
      case "call": {
        const { name, arguments: given } = writeCallItem(part);
        return this.#event("response.function_call_arguments.done", { ...this.#place(index), name, arguments: given });
      }
      case "text":
        return (
          this.#event("response.output_text.done", { ...place, text: part.text, logprobs: [] }) +
          this.#event("response.content_part.done", { ...place, part: writtenText(part.text) })
        );
      case "refusal":
        return (
          this.#event("response.refusal.done", { ...place, refusal: part.text }) +
          this.#event("response.content_part.done", { ...place, part: { type: "refusal", refusal: part.text } })
        );
      case "reasoning":
        return this.#thought(index, part);
      default:
        return "";
    }
  }

  #thought(index: number, { text, isSummary }: ReasoningPart): string {
    if (text === "") return "";
    const place = this.#place(index);
    if (!isSummary) return this.#event("response.reasoning_text.done", { ...place, content_index: 0, text });
    const summary = { ...place, summary_index: 0 };
    return (
      this.#event("response.reasoning_summary_text.done", { ...summary, text }) +
      this.#event("response.reasoning_summary_part.done", { ...summary, part: { type: "summary_text", text } })
    );
  }

  #end(end: ReplyEnd): string {
    // A reply has something in it, if it is an empty text.
    const empty: Part = { type: "text", text: "" };
    const nothing =
      this.#reply.parts.length > 0 ? "" : this.write({ type: "open", index: 0, part: empty }) + this.#close(0);
    const response = writeResponsesReply({ head: this.#head, parts: this.#reply.parts, end });
    const output = (response.output as Json[]).map((item, index) => ({ ...item, id: this.#names[index] }));
    return nothing + this.#event(`response.${String(response.status)}`, { response: { ...response, output } });
  }

  #item(index: number, status: string): Json {
    const part = this.#reply.parts[index]!;
    const known = this.#names[index];
    const item = writeOutput(this.#head, part, index, status);
    const isRenamed = part.type === "reasoning" && known !== undefined && part.id !== undefined && part.id !== known;
    return isRenamed ? { ...item, id: known, original_id: part.id } : item;
  }

  #place(index: number): Json {
    return { item_id: this.#names[index], output_index: index };
  }

  #event(type: string, data: Json): string {
    const numbered = writeEvent({ type, sequence_number: this.#sequence, ...data }, type);
    this.#sequence += 1;
    return numbered;
  }
}

/** Of what an item has when it begins, its text comes later. */
function emptied(part: Part): Json {
  if (part.type === "call") return { arguments: "" };
  if (part.type === "reasoning") return { summary: [], content: [] };
  return part.type === "image" ? {} : { content: [] };
}
