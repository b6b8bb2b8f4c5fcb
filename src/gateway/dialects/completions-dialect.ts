import { Problem } from "../../platform/errors.ts";
import type { Json } from "../json.ts";
import { type ReplyEnd, type ReplyHead, type TranslatedDialect, writeEvent } from "./dialect.ts";
import { optional } from "./optional.ts";

/** OpenAI's completions of before chats. */
export const completionsDialect: TranslatedDialect = {
  endpoint: "completions",
  idPrefix: "cmpl-",
  toChat,
  whole: (head, { text }, end) => ({ ...reply(head, text, end.reason), usage: usageOf(end) }),
  stream(head, showsUsage) {
    const chunk = (text: string, finish: string | null = null) => writeEvent(reply(head, text, finish));
    return {
      begin: () => "",
      text: (text) => chunk(text),
      call: () => "",
      callArguments: () => "",
      end(end) {
        const usage = showsUsage ? writeEvent({ ...reply(head, "", null), choices: [], usage: usageOf(end) }) : "";
        return `${chunk("", end.reason)}${usage}data: [DONE]\n\n`;
      },
      fail: (message) => writeEvent({ error: { message, type: "upstream_error", param: null, code: 503 } }),
    };
  },
};

/** What is to be completed is what the user says. */
function toChat(body: Json): Json {
  const { model, stream, prompt, max_tokens, temperature, top_p, stop, seed, stream_options } = body;
  const text: unknown = Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt;
  if (typeof text !== "string") throw new Problem("invalid_request", '"prompt" must be one text for this model.');
  const wanted = { model, stream, max_tokens, temperature, top_p, stop, seed, stream_options };
  return { ...optional(wanted), messages: [{ role: "user", content: text }] };
}

function reply(head: ReplyHead, text: string, finish: string | null): Json {
  return { ...head, object: "text_completion", choices: [{ index: 0, text, logprobs: null, finish_reason: finish }] };
}

function usageOf({ inputTokens, outputTokens, cost }: ReplyEnd) {
  const counts = { prompt_tokens: inputTokens, completion_tokens: outputTokens };
  return { ...counts, total_tokens: inputTokens + outputTokens, ...(cost === undefined ? {} : { cost }) };
}
