import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { forwardTokens } from "../forwarding/forward-tokens.ts";
import { quickRoute } from "../forwarding/quick-route.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import { chatReply, chatRequest, messagesRequest, otherReply, responsesRequest } from "./schema.ts";
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
        summary: "OpenAI's responses, where the upstream offers them",
        body: responsesRequest,
        response: { 200: otherReply, ...problemReplies },
      },
    },
    (request, reply) =>
      forwardTokens(gateway, request, reply, {
        endpoint: "responses",
        outputLimits: ["max_output_tokens"],
        isChat: false,
      }),
  );
  app.post(
    "/messages",
    {
      config,
      schema: {
        summary: "Anthropic's messages, where the upstream offers them",
        body: messagesRequest,
        response: { 200: otherReply, ...problemReplies },
      },
    },
    (request, reply) =>
      forwardTokens(gateway, request, reply, { endpoint: "messages", outputLimits: ["max_tokens"], isChat: false }),
  );
}
