import { Problem } from "../../platform/errors.ts";
import { isObject, type Json } from "../json.ts";
import { optional } from "./optional.ts";

/** A request of Anthropic's dialect as a chat completion. */
export function messagesToChat(body: Json): Json {
  const { system, model, stream, max_tokens, temperature, top_p, stop_sequences: stop } = body;
  const before = system == null ? [] : [{ role: "system", content: textOf(system, "system") }];
  const turns = (body.messages as Json[]).flatMap((turn, index) => toMessages(turn, `messages.${index}.content`));
  const wanted = { model, stream, max_tokens, temperature, top_p, stop, ...toolsOf(body) };
  return { ...optional(wanted), messages: [...before, ...turns] };
}

function toolsOf({ tools, tool_choice: choice }: Json): Json {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const functions = tools.map((tool: unknown, index) => {
    if (!isObject(tool) || typeof tool.name !== "string" || !isObject(tool.input_schema)) {
      throw refusal(`tools.${index}`, "this model only knows tools with a name and an input_schema");
    }
    const { name, description, input_schema: parameters } = tool;
    return { type: "function", function: optional({ name, description, parameters }) };
  });
  if (!isObject(choice)) return { tools: functions };
  const chosen = choice.type === "tool" ? { type: "function", function: { name: choice.name } } : choice.type;
  return {
    tools: functions,
    tool_choice: chosen === "any" ? "required" : chosen,
    ...(choice.disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {}),
  };
}

/** Results of tools are turns of their own in a chat, and come before what the user says beside them. */
function toMessages({ role, content }: Json, field: string): Json[] {
  if (typeof content === "string") return [{ role, content }];
  if (!Array.isArray(content) || content.length === 0) {
    throw new Problem("invalid_request", `"${field}" must be a text or a list of blocks.`);
  }
  const results: Json[] = [];
  const parts: Json[] = [];
  const calls: Json[] = [];
  for (const block of content as unknown[]) {
    if (!isObject(block)) throw refusal(field, "every block must be an object");
    if (block.type === "text" && typeof block.text === "string") parts.push({ type: "text", text: block.text });
    else if (block.type === "image") parts.push({ type: "image_url", image_url: { url: imageUrl(block, field) } });
    else if (block.type === "tool_use") calls.push(toCall(block));
    else if (block.type === "tool_result") results.push(toResult(block, field));
    // What the model thought is its own affair; no chat takes it back.
    else if (block.type !== "thinking" && block.type !== "redacted_thinking") {
      throw refusal(field, `this model does not read blocks of type "${String(block.type)}"`);
    }
  }
  const isPlain = parts.every(({ type }) => type === "text");
  const said = isPlain ? parts.map(({ text }) => text).join("\n") : parts;
  if (parts.length === 0 && calls.length === 0) return results;
  const turn = { role, content: parts.length === 0 ? null : said, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  return [...results, turn];
}

function toCall({ id, name, input }: Json): Json {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input ?? {}) } };
}

function toResult({ tool_use_id: id, content }: Json, field: string): Json {
  return { role: "tool", tool_call_id: id, content: content == null ? "" : textOf(content, field) };
}

function imageUrl({ source }: Json, field: string): string {
  if (isObject(source) && source.type === "url" && typeof source.url === "string") return source.url;
  if (isObject(source) && source.type === "base64") return `data:${source.media_type};base64,${source.data}`;
  throw refusal(field, "an image needs a source of type url or base64");
}

function textOf(content: unknown, field: string): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.map((part: unknown) => {
    if (isObject(part) && part.type === "text" && typeof part.text === "string") return part.text;
    throw refusal(field, "this model reads text only");
  });
  if (texts.length === 0) throw new Problem("invalid_request", `"${field}" must be a text or a list of text blocks.`);
  return texts.join("\n");
}

function refusal(field: string, message: string): Problem {
  return new Problem("invalid_request", `"${field}": ${message}.`);
}
