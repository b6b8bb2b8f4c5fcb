import type { z } from "zod";
import { estimateTokens } from "../charging/estimate.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import { anthropicErrors } from "../dialects/anthropic-errors.ts";
import { chatDialect } from "../dialects/chat/chat-dialect.ts";
import { writeChatRequest } from "../dialects/chat/write-request.ts";
import { completionsDialect } from "../dialects/completions-dialect.ts";
import type { CallerDialect } from "../dialects/dialect.ts";
import { messagesDialect } from "../dialects/messages/messages-dialect.ts";
import { responsesDialect } from "../dialects/responses/responses-dialect.ts";
import { translationsOf } from "../dialects/translate.ts";
import type { Json } from "../json.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import { chatReply, chatRequest, completionsRequest, messagesRequest, otherReply, responsesRequest } from "./schema.ts";
import { serveLocalChat } from "./serve-local.ts";

type About<Wanted extends { model: string }> = Pick<EndpointDescriptor<Wanted>, "path" | "summary" | "schema"> &
  Partial<EndpointDescriptor<Wanted>>;

/** A dialect, of every model that chats: an upstream that does not speak it is asked in another one. */
export function inDialect<Wanted extends { model: string }>(
  dialect: CallerDialect,
  about: About<Wanted>,
): EndpointDescriptor<Wanted> {
  const { endpoint: name, outputLimits } = dialect;
  return {
    name,
    reply: otherReply,
    takesAliases: true,
    outputLimits,
    translations: translationsOf(dialect),
    estimate: ({ body, rawBody }, listed) => estimateTokens(body as Json, rawBody.length, listed, outputLimits),
    inputTokens: requestTokens as (wanted: Wanted) => number,
    local(gateway, request, reply, wanted) {
      const chat = chatRequest.parse(writeChatRequest(dialect.readRequest(wanted as Json)));
      return serveLocalChat(gateway, request, reply, chat, dialect);
    },
    ...about,
  };
}

export const chatCompletions = inDialect<z.output<typeof chatRequest>>(chatDialect, {
  path: "/chat/completions",
  summary: "Chat completions",
  schema: chatRequest,
  reply: chatReply,
  isChat: true,
  local: (gateway, request, reply, wanted) => serveLocalChat(gateway, request, reply, wanted, chatDialect),
});

export const completions = inDialect<z.output<typeof completionsRequest>>(completionsDialect, {
  path: "/completions",
  summary: "OpenAI's completions of before chats, of every model that chats",
  schema: completionsRequest,
  isChat: true,
});

export const responses = inDialect<z.output<typeof responsesRequest>>(responsesDialect, {
  path: "/responses",
  summary: "OpenAI's responses, of every model that chats",
  schema: responsesRequest,
});

export const messages = inDialect<z.output<typeof messagesRequest>>(messagesDialect, {
  path: "/messages",
  summary: "Anthropic's messages, of every model that chats",
  schema: messagesRequest,
  errors: anthropicErrors,
});
