import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { notYet } from "../not-yet.ts";
import { translateRequest, translation } from "./schema.ts";

export function addTranslationRoutes(app: HttpApp): void {
  app.post(
    "/v1/translate",
    {
      config: { scope: "translate" },
      schema: {
        summary: "Text into another language",
        body: translateRequest,
        response: { 200: translation, ...problemReplies },
      },
    },
    async () => notYet("Translation"),
  );
}
