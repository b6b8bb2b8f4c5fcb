import { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import { anthropicErrors } from "../dialects/anthropic-errors.ts";
import { completionsDialect } from "../dialects/completions-dialect.ts";
import { messagesDialect } from "../dialects/messages-dialect.ts";
import { responsesDialect } from "../dialects/responses-dialect.ts";
import { problemReplies } from "../fields.ts";
import { chatLimits, forwardTokens } from "../forwarding/forward-tokens.ts";
import { quickRoute } from "../forwarding/quick-route.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import type { Json } from "../upstreams/kinds/kind.ts";
import {
  chatReply,
  chatRequest,
  completionsRequest,
  countRequest,
  messagesRequest,
  otherReply,
  responsesRequest,
} from "./schema.ts";
import { serveLocalChat } from "./serve-local.ts";

const config = { scope: "gateway:read" };
const chat = { endpoint: "chat/completions", outputLimits: chatLimits, isChat: true } as const;

/** What can be asked for in other dialects, of every model that chats. */
const otherDialects = [
  {
    path: "/completions",
    body: completionsRequest,
    summary: "OpenAI's completions of before chats, of every model that chats",
    dialect: completionsDialect,
    outputLimits: ["max_tokens"],
    isChat: true,
    errors: undefined,
  },
  {
    path: "/responses",
    body: responsesRequest,
    summary: "OpenAI's responses, of every model that chats",
    dialect: responsesDialect,
    outputLimits: ["max_output_tokens"],
    isChat: false,
    errors: undefined,
  },
  {
    path: "/messages",
    body: messagesRequest,
    summary: "Anthropic's messages, of every model that chats",
    dialect: messagesDialect,
    outputLimits: ["max_tokens"],
    isChat: false,
    errors: anthropicErrors,
  },
];

export function addChatCompletionRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/chat/completions",
    {
      config: { ...config, quick: quickRoute(gateway, chatRequest, () => chat) },
      schema: { summary: "Chat completions", body: chatRequest, response: { 200: chatReply, ...problemReplies } },
    },
    (request, reply) => {
      const local = findLocal(gateway, request.body.model, "language");
      if (local) return serveLocalChat(gateway, local, request, reply, request.body);
      return forwardTokens(gateway, request, reply, chat);
    },
  );
  for (const { path, body, summary, dialect, outputLimits, isChat, errors } of otherDialects) {
    app.post(
      path,
      {
        config: { ...config, ...(errors ? { dialect: errors } : {}) },
        schema: { summary, body, response: { 200: otherReply, ...problemReplies } },
      },
      (request, reply) => {
        const wanted = request.body as Json;
        const local = findLocal(gateway, wanted.model as string, "language");
        if (local) {
          return serveLocalChat(gateway, local, request, reply, chatRequest.parse(dialect.toChat(wanted)), dialect);
        }
        return forwardTokens(gateway, request, reply, {
          endpoint: dialect.endpoint,
          outputLimits,
          isChat,
          dialect,
        });
      },
    );
  }
  app.post(
    "/messages/count_tokens",
    {
      config: { ...config, dialect: anthropicErrors },
      schema: {
        summary: "How many tokens a message of Anthropic's dialect has, counted here and within a tenth",
        body: countRequest,
        response: { 200: z.object({ input_tokens: z.int() }), ...problemReplies },
      },
    },
    async (request) => ({ input_tokens: requestTokens(request.body) }),
  );
}
