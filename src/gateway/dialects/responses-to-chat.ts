import { Problem } from "../../platform/errors.ts";
import { isObject, type Json } from "../json.ts";
import { optional } from "./optional.ts";

/** A request of OpenAI's newer dialect as a chat completion. */
export function responsesToChat(body: Json): Json {
  const { model, input, instructions, stream, max_output_tokens: max_tokens, temperature, top_p, reasoning } = body;
  if (body.previous_response_id != null) {
    throw new Problem("invalid_request", '"previous_response_id": responses of this model are not kept.');
  }
  const before = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  if (!Array.isArray(items) || items.length === 0) {
    throw new Problem("invalid_request", '"input" must be a text or a list of messages.');
  }
  const reasoning_effort = isObject(reasoning) ? reasoning.effort : undefined;
  const wanted = {
    model,
    stream,
    temperature,
    top_p,
    max_tokens,
    reasoning_effort,
    ...toolsOf(body),
    ...formatOf(body),
  };
  return { ...optional(wanted), messages: [...before, ...toMessages(items)] };
}

function formatOf({ text }: Json): Json {
  const format = isObject(text) && isObject(text.format) ? text.format : undefined;
  if (format?.type === "json_schema") {
    const { type: _type, ...schema } = format;
    return { response_format: { type: "json_schema", json_schema: schema } };
  }
  return format?.type === "json_object" ? { response_format: { type: "json_object" } } : {};
}

function toolsOf({ tools, tool_choice: choice, parallel_tool_calls }: Json): Json {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const functions = tools.map((tool: unknown, index) => {
    if (!isObject(tool) || tool.type !== "function") {
      throw new Problem("invalid_request", `"tools.${index}": this model only knows tools of type "function".`);
    }
    const { name, description, parameters, strict } = tool;
    return { type: "function", function: optional({ name, description, parameters, strict }) };
  });
  const chosen =
    isObject(choice) && choice.type === "function" ? { type: "function", function: { name: choice.name } } : choice;
  return { tools: functions, tool_choice: chosen, parallel_tool_calls };
}

/** Calls that follow each other are one turn in a chat. */
function toMessages(items: readonly unknown[]): Json[] {
  const messages: Json[] = [];
  for (const [index, item] of items.entries()) {
    const last = messages.at(-1);
    if (isObject(item) && item.type === "function_call") {
      const call = { id: item.call_id, type: "function", function: { name: item.name, arguments: item.arguments } };
      if (Array.isArray(last?.tool_calls)) last.tool_calls.push(call);
      else if (last?.role === "assistant") last.tool_calls = [call];
      else messages.push({ role: "assistant", content: null, tool_calls: [call] });
    } else if (isObject(item) && item.type === "function_call_output") {
      messages.push({ role: "tool", tool_call_id: item.call_id, content: textOf(item.output) });
    } else if (!isObject(item) || item.type !== "reasoning") messages.push(toMessage(item, index));
  }
  return messages;
}

function toMessage(item: unknown, index: number): Json {
  if (!isObject(item) || typeof item.role !== "string") {
    throw new Problem("invalid_request", `"input.${index}" must be a message or a call of a function with its output.`);
  }
  if (!Array.isArray(item.content)) return { role: item.role, content: item.content };
  const content = item.content.map((part: unknown) => {
    if (!isObject(part)) return part;
    if (typeof part.text === "string") return { type: "text", text: part.text };
    const url = part.image_url;
    return part.type === "input_image" ? { type: "image_url", image_url: { url } } : part;
  });
  return { role: item.role, content };
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? output.filter(isObject) : [];
  return parts.map(({ text }) => (typeof text === "string" ? text : "")).join("\n");
}
