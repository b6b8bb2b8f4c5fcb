import { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { model, problemReplies } from "../fields.ts";
import { forwardTokens } from "../forwarding/forward-tokens.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import { toBase64Vectors } from "./encode-vectors.ts";
import { serveLocalEmbeddings } from "./serve-local.ts";

const input = z.union([z.string(), z.array(z.any()).min(1)]).meta({ description: "A text, texts, or tokens." });
export const embeddingRequest = z.looseObject({
  model,
  input,
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z.int().min(1).nullish(),
});
const embeddingReply = z.looseObject({
  object: z.literal("list"),
  data: z.array(z.any()),
  model: z.string(),
});

export function addEmbeddingRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/embeddings",
    {
      config: { scope: "gateway:read" },
      schema: { summary: "Embeddings", body: embeddingRequest, response: { 200: embeddingReply, ...problemReplies } },
    },
    async (request, reply) => {
      const local = findLocal(gateway, request.body.model, "embedding");
      if (local) return serveLocalEmbeddings(gateway, local, request, reply, request.body);
      const wantsBase64 = request.body.encoding_format === "base64";
      return forwardTokens(gateway, request, reply, {
        endpoint: "embeddings",
        isChat: false,
        ...(wantsBase64 ? { adapt: toBase64Vectors } : {}),
      });
    },
  );
}
