import { Problem } from "../../../platform/errors.ts";
import { isObject, type Json } from "../../json.ts";
import { objectIn, objectsIn, optional, refusal, sharedOf, shortUser, textIn } from "../dialect.ts";
import type { Format, Message, Part, ReasoningWish, Tool, ToolChoice, TurnRequest } from "../turn.ts";
import {
  readCallItem,
  readContent,
  readImageItem,
  readReasoningItem,
  writeCallItem,
  writeContent,
  writeImageItem,
  writeReasoningItem,
} from "./items.ts";

export function readResponsesRequest(body: Json): TurnRequest {
  const { input, instructions, reasoning } = body;
  if (body.previous_response_id != null) {
    throw new Problem("invalid_request", '"previous_response_id": responses of this model are not kept.');
  }
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  if (!Array.isArray(items) || items.length === 0) {
    throw new Problem("invalid_request", '"input" must be a text or a list of messages.');
  }
  const before = typeof instructions === "string" ? [{ role: "system", parts: readContent(instructions, "") }] : [];
  return {
    model: body.model,
    stream: body.stream,
    messages: [...before, ...readItems(items)],
    tools: objectsIn(body.tools).map(readTool),
    toolChoice: readChoice(body.tool_choice),
    parallelCalls: body.parallel_tool_calls as boolean | undefined,
    maxTokens: body.max_output_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k,
    seed: body.seed,
    stop: body.stop,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    format: readFormat(objectIn(body.text).format),
    reasoning: readWish(reasoning),
    user: body.user,
    shared: { ...sharedOf(body), ...optional({ verbosity: objectIn(body.text).verbosity }) },
  };
}

/** What a model said, thought and called without a word of somebody else between is one turn. */
function readItems(items: readonly unknown[]): Message[] {
  const messages: { role: string; parts: Part[] }[] = [];
  for (const [index, item] of items.entries()) {
    const message = readItem(item, index);
    const last = messages.at(-1);
    if (message.role === "assistant" && last?.role === "assistant") last.parts.push(...message.parts);
    else messages.push({ role: message.role, parts: [...message.parts] });
  }
  return messages;
}

function readItem(item: unknown, index: number): Message {
  if (!isObject(item)) throw notAnItem(index);
  switch (item.type) {
    case "function_call":
      return { role: "assistant", parts: [readCallItem(item)] };
    case "reasoning":
      return { role: "assistant", parts: readReasoningItem(item) };
    case "image_generation_call":
      return { role: "assistant", parts: [readImageItem(item)] };
    case "function_call_output": {
      const parts = readContent(item.output, `input.${index}.output`);
      return { role: "tool", parts: [{ type: "result", callId: textIn(item.call_id), parts }] };
    }
  }
  if (typeof item.role !== "string") throw notAnItem(index);
  return { role: item.role, parts: readContent(item.content, `input.${index}.content`) };
}

function notAnItem(index: number): Problem {
  return new Problem("invalid_request", `"input.${index}" must be a message or a call of a function with its output.`);
}

function readTool(tool: Json, index: number): Tool {
  if (tool.type !== "function") throw refusal(`tools.${index}`, 'this model only knows tools of type "function"');
  const { name, description, parameters, strict, cache_control: cache } = tool;
  return { name, description, parameters, strict, ...(isObject(cache) ? { cache } : {}) };
}

function readChoice(choice: unknown): ToolChoice | undefined {
  if (isObject(choice)) return { name: choice.name };
  return choice == null ? undefined : (choice as ToolChoice);
}

function readFormat(format: unknown): Format | undefined {
  if (!isObject(format)) return undefined;
  const { type, schema, name, description, strict } = format;
  if (type === "json_schema") return { schema, name, description, strict };
  return type === "json_object" ? {} : undefined;
}

function readWish(reasoning: unknown): ReasoningWish | undefined {
  if (!isObject(reasoning)) return undefined;
  const { effort, summary, max_tokens: maxTokens, enabled } = reasoning;
  return { effort, summary, maxTokens, ...(typeof enabled === "boolean" ? { isOn: enabled } : {}) };
}

export function writeResponsesRequest(request: TurnRequest): Json {
  const { tools, toolChoice: choice, format, reasoning } = request;
  const { verbosity, ...shared } = request.shared;
  const [first, ...others] = request.messages;
  const instructions = first && plainSystem(first);
  const text = optional({ format: format && writeFormat(format), verbosity });
  const wish = reasoning && optional({ ...reasoning, isOn: undefined, maxTokens: undefined });
  return optional({
    model: request.model,
    stream: request.stream,
    instructions,
    input: (instructions === undefined ? request.messages : others).flatMap(writeMessage),
    ...(tools.length > 0 ? { tools: tools.map(writeTool), parallel_tool_calls: request.parallelCalls } : {}),
    ...(tools.length > 0 ? { tool_choice: isObject(choice) ? { type: "function", name: choice.name } : choice } : {}),
    max_output_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    seed: request.seed,
    stop: request.stop,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    text: Object.keys(text).length > 0 ? text : undefined,
    reasoning: wish && optional({ ...wish, max_tokens: reasoning?.maxTokens, enabled: reasoning?.isOn }),
    user: shortUser(request.user),
    ...shared,
  });
}

function plainSystem({ role, parts }: Message): string | undefined {
  const [part] = parts;
  return role === "system" && parts.length === 1 && part?.type === "text" && !part.cache ? part.text : undefined;
}

function writeMessage({ role, parts }: Message): Json[] {
  const items: Json[] = [];
  let said: Part[] = [];
  const flush = () => {
    if (said.length > 0) items.push({ type: "message", role, content: writeContent(said, role === "assistant") });
    said = [];
  };
  for (const part of parts) {
    const item = writeItem(part, role);
    if (!item) said.push(part);
    else {
      flush();
      items.push(item);
    }
  }
  flush();
  return items;
}

function writeItem(part: Part, role: string): Json | undefined {
  if (part.type === "call") return writeCallItem(part);
  if (part.type === "reasoning") return writeReasoningItem(part);
  if (part.type === "image" && role === "assistant") return writeImageItem(part);
  return part.type === "result" ? writeResult(part) : undefined;
}

function writeResult({ callId, parts }: Extract<Part, { type: "result" }>): Json {
  const [first] = parts;
  const isPlain = parts.length === 1 && first?.type === "text" && !first.cache;
  return { type: "function_call_output", call_id: callId, output: isPlain ? first.text : writeContent(parts, false) };
}

function writeTool({ cache, ...tool }: Tool): Json {
  return { type: "function", ...optional({ ...tool, cache_control: cache }) };
}

function writeFormat({ schema, name, description, strict }: Format): Json {
  if (schema == null) return { type: "json_object" };
  return optional({ type: "json_schema", name: name ?? "answer", description, schema, strict });
}
