import { Problem } from "../../../platform/errors.ts";
import { isObject, type Json } from "../../json.ts";
import { objectIn, objectsIn, optional, refusal, sharedOf } from "../dialect.ts";
import type { Format, Message, Part, ReasoningWish, Tool, ToolChoice, TurnRequest } from "../turn.ts";
import { readBlocks, writeBlock } from "./blocks.ts";

/** Anthropic's dialect demands a limit. What its guide uses where it says nothing about lengths. */
const usualMaxTokens = 4_096;

export function readMessagesRequest(body: Json): TurnRequest {
  const { system, messages, tools, tool_choice: choice } = body;
  const before = system == null ? [] : [{ role: "system", parts: readContent(system, "system") }];
  return {
    model: body.model,
    stream: body.stream,
    messages: [...before, ...(messages as Json[]).flatMap(readTurn)],
    tools: objectsIn(tools).map(readTool),
    toolChoice: readChoice(choice),
    parallelCalls: objectIn(choice).disable_parallel_tool_use === true ? false : undefined,
    maxTokens: body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k,
    stop: body.stop_sequences,
    format: readFormat(objectIn(body.output_config).format ?? body.output_format),
    reasoning: readWish(body),
    user: objectIn(body.metadata).user_id,
    shared: sharedOf(body),
  };
}

/** Results of tools are turns of their own elsewhere, and come before what the user says beside them. */
function readTurn({ role, content }: Json, index: number): Message[] {
  const parts = readContent(content, `messages.${index}.content`);
  const results = parts.filter(({ type }) => type === "result");
  const said = parts.filter(({ type }) => type !== "result");
  const turn = said.length > 0 || results.length === 0 ? [{ role: String(role), parts: said }] : [];
  return [...results.map((result) => ({ role: "tool", parts: [result] })), ...turn];
}

function readContent(content: unknown, field: string): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (Array.isArray(content) && content.length > 0) return readBlocks(content, field);
  throw new Problem("invalid_request", `"${field}" must be a text or a list of blocks.`);
}

function readTool(tool: Json, index: number): Tool {
  const { name, description, input_schema: parameters, strict, cache_control: cache } = tool;
  if (typeof name !== "string" || !isObject(parameters)) {
    throw refusal(`tools.${index}`, "this model only knows tools with a name and an input_schema");
  }
  return { name, description, parameters, strict, ...(isObject(cache) ? { cache } : {}) };
}

function readChoice(choice: unknown): ToolChoice | undefined {
  if (!isObject(choice)) return undefined;
  if (choice.type === "tool") return { name: choice.name };
  return choice.type === "any" ? "required" : (choice.type as ToolChoice);
}

function readFormat(format: unknown): Format | undefined {
  return isObject(format) && format.type === "json_schema" ? { schema: format.schema } : undefined;
}

function readWish({ thinking, output_config: output }: Json): ReasoningWish | undefined {
  const { type, budget_tokens: maxTokens } = objectIn(thinking);
  const { effort } = objectIn(output);
  if (type === undefined && effort == null) return undefined;
  return { ...(type === undefined || maxTokens != null ? {} : { isOn: type !== "disabled" }), effort, maxTokens };
}

export function writeMessagesRequest(request: TurnRequest): Json {
  const { messages, tools, format, reasoning, stop, user } = request;
  const system = messages.filter(({ role }) => role === "system" || role === "developer").flatMap(({ parts }) => parts);
  const output = optional({ effort: reasoning?.effort, format: format && writeFormat(format) });
  return optional({
    model: request.model,
    stream: request.stream,
    max_tokens: request.maxTokens ?? usualMaxTokens,
    system: system.length > 0 ? writeContent(system) : undefined,
    messages: writeTurns(messages),
    ...(tools.length > 0 ? { tools: tools.map(writeTool), tool_choice: writeChoice(request) } : {}),
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    stop_sequences: typeof stop === "string" ? [stop] : stop,
    thinking: reasoning && writeThinking(reasoning),
    output_config: Object.keys(output).length > 0 ? output : undefined,
    metadata: user == null ? undefined : { user_id: user },
    ...request.shared,
  });
}

/** What follows each other with one role is one turn: all results of one reply's calls must stand together. */
function writeTurns(messages: readonly Message[]): Json[] {
  const turns: { role: string; parts: Part[] }[] = [];
  for (const { role: given, parts } of messages) {
    if (given === "system" || given === "developer") continue;
    const role = given === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts: [...parts] });
  }
  return turns.map(({ role, parts }) => ({ role, content: writeContent(parts) }));
}

function writeContent(parts: readonly Part[]): unknown {
  const [first] = parts;
  return parts.length === 1 && first?.type === "text" && !first.cache ? first.text : parts.map(writeBlock);
}

function writeTool({ name, description, parameters, strict, cache }: Tool): Json {
  const input_schema = parameters ?? { type: "object", properties: {} };
  return optional({ name, description, input_schema, strict, cache_control: cache });
}

function writeChoice({ toolChoice: choice, parallelCalls }: TurnRequest): Json | undefined {
  const single = parallelCalls === false ? { disable_parallel_tool_use: true } : {};
  if (typeof choice === "object") return { type: "tool", name: choice.name, ...single };
  if (choice === undefined) return parallelCalls === false ? { type: "auto", ...single } : undefined;
  return { type: choice === "required" ? "any" : choice, ...(choice === "none" ? {} : single) };
}

function writeFormat({ schema }: Format): Json {
  return { type: "json_schema", schema: schema ?? { type: "object" } };
}

function writeThinking({ isOn, maxTokens, effort }: ReasoningWish): Json | undefined {
  if (maxTokens != null) return { type: "enabled", budget_tokens: maxTokens };
  if (isOn === false || effort === "none") return { type: "disabled" };
  return isOn === true ? { type: "adaptive" } : undefined;
}
