import type { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { forwardTokens, type TokenEndpoint } from "../forwarding/forward-tokens.ts";
import { quickRoute } from "../forwarding/quick-route.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import { toBase64Vectors } from "./encode-vectors.ts";
import { embeddingReply, embeddingRequest } from "./schema.ts";
import { embedLocally } from "./serve-local.ts";

export function addEmbeddingRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/embeddings",
    {
      config: { scope: "gateway:read", quick: quickRoute(gateway, embeddingRequest, endpointFor) },
      schema: { summary: "Embeddings", body: embeddingRequest, response: { 200: embeddingReply, ...problemReplies } },
    },
    (request, reply) => {
      const local = findLocal(gateway, request.body.model, "embedding");
      if (local) return embedLocally(gateway, local, request, request.body);
      return forwardTokens(gateway, request, reply, endpointFor(request.body));
    },
  );
}

function endpointFor({ encoding_format: encoding }: z.output<typeof embeddingRequest>): TokenEndpoint {
  return { endpoint: "embeddings", isChat: false, ...(encoding === "base64" ? { adapt: toBase64Vectors } : {}) };
}
