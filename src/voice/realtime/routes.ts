import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { notYet } from "../not-yet.ts";
import { sessionReply, sessionRequest } from "./schema.ts";

export function addRealtimeRoutes(app: HttpApp): void {
  app.post(
    "/v1/realtime/session",
    {
      config: { scope: "realtime" },
      schema: {
        summary: "A token for a live call",
        body: sessionRequest,
        response: { 200: sessionReply, ...problemReplies },
      },
    },
    async () => notYet("Live calling"),
  );
}
