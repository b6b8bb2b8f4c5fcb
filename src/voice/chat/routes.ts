import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { notYet } from "../not-yet.ts";
import { chatReply, chatRequest } from "./schema.ts";

export function addChatRoutes(app: HttpApp): void {
  app.post(
    "/v1/chat",
    {
      config: { scope: "chat" },
      schema: { summary: "Answer a conversation", body: chatRequest, response: { 200: chatReply, ...problemReplies } },
    },
    async () => notYet("Chat"),
  );
}
