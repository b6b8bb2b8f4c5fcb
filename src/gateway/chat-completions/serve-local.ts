import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import { EventStream } from "../../platform/http/server-sent-events.ts";
import { toProblem } from "../../platform/http/to-problem.ts";
import { newId } from "../../platform/ids.ts";
import type { LocalChatEvent, LocalChatMessage, LocalChatModel } from "../../ports/local-models.ts";
import type { Meter } from "../charging/meter.ts";
import { gatewayDialect } from "../dialect.ts";
import type { CallerDialect } from "../dialects/dialect.ts";
import type { CallPart, ReplyEnd, ReplyHead, TurnEvent } from "../dialects/turn.ts";
import { isObject, type Json } from "../json.ts";
import { findLocal } from "../local/find-local.ts";
import { meterLocal, settleLocal } from "../local/meter-local.ts";
import { prepend } from "../local/prepend.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { parse, readTools, toolCallList } from "./read-tools.ts";
import type { chatRequest } from "./schema.ts";

type Wanted = z.output<typeof chatRequest>;
type LocalEnd = Extract<LocalChatEvent, { type: "end" }>;

/** Answers a chat with a model of this process, in the shapes of a dialect. */
export async function serveLocalChat(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Wanted,
  dialect: CallerDialect,
): Promise<void> {
  const model = findLocal(gateway, wanted.model, "language")!;
  const asked = toLocalRequest(model, wanted);
  const meter = await meterLocal(gateway, request, reply, dialect.endpoint, model.id);
  const turn = { key: turnOf(request.caller), flow: request.id };
  const events = model.chat({ ...asked, ...turn }, request.signal)[Symbol.asyncIterator]();
  let first: IteratorResult<LocalChatEvent>;
  try {
    // Wait for the first word, so that a failure is a status and not a broken stream.
    first = await events.next();
  } catch (error) {
    meter.release();
    throw error;
  }
  const all = { [Symbol.asyncIterator]: () => prepend(first, events) };
  const head = { id: newId(dialect.idPrefix), created: Math.floor(gateway.clock.now() / 1000), model: model.id };
  if (wanted.stream) {
    const { stream_options: options } = request.body as Json;
    const showsUsage = isObject(options) && options.include_usage === true;
    return streamChat(reply, all, meter, head, dialect.writeStream(showsUsage));
  }
  let text = "";
  try {
    for await (const event of all) {
      if (event.type === "text") {
        text += event.text;
        continue;
      }
      settleLocal(meter, event.inputTokens, event.outputTokens);
      const said = text === "" ? [] : [{ type: "text", text } as const];
      return reply.send(dialect.writeReply({ head, parts: [...said, ...callsOf(event)], end: endOf(event) }));
    }
  } finally {
    meter.release();
  }
  throw new Problem("engine_unavailable", "The engine ended without an answer.");
}

async function streamChat(
  reply: FastifyReply,
  events: AsyncIterable<LocalChatEvent>,
  meter: Meter,
  head: ReplyHead,
  write: (event: TurnEvent) => string,
): Promise<void> {
  const stream = new EventStream(reply);
  try {
    await stream.write(write({ type: "begin", head }));
    let hasText = false;
    for await (const event of events) {
      if (event.type === "text") {
        const open = hasText ? "" : write({ type: "open", index: 0, part: { type: "text", text: "" } });
        hasText = true;
        await stream.write(open + write({ type: "more", index: 0, text: event.text }));
        continue;
      }
      settleLocal(meter, event.inputTokens, event.outputTokens);
      if (hasText) await stream.write(write({ type: "close", index: 0 }));
      for (const [at, part] of callsOf(event).entries()) {
        const index = at + (hasText ? 1 : 0);
        await stream.write(write({ type: "open", index, part }) + write({ type: "close", index }));
      }
      await stream.write(write({ type: "end", end: endOf(event) }));
    }
  } catch (error) {
    stream.breakOff(gatewayDialect.table[toProblem(error).kind].status);
    await stream.write(
      write({ type: "fail", message: error instanceof Problem ? error.message : "The engine failed." }),
    );
  } finally {
    meter.release();
    stream.end();
  }
  return reply;
}

function callsOf({ toolCalls = [] }: LocalEnd): CallPart[] {
  return toolCalls.map((call) => ({ type: "call", ...call }));
}

function endOf({ toolCalls = [], reason, inputTokens, outputTokens }: LocalEnd): ReplyEnd {
  return { reason: toolCalls.length > 0 ? "tool_calls" : reason, inputTokens, outputTokens };
}

function toLocalRequest(model: LocalChatModel, wanted: Wanted) {
  if (wanted.n && wanted.n > 1) throw new Problem("invalid_request", `"n" must be 1 for ${model.id}.`);
  if (wanted.tools && wanted.tools.length > 0 && !model.callsTools) {
    throw new Problem("invalid_request", `${model.id} does not call tools. Leave "tools" out.`);
  }
  const stop = wanted.stop;
  return {
    messages: wanted.messages.map((message, index) => toMessage(message, index)),
    maxTokens: wanted.max_completion_tokens ?? wanted.max_tokens ?? undefined,
    temperature: wanted.temperature ?? undefined,
    topP: wanted.top_p ?? undefined,
    seed: typeof wanted.seed === "number" ? wanted.seed : undefined,
    stop: (Array.isArray(stop) ? stop : [stop]).filter((one): one is string => typeof one === "string" && one !== ""),
    jsonSchema: readSchema(wanted.response_format),
    ...readTools(wanted),
  };
}

function readSchema(format: unknown): object | true | undefined {
  if (!isObject(format)) return undefined;
  if (format.type === "json_object") return true;
  const { json_schema: named } = format;
  if (format.type !== "json_schema" || !isObject(named)) return undefined;
  return isObject(named.schema) ? named.schema : true;
}

function toMessage(message: Wanted["messages"][number], index: number): LocalChatMessage {
  const { role, content } = message;
  if (role === "assistant" && message.tool_calls != null) {
    const calls = parse(toolCallList, message.tool_calls, `messages.${index}.tool_calls`);
    const toolCalls = calls.map(({ id, function: call }) => ({ id, name: call.name, arguments: call.arguments }));
    return { role, content: content == null ? "" : textOf(content, index), toolCalls };
  }
  if (role === "tool") {
    const toolCallId = parse(z.string(), message.tool_call_id, `messages.${index}.tool_call_id`);
    return { role, content: textOf(content, index), toolCallId };
  }
  if (role !== "user" && role !== "assistant" && role !== "system" && role !== "developer") {
    throw new Problem("invalid_request", `"messages.${index}.role" must be one of: system, user, assistant, tool.`);
  }
  return { role: role === "developer" ? "system" : role, content: textOf(content, index) };
}

function textOf(content: unknown, index: number): string {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(parts)) {
    throw new Problem("invalid_request", `"messages.${index}.content" must be a text or a list of text parts.`);
  }
  const texts = parts.map((part: unknown) => {
    if (isObject(part) && part.type === "text" && typeof part.text === "string") return part.text;
    throw new Problem("invalid_request", `"messages.${index}.content": this model reads text only.`);
  });
  return texts.join("\n");
}
