import type { Json } from "../json.ts";
import { countTokens } from "./count-tokens.ts";

/** So much is counted, and the rest in proportion. */
const longestSample = 100_000;
/** What a dialogue adds to each message (OpenAI's guide to counting tokens: three, and three for the reply). */
const tokensPerMessage = 3;
/** These say how to read the text and are no part of it. */
const besides = new Set([
  "role",
  "type",
  "id",
  "model",
  "object",
  "finish_reason",
  "call_id",
  "tool_call_id",
  "status",
]);
const longestEmbedded = 4_096;

/** How many tokens a request makes a model read, for replies that do not tell. */
export function requestTokens({ messages, input, system, prompt, instructions, tools, values }: Json): number {
  const turns = Array.isArray(messages) ? messages.length : 1;
  return textTokens([messages, input, system, prompt, instructions, tools, values]) + tokensPerMessage * (turns + 1);
}

/** How many tokens a whole reply has. */
export function replyTokens({ choices, output, content }: Json): number {
  return textTokens([choices, output, content]);
}

/** Of every text within, wherever it stands. */
export function textTokens(value: unknown): number {
  const found = { text: "", length: 0 };
  gather(value, found, 0);
  if (found.text === "") return 0;
  return Math.ceil((countTokens(found.text) * found.length) / found.text.length);
}

function gather(value: unknown, found: { text: string; length: number }, depth: number): void {
  if (typeof value === "string") {
    // Pictures and sounds have tokens of their own.
    if (value.length > longestEmbedded && value.startsWith("data:")) return;
    found.length += value.length + 1;
    if (found.text.length < longestSample) found.text += `${value.slice(0, longestSample - found.text.length)}\n`;
  } else if (Array.isArray(value)) {
    for (const one of value) gather(one, found, depth + 1);
  } else if (typeof value === "object" && value !== null && depth < 20) {
    for (const [name, one] of Object.entries(value)) if (!besides.has(name)) gather(one, found, depth + 1);
  }
}
