import { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import { messagesDialect, messagesToChat } from "../dialects/messages-dialect.ts";
import { responsesDialect, responsesToChat } from "../dialects/responses-dialect.ts";
import { problemReplies } from "../fields.ts";
import { forwardTokens } from "../forwarding/forward-tokens.ts";
import { quickRoute } from "../forwarding/quick-route.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import { chatReply, chatRequest, countRequest, messagesRequest, otherReply, responsesRequest } from "./schema.ts";
import { serveLocalChat } from "./serve-local.ts";

const config = { scope: "gateway:read" };
const chat = {
  endpoint: "chat/completions",
  outputLimits: ["max_tokens", "max_completion_tokens"],
  isChat: true,
} as const;

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
  app.post(
    "/responses",
    {
      config,
      schema: {
        summary: "OpenAI's responses, of local models and of upstreams that offer them",
        body: responsesRequest,
        response: { 200: otherReply, ...problemReplies },
      },
    },
    (request, reply) => {
      const local = findLocal(gateway, request.body.model, "language");
      if (local) {
        const wanted = chatRequest.parse(responsesToChat(request.body));
        return serveLocalChat(gateway, local, request, reply, wanted, responsesDialect);
      }
      return forwardTokens(gateway, request, reply, {
        endpoint: "responses",
        outputLimits: ["max_output_tokens"],
        isChat: false,
      });
    },
  );
  app.post(
    "/messages",
    {
      config,
      schema: {
        summary: "Anthropic's messages, of local models and of upstreams that offer them",
        body: messagesRequest,
        response: { 200: otherReply, ...problemReplies },
      },
    },
    (request, reply) => {
      const local = findLocal(gateway, request.body.model, "language");
      if (local) {
        const wanted = chatRequest.parse(messagesToChat(request.body));
        return serveLocalChat(gateway, local, request, reply, wanted, messagesDialect);
      }
      return forwardTokens(gateway, request, reply, {
        endpoint: "messages",
        outputLimits: ["max_tokens"],
        isChat: false,
      });
    },
  );
  app.post(
    "/messages/count_tokens",
    {
      config,
      schema: {
        summary: "How many tokens a message of Anthropic's dialect has, counted here and within a tenth",
        body: countRequest,
        response: { 200: z.object({ input_tokens: z.int() }), ...problemReplies },
      },
    },
    async (request) => ({ input_tokens: requestTokens(request.body) }),
  );
}
