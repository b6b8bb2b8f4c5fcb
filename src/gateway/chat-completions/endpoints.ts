import type { z } from "zod";
import { estimateTokens } from "../charging/estimate.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import { anthropicErrors } from "../dialects/anthropic-errors.ts";
import { completionsDialect } from "../dialects/completions-dialect.ts";
import type { TranslatedDialect } from "../dialects/dialect.ts";
import { messagesDialect } from "../dialects/messages-dialect.ts";
import { responsesDialect } from "../dialects/responses-dialect.ts";
import type { Json } from "../json.ts";
import { chatLimits } from "../pipeline/body.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import { chatReply, chatRequest, completionsRequest, messagesRequest, otherReply, responsesRequest } from "./schema.ts";
import { serveLocalChat } from "./serve-local.ts";

type About<Wanted extends { model: string }> = Pick<EndpointDescriptor<Wanted>, "path" | "summary" | "schema"> &
  Partial<EndpointDescriptor<Wanted>> & { readonly outputLimits: readonly string[] };

/** An endpoint that is billed by tokens. */
function billedByTokens<Wanted extends { model: string }>(
  name: EndpointDescriptor<Wanted>["name"],
  about: About<Wanted>,
): EndpointDescriptor<Wanted> {
  return {
    name,
    takesAlternatives: true,
    estimate: ({ body, rawBody }, listed) => estimateTokens(body as Json, rawBody.length, listed, about.outputLimits),
    inputTokens: requestTokens as (wanted: Wanted) => number,
    ...about,
  };
}

/** The same in another dialect, of every model that chats: those that know nothing else are asked for a chat completion. */
export function inDialect<Wanted extends { model: string }>(
  dialect: TranslatedDialect,
  about: About<Wanted>,
): EndpointDescriptor<Wanted> {
  return billedByTokens(dialect.endpoint, {
    reply: otherReply,
    dialect,
    local: (gateway, request, reply, wanted) =>
      serveLocalChat(gateway, request, reply, chatRequest.parse(dialect.toChat(wanted as Json)), dialect),
    ...about,
  });
}

export const chatCompletions = billedByTokens<z.output<typeof chatRequest>>("chat/completions", {
  path: "/chat/completions",
  summary: "Chat completions",
  schema: chatRequest,
  reply: chatReply,
  outputLimits: chatLimits,
  isChat: true,
  local: serveLocalChat,
});

export const completions = inDialect<z.output<typeof completionsRequest>>(completionsDialect, {
  path: "/completions",
  summary: "OpenAI's completions of before chats, of every model that chats",
  schema: completionsRequest,
  outputLimits: ["max_tokens"],
  isChat: true,
});

export const responses = inDialect<z.output<typeof responsesRequest>>(responsesDialect, {
  path: "/responses",
  summary: "OpenAI's responses, of every model that chats",
  schema: responsesRequest,
  outputLimits: ["max_output_tokens"],
});

export const messages = inDialect<z.output<typeof messagesRequest>>(messagesDialect, {
  path: "/messages",
  summary: "Anthropic's messages, of every model that chats",
  schema: messagesRequest,
  outputLimits: ["max_tokens"],
  errors: anthropicErrors,
});
