import type { Json } from "../../json.ts";
import { optional, shortUser } from "../dialect.ts";
import { urlOf } from "../source.ts";
import type { AudioPart, CallPart, FilePart, Message, Part, ReasoningPart, Tool, TurnRequest } from "../turn.ts";
import { writeThoughts } from "./reasoning.ts";

export function writeChatRequest(request: TurnRequest): Json {
  const { tools, toolChoice, format, reasoning } = request;
  return optional({
    model: request.model,
    stream: request.stream,
    messages: request.messages.flatMap(writeMessage),
    ...(tools.length > 0 ? { tools: tools.map(writeTool), parallel_tool_calls: request.parallelCalls } : {}),
    ...(tools.length > 0 ? { tool_choice: typeof toolChoice === "object" ? named(toolChoice.name) : toolChoice } : {}),
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    seed: request.seed,
    stop: request.stop,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    response_format: format && writeFormat(format),
    reasoning_effort: reasoning?.effort,
    reasoning: reasoning && writeWish(reasoning),
    user: shortUser(request.user),
    ...request.shared,
  });
}

const named = (name: unknown) => ({ type: "function", function: { name } });

function writeTool({ cache, ...tool }: Tool): Json {
  return { type: "function", function: optional({ ...tool }), ...(cache ? { cache_control: cache } : {}) };
}

function writeFormat({ schema, name, description, strict }: NonNullable<TurnRequest["format"]>): Json {
  if (schema == null) return { type: "json_object" };
  return { type: "json_schema", json_schema: optional({ name: name ?? "answer", description, schema, strict }) };
}

/** What the plain `reasoning_effort` cannot say. */
function writeWish({ isOn, effort, maxTokens, summary }: NonNullable<TurnRequest["reasoning"]>): Json | undefined {
  if (isOn == null && maxTokens == null && summary == null) return undefined;
  return optional({ enabled: isOn, effort, max_tokens: maxTokens, summary });
}

function writeMessage({ role, name, parts }: Message): Json[] {
  if (role === "tool") return parts.flatMap((part) => (part.type === "result" ? [writeResult(part)] : []));
  const isOwn = role === "assistant";
  const isMade = ({ type }: Part) => type === "image" || type === "audio";
  const said = parts.filter((part) => part.type !== "reasoning" && part.type !== "call" && !(isOwn && isMade(part)));
  const calls = parts.filter((part) => part.type === "call");
  return [
    {
      role,
      ...(name == null ? {} : { name }),
      content: said.length === 0 && calls.length > 0 ? null : writeContent(said),
      ...(isOwn ? writeMade(parts) : {}),
      ...(calls.length > 0 ? { tool_calls: calls.map(writeCall) } : {}),
    },
  ];
}

function writeResult({ callId, cache, parts }: Extract<Part, { type: "result" }>): Json {
  // Beside the text and not in it: not every server reads a result in parts.
  return { role: "tool", tool_call_id: callId, content: writeContent(parts), ...optional({ cache_control: cache }) };
}

/** One plain text stays one, which every server reads. */
function writeContent(parts: readonly Part[]): unknown {
  const [first] = parts;
  if (!first) return "";
  if (parts.length === 1 && first.type === "text" && !first.cache) return first.text;
  return parts.flatMap(writePart);
}

function writePart(part: Part): Json[] {
  const cache = "cache" in part && part.cache ? { cache_control: part.cache } : {};
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text, ...cache }];
    case "refusal":
      return [{ type: "refusal", refusal: part.text }];
    case "image":
      return [{ type: "image_url", image_url: optional({ url: urlOf(part.source), detail: part.detail }), ...cache }];
    case "audio":
      return [{ type: "input_audio", input_audio: { data: part.data, format: part.format }, ...cache }];
    case "file":
      return [{ type: "file", file: writeFile(part), ...cache }];
    default:
      return [];
  }
}

function writeFile({ source, name }: FilePart): Json {
  if (source.type === "id") return optional({ file_id: source.id, filename: name });
  return { filename: name ?? "file", file_data: urlOf(source) };
}

/** What a model made beside its text, in its message. */
export function writeMade(parts: readonly Part[]): Json {
  const thoughts = parts.filter((part): part is ReasoningPart => part.type === "reasoning");
  const images = parts.filter((part) => part.type === "image");
  const audio = parts.find((part): part is AudioPart => part.type === "audio");
  return {
    ...writeThoughts(thoughts.map((part, index) => ({ ...part, index }))),
    ...(images.length > 0 ? { images: images.flatMap(writePart) } : {}),
    ...(audio ? { audio: writeAudio(audio) } : {}),
  };
}

export function writeAudio({ id, data, format, transcript }: AudioPart): Json {
  return optional({ id, data, format, transcript });
}

export function writeCall({ id, name, arguments: given, signature }: CallPart): Json {
  return {
    id,
    type: "function",
    function: { name, arguments: given },
    ...(signature ? { extra_content: { google: { thought_signature: signature } } } : {}),
  };
}

/** Without what only gateways and open servers take: OpenAI's own refuses members that it does not know. */
export function withoutExtensions(chat: Json): Json {
  const { reasoning: _reasoning, providerOptions: _options, plugins: _plugins, top_k: _topK, ...plain } = chat;
  const messages = (chat.messages as Json[]).map((message) => {
    const { reasoning: _thoughts, reasoning_details: _details, images: _images, content, ...others } = message;
    const kept = withoutCache(others);
    const calls = Array.isArray(kept.tool_calls) ? { tool_calls: kept.tool_calls.map(withoutSignature) } : {};
    return { ...kept, ...calls, content: Array.isArray(content) ? content.map(withoutCache) : content };
  });
  return { ...plain, messages, ...(Array.isArray(chat.tools) ? { tools: chat.tools.map(withoutCache) } : {}) };
}

function withoutSignature({ extra_content: _extra, ...kept }: Json): Json {
  return kept;
}

function withoutCache({ cache_control: _cache, ...kept }: Json): Json {
  return kept;
}
