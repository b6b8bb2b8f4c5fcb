import { Problem } from "../../platform/errors.ts";
import { optional } from "../dialects/optional.ts";
import { isObject, type Json } from "../json.ts";

/** A call of the AI SDK's language models as a chat completion. */
export function promptToChat(body: Json): Json {
  const { model, stream, temperature, seed, providerOptions } = body;
  const messages = (body.prompt as Json[]).flatMap((turn, index) => toMessages(turn, `prompt.${index}.content`));
  const wanted = {
    model,
    stream,
    temperature,
    seed,
    providerOptions,
    max_tokens: body.maxOutputTokens,
    top_p: body.topP,
    top_k: body.topK,
    stop: body.stopSequences,
    presence_penalty: body.presencePenalty,
    frequency_penalty: body.frequencyPenalty,
    response_format: formatOf(body.responseFormat),
    ...toolsOf(body),
  };
  return { ...optional(wanted), messages };
}

function formatOf(format: unknown): Json | undefined {
  if (!isObject(format) || format.type !== "json") return undefined;
  if (!isObject(format.schema)) return { type: "json_object" };
  const name = typeof format.name === "string" ? format.name : "answer";
  return { type: "json_schema", json_schema: { name, schema: format.schema } };
}

function toolsOf({ tools, toolChoice }: Json): Json {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const functions = tools.map((tool: unknown, index) => {
    if (!isObject(tool) || tool.type !== "function") {
      throw refusal(`tools.${index}`, 'only tools of type "function" are known here');
    }
    const { name, description, inputSchema: parameters } = tool;
    return { type: "function", function: optional({ name, description, parameters }) };
  });
  if (!isObject(toolChoice)) return { tools: functions };
  const isNamed = toolChoice.type === "tool";
  const tool_choice = isNamed ? { type: "function", function: { name: toolChoice.toolName } } : toolChoice.type;
  return { tools: functions, tool_choice };
}

function toMessages({ role, content }: Json, field: string): Json[] {
  if (typeof content === "string") return [{ role, content }];
  const parts = (Array.isArray(content) ? content : []).filter(isObject);
  if (role === "tool") return parts.flatMap((part) => toResult(part));
  const calls = parts.filter(({ type }) => type === "tool-call").map(toCall);
  const said = parts
    .filter(({ type }) => type !== "tool-call" && type !== "reasoning")
    .map((part) => toPart(part, field));
  const isPlain = said.every(({ type }) => type === "text");
  const text = isPlain ? said.map((part) => part.text).join("\n") : said;
  return [
    {
      role,
      content: said.length === 0 && calls.length > 0 ? null : text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

function toPart(part: Json, field: string): Json {
  if (part.type === "text" && typeof part.text === "string") return { type: "text", text: part.text };
  if (part.type === "file" && typeof part.mediaType === "string" && typeof part.data === "string") {
    const { mediaType, data } = part;
    const url = /^(https?|data):/.test(data) ? data : `data:${mediaType};base64,${data}`;
    if (mediaType.startsWith("image/")) return { type: "image_url", image_url: { url } };
    const name = typeof part.filename === "string" ? part.filename : "file";
    return { type: "file", file: { filename: name, file_data: url } };
  }
  throw refusal(field, `parts of type "${String(part.type)}" are not known here`);
}

function toCall({ toolCallId, toolName, input }: Json): Json {
  const given = typeof input === "string" ? input : JSON.stringify(input ?? {});
  return { id: toolCallId, type: "function", function: { name: toolName, arguments: given } };
}

function toResult({ type, toolCallId, output }: Json): Json[] {
  if (type !== "tool-result") return [];
  const value = isObject(output) ? output.value : output;
  const content = typeof value === "string" ? value : JSON.stringify(value ?? "");
  return [{ role: "tool", tool_call_id: toolCallId, content }];
}

function refusal(field: string, message: string): Problem {
  return new Problem("invalid_request", `"${field}": ${message}.`);
}
