import type { FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { PlatformLog } from "../../platform/log.ts";
import type { ChatEngine, ChatUsage } from "../../ports/chat-engine.ts";
import { problemReplies } from "../fields.ts";
import { chatModelName, finishAnswer, showUsage, startAnswer } from "./converse.ts";
import { chatReply, chatRequest } from "./schema.ts";
import { streamAnswer } from "./stream-answer.ts";

export interface ChatParts {
  readonly chat: ChatEngine;
  readonly log: PlatformLog;
}

export function addChatRoutes(app: HttpApp, parts: ChatParts): void {
  app.post(
    "/v1/chat",
    {
      config: { scope: "chat" },
      schema: { summary: "Answer a conversation", body: chatRequest, response: { 200: chatReply, ...problemReplies } },
    },
    async (request, reply) => {
      const model = chatModelName(parts.chat);
      request.usage.model = model;
      const turn = { key: turnOf(request.caller), flow: request.id };
      const events = startAnswer(parts.chat, request.body, turn, request.signal);
      const finish = (text: string, usage: ChatUsage) => noteAnswer(request, parts.log, text, usage);
      if (request.body.stream) return streamAnswer({ request, reply, events, model, finish });
      const answer = await finishAnswer(events, () => {
        request.usage.outputTokens = (request.usage.outputTokens ?? 0) + 1;
      });
      finish(answer.reply, answer.usage);
      return { reply: answer.reply, model, usage: showUsage(answer.usage) };
    },
  );
}

/** Notes in the books and in the log what both may know. */
function noteAnswer(request: FastifyRequest, log: PlatformLog, reply: string, usage: ChatUsage): void {
  const { inputTokens, outputTokens, cachedTokens } = usage;
  Object.assign(request.usage, { inputTokens, outputTokens, ...(cachedTokens === null ? {} : { cachedTokens }) });
  log.info(
    { requestId: request.id, inputTokens, outputTokens, cachedTokens, reply: log.words(reply) },
    "chat answered",
  );
}
