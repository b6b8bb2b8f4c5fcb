import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { notYet } from "../not-yet.ts";
import { embeddingsReply, embeddingsRequest } from "./schema.ts";

export function addEmbeddingRoutes(app: HttpApp): void {
  app.post(
    "/v1/embeddings",
    {
      config: { scope: "chat" },
      schema: {
        summary: "Texts to vectors",
        body: embeddingsRequest,
        response: { 200: embeddingsReply, ...problemReplies },
      },
    },
    async () => notYet("Embedding"),
  );
}
