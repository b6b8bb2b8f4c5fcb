import type { Json } from "../../json.ts";
import { type Dialect, writeEvent } from "../dialect.ts";
import type { Part, ReasoningPart, ReplyEnd, ReplyHead, TurnEvent } from "../turn.ts";
import { extraOf, writeBlock } from "./blocks.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { packProof } from "./proof.ts";
import {
  emptyMessage,
  MessagesStreamReader,
  readMessagesReply,
  stopOf,
  writeMessagesReply,
  writeMessagesUsage,
} from "./replies.ts";
import { readMessagesRequest, writeMessagesRequest } from "./requests.ts";

/** Anthropic's messages. */
export const messagesDialect: Dialect = {
  endpoint: "messages",
  idPrefix: "msg_",
  outputLimits: ["max_tokens"],
  readRequest: readMessagesRequest,
  writeRequest: writeMessagesRequest,
  readReply: readMessagesReply,
  writeReply: writeMessagesReply,
  readStream: () => new MessagesStreamReader(),
  writeStream() {
    const order = new OneAtATime();
    const writer = new MessagesStreamWriter();
    return (event) =>
      order
        .take(event)
        .map((one) => writer.write(one))
        .join("");
  },
};

const event = (type: string, data: Json = {}) => writeEvent({ type, ...data }, type);

class MessagesStreamWriter {
  #blocks = 0;
  #part: Part | undefined;
  /** A thought's kind of block is known with its first word, or when there is none. */
  #isBegun = false;

  write(one: TurnEvent): string {
    switch (one.type) {
      case "begin":
        return this.#begin(one.head);
      case "open":
        return this.#open(one.part);
      case "more":
        return this.#more(one.text);
      case "mark":
        this.#part = { ...(this.#part as ReasoningPart), ...one.marks };
        return "";
      case "close":
        return this.#close();
      case "end":
        return this.#end(one.end);
      case "fail":
        return event("error", { error: { type: "api_error", message: one.message } });
    }
  }

  #begin(head: ReplyHead): string {
    return event("message_start", { message: { ...emptyMessage(head), usage: { input_tokens: 0, output_tokens: 0 } } });
  }

  #open(part: Part): string {
    this.#part = part;
    this.#isBegun = false;
    switch (part.type) {
      case "text":
      case "refusal":
        return this.#start({ type: "text", text: "" }) + (part.text === "" ? "" : this.#more(part.text));
      case "call": {
        const { id, name, arguments: given, signature } = part;
        const start = this.#start({ type: "tool_use", id, name, input: {}, ...extraOf(signature) });
        return start + (given === "" ? "" : this.#more(given));
      }
      case "reasoning": {
        if (part.text === "") return "";
        this.#part = { ...part, text: "" };
        return this.#more(part.text);
      }
      default:
        return this.#start(writeBlock(part));
    }
  }

  #more(text: string): string {
    const part = this.#part!;
    if (part.type === "call") return this.#delta({ type: "input_json_delta", partial_json: text });
    if (part.type !== "reasoning") return this.#delta({ type: "text_delta", text });
    const start = this.#isBegun ? "" : this.#start({ type: "thinking", thinking: "", signature: "" });
    this.#part = { ...part, text: part.text + text };
    return start + this.#delta({ type: "thinking_delta", thinking: text });
  }

  #close(): string {
    const part = this.#part!;
    let last = "";
    if (part.type === "reasoning") {
      if (!this.#isBegun) last = this.#start(writeBlock(part));
      else if (packProof(part) !== "") last = this.#delta({ type: "signature_delta", signature: packProof(part) });
    }
    last += event("content_block_stop", { index: this.#blocks });
    this.#blocks += 1;
    return last;
  }

  #end(end: ReplyEnd): string {
    return event("message_delta", { delta: stopOf(end), usage: writeMessagesUsage(end) }) + event("message_stop");
  }

  #start(content_block: Json): string {
    this.#isBegun = true;
    return event("content_block_start", { index: this.#blocks, content_block });
  }

  #delta(delta: Json): string {
    return event("content_block_delta", { index: this.#blocks, delta });
  }
}
