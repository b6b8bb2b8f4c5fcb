import { tokens } from "../../charging/read-usage.ts";
import { isObject, type Json } from "../../json.ts";
import { maybeText, objectIn, objectsIn, type StreamReader, textIn } from "../dialect.ts";
import type { Part, Reply, ReplyEnd, ReplyHead, TurnEvent } from "../turn.ts";
import { readBlock, writeBlock } from "./blocks.ts";
import { unpackProof } from "./proof.ts";

export function readMessagesReply(body: Json): Reply | undefined {
  if (body.type !== "message" && !Array.isArray(body.content)) return undefined;
  const parts = objectsIn(body.content).flatMap((block) => readBlock(block) ?? []);
  return { head: headOf(body), parts, end: endOf(body, objectIn(body.usage)) };
}

export function writeMessagesReply({ head, parts, end }: Reply): Json {
  return { ...emptyMessage(head), content: parts.map(writeBlock), ...stopOf(end), usage: writeMessagesUsage(end) };
}

export function emptyMessage({ id, model }: ReplyHead): Json {
  return { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
}

export function stopOf({ reason, stopSequence }: ReplyEnd): Json {
  if (stopSequence !== undefined) return { stop_reason: "stop_sequence", stop_sequence: stopSequence };
  return { stop_reason: stopReasons[reason], stop_sequence: null };
}

const stopReasons = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use", content_filter: "refusal" };
const reasons: Readonly<Record<string, ReplyEnd["reason"]>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** What came from a cache, or went into it, is counted beside the input. */
export function writeMessagesUsage(end: ReplyEnd): Json {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens, cost } = end;
  return {
    input_tokens: Math.max(0, inputTokens - cachedTokens - cacheWriteTokens),
    output_tokens: outputTokens,
    ...(cachedTokens > 0 ? { cache_read_input_tokens: cachedTokens } : {}),
    ...(cacheWriteTokens > 0 ? { cache_creation_input_tokens: cacheWriteTokens } : {}),
    ...(reasoningTokens ? { output_tokens_details: { reasoning_tokens: reasoningTokens } } : {}),
    ...(cost === undefined ? {} : { cost }),
  };
}

function headOf({ id, model }: Json): ReplyHead {
  return { id: textIn(id), created: Math.floor(Date.now() / 1000), model: textIn(model) };
}

function endOf({ stop_reason: reason, stop_sequence: sequence }: Json, usage: Json): ReplyEnd {
  const cachedTokens = tokens(usage.cache_read_input_tokens);
  const cacheWriteTokens = tokens(usage.cache_creation_input_tokens);
  const stopSequence = maybeText(sequence);
  return {
    reason: reasons[String(reason)] ?? "stop",
    ...(stopSequence === undefined ? {} : { stopSequence }),
    inputTokens: tokens(usage.input_tokens) + cachedTokens + cacheWriteTokens,
    outputTokens: tokens(usage.output_tokens),
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens: tokens(objectIn(usage.output_tokens_details).reasoning_tokens),
    ...(usage.cost === undefined ? {} : { cost: usage.cost }),
  };
}

export class MessagesStreamReader implements StreamReader {
  /** Their number in the reply, by that of their block. */
  readonly #parts = new Map<unknown, number>();
  #count = 0;
  #stop: Json = {};
  #usage: Json = {};
  #isFinished = false;

  read(event: Json): readonly TurnEvent[] {
    switch (event.type) {
      case "message_start": {
        const message = objectIn(event.message);
        this.#usage = objectIn(message.usage);
        return [{ type: "begin", head: headOf(message) }];
      }
      case "content_block_start":
        return this.#open(event.index, objectIn(event.content_block));
      case "content_block_delta":
        return this.#change(event.index, objectIn(event.delta));
      case "content_block_stop": {
        const index = this.#parts.get(event.index);
        return index === undefined ? [] : [{ type: "close", index }];
      }
      case "message_delta":
        this.#stop = objectIn(event.delta);
        if (isObject(event.usage)) this.#usage = { ...this.#usage, ...event.usage };
        return [];
      case "message_stop":
        this.#isFinished = true;
        return [];
      case "error":
        return [{ type: "fail", message: textIn(objectIn(event.error).message) || "The upstream gateway failed." }];
    }
    return [];
  }

  end(): readonly TurnEvent[] {
    return this.#isFinished ? [{ type: "end", end: endOf(this.#stop, this.#usage) }] : [];
  }

  #open(block: unknown, content: Json): TurnEvent[] {
    const read = readBlock(content);
    if (!read) return [];
    const index = this.#count;
    this.#count += 1;
    this.#parts.set(block, index);
    // The arguments follow, unless they are there already.
    const part: Part = read.type === "call" && read.arguments === "{}" ? { ...read, arguments: "" } : read;
    return [{ type: "open", index, part }];
  }

  #change(block: unknown, delta: Json): TurnEvent[] {
    const index = this.#parts.get(block);
    if (index === undefined) return [];
    if (delta.type === "signature_delta") {
      return [{ type: "mark", index, marks: unpackProof(textIn(delta.signature), "signature") }];
    }
    const text = textIn(delta.text ?? delta.thinking ?? delta.partial_json);
    return text === "" ? [] : [{ type: "more", index, text }];
  }
}
