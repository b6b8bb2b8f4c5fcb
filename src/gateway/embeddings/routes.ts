import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { forwardTokens } from "../forwarding/forward-tokens.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import { toBase64Vectors } from "./encode-vectors.ts";
import { embeddingReply, embeddingRequest } from "./schema.ts";
import { serveLocalEmbeddings } from "./serve-local.ts";

export function addEmbeddingRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/embeddings",
    {
      config: { scope: "gateway:read" },
      schema: { summary: "Embeddings", body: embeddingRequest, response: { 200: embeddingReply, ...problemReplies } },
    },
    (request, reply) => {
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
