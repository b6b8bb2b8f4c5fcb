import { isObject, type Json } from "../../json.ts";
import { maybeText, objectIn, objectsIn, refusal, sharedOf, textIn } from "../dialect.ts";
import { fileSource, sourceOf } from "../source.ts";
import type { CallPart, Format, Message, Part, ReasoningWish, Tool, ToolChoice, TurnRequest } from "../turn.ts";
import { readThoughts } from "./reasoning.ts";

export function readChatRequest(body: Json): TurnRequest {
  return {
    model: body.model,
    stream: body.stream,
    messages: (body.messages as Json[]).map(readMessage),
    tools: objectsIn(body.tools).map(readTool),
    toolChoice: readChoice(body.tool_choice),
    parallelCalls: body.parallel_tool_calls as boolean | undefined,
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k,
    seed: body.seed,
    stop: body.stop,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    format: readFormat(body.response_format),
    reasoning: readWish(body),
    user: body.user,
    shared: sharedOf(body),
  };
}

function readMessage(message: Json, index: number): Message {
  const { role, content, name } = message;
  const field = `messages.${index}.content`;
  const said = typeof content === "string" ? [{ type: "text", text: content } as const] : readParts(content, field);
  const parts =
    role === "tool" ? [readResult(message, said)] : [...readThoughts(message), ...said, ...readMade(message)];
  return { role: String(role), ...(name == null ? {} : { name }), parts: withCache(parts, message.cache_control) };
}

/** What a model made beside its text. */
function readMade({ role, refusal, images, audio, tool_calls: calls }: Json): Part[] {
  if (role !== "assistant") return [];
  return [
    ...(typeof refusal === "string" && refusal !== "" ? [{ type: "refusal", text: refusal } as const] : []),
    ...objectsIn(images).flatMap(readImage),
    ...(isObject(audio) ? [readAudio(audio)] : []),
    ...objectsIn(calls).map(readCall),
  ];
}

export function readParts(content: unknown, field: string): Part[] {
  return objectsIn(content).flatMap((part): Part[] => {
    const cache = isObject(part.cache_control) ? { cache: part.cache_control } : {};
    if (typeof part.text === "string") return [{ type: "text", text: part.text, ...cache }];
    if (part.type === "refusal") return [{ type: "refusal", text: textIn(part.refusal) }];
    if (part.type === "image_url") return readImage(part).map((image) => ({ ...image, ...cache }));
    if (part.type === "input_audio") return [{ ...readAudio(objectIn(part.input_audio)), ...cache }];
    if (part.type === "file") return [{ ...readFile(objectIn(part.file), field), ...cache }];
    throw refusal(field, `parts of type "${String(part.type)}" are not known here`);
  });
}

export function readImage({ image_url: image }: Json): Part[] {
  const { url, detail } = typeof image === "string" ? { url: image } : objectIn(image);
  if (typeof url !== "string") return [];
  return [{ type: "image", source: sourceOf(url), ...(detail == null ? {} : { detail }) }];
}

export function readAudio({ id, data, format, transcript }: Json): Part {
  return {
    type: "audio",
    data: textIn(data),
    format: maybeText(format) ?? "wav",
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof transcript === "string" ? { transcript } : {}),
  };
}

function readFile({ file_id: id, file_data, data, media_type, filename: name }: Json, field: string): Part {
  const named = typeof name === "string" ? { name } : {};
  if (typeof id === "string") return { type: "file", source: { type: "id", id }, ...named };
  const given = file_data ?? data;
  if (typeof given !== "string") throw refusal(field, "a file needs file_data or file_id");
  return { type: "file", source: fileSource(given, media_type), ...named };
}

export function readCall({ id, function: called, extra_content: extra }: Json): CallPart {
  const { name, arguments: given } = objectIn(called);
  const signature = maybeText(objectIn(objectIn(extra).google).thought_signature);
  return {
    type: "call",
    id: textIn(id),
    name: textIn(name),
    arguments: textIn(given),
    ...(signature ? { signature } : {}),
  };
}

function readResult({ tool_call_id: id, name }: Json, parts: Part[]): Part {
  return { type: "result", callId: textIn(id), ...(typeof name === "string" ? { name } : {}), parts };
}

/** Said of a whole message, it holds for the last of its parts. */
function withCache(parts: Part[], cache: unknown): Part[] {
  const last = parts.at(-1);
  return last && isObject(cache) ? [...parts.slice(0, -1), { ...last, cache } as Part] : parts;
}

function readTool(tool: Json, index: number): Tool {
  if (!isObject(tool.function)) {
    throw refusal(`tools.${index}`, 'this model only knows tools of type "function"');
  }
  const { name, description, parameters, strict } = tool.function;
  return {
    name,
    description,
    parameters,
    strict,
    ...(isObject(tool.cache_control) ? { cache: tool.cache_control } : {}),
  };
}

function readChoice(choice: unknown): ToolChoice | undefined {
  if (isObject(choice)) return { name: objectIn(choice.function).name };
  return choice == null ? undefined : (choice as ToolChoice);
}

function readFormat(format: unknown): Format | undefined {
  if (!isObject(format)) return undefined;
  if (format.type === "json_object") return {};
  if (format.type !== "json_schema") return undefined;
  const { schema, name, description, strict } = objectIn(format.json_schema);
  return { schema, name, description, strict };
}

function readWish({ reasoning, reasoning_effort: effort }: Json): ReasoningWish | undefined {
  if (!isObject(reasoning)) return effort == null ? undefined : { effort };
  const { enabled, max_tokens: maxTokens, summary } = reasoning;
  return {
    effort: reasoning.effort ?? effort,
    maxTokens,
    summary,
    ...(typeof enabled === "boolean" ? { isOn: enabled } : {}),
  };
}
