import { longestModel } from "../fields.ts";
import { isObject } from "../json.ts";

/** Whether a body is what `chatRequest` takes as it is. Knows only the usual values of each field and leaves all others to the
 *  schema, which takes ten times as long and can say what is wrong. */
export function isPlainChat(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { model, messages, stream, temperature, max_tokens, max_completion_tokens, n, tools, top_p } = body;
  return (
    typeof model === "string" &&
    model.length <= longestModel &&
    /^[\x21-\x7e]+$/.test(model) &&
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every(isMessage) &&
    (stream === undefined || typeof stream === "boolean") &&
    isNumber(temperature) &&
    isCount(max_tokens) &&
    isCount(max_completion_tokens) &&
    n === undefined &&
    (tools === undefined || Array.isArray(tools)) &&
    isNumber(top_p)
  );
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value.role === "string";
}

function isNumber(value: unknown): boolean {
  return value === undefined || Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
}
