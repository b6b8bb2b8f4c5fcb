import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { notYet } from "../not-yet.ts";
import { dubForm, dubReply } from "./schema.ts";

export function addDubbingRoutes(app: HttpApp): void {
  app.post(
    "/v1/dub",
    {
      config: { scope: "dub", form: dubForm },
      schema: { summary: "Speech into another language", response: { 200: dubReply, ...problemReplies } },
    },
    async () => notYet("Dubbing"),
  );
}
