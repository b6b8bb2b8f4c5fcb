import type { z } from "zod";
import { estimateTokens } from "../charging/estimate.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import { toBase64Vectors } from "./encode-vectors.ts";
import { embeddingReply, embeddingRequest } from "./schema.ts";
import { embedLocally } from "./serve-local.ts";

export const embeddings: EndpointDescriptor<z.output<typeof embeddingRequest>> = {
  name: "embeddings",
  path: "/embeddings",
  summary: "Embeddings",
  schema: embeddingRequest,
  reply: embeddingReply,
  takesAlternatives: true,
  local: embedLocally,
  estimate: ({ body, rawBody }, listed) => estimateTokens(body, rawBody.length, listed, []),
  inputTokens: requestTokens,
  adapt: (body, { encoding_format: encoding }) => (encoding === "base64" ? toBase64Vectors(body) : undefined),
};
