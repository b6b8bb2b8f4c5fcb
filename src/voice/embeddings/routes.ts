import type { FastifyReply, FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { EmbeddingEngine } from "../../ports/embedding-engine.ts";
import { problemReplies } from "../fields.ts";
import { embeddingsReply, embeddingsRequest, isOpenAi } from "./schema.ts";

export interface EmbeddingParts {
  readonly embeddings: EmbeddingEngine;
  /** Answers requests of OpenAI's clients; absent where the gateway is not served. */
  readonly openAiEmbeddings?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

const MODEL = "svc-embed-1";

export function addEmbeddingRoutes(app: HttpApp, { embeddings, openAiEmbeddings }: EmbeddingParts): void {
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
    async (request, reply) => {
      if (openAiEmbeddings && isOpenAi(request.body)) return openAiEmbeddings(request, reply);
      const texts = [request.body.input].flat();
      const model = embeddings.modelName ? `${MODEL}/${embeddings.modelName}` : MODEL;
      request.usage.model = model;
      const { vectors, inputTokens } = await embeddings.embed(
        { texts, key: turnOf(request.caller), flow: request.id },
        request.signal,
      );
      request.usage.inputTokens = inputTokens;
      return {
        embeddings: vectors.map((vector) => Array.from(vector, shorten)),
        dimensions: vectors[0]!.length,
        model,
        usage: { input_tokens: inputTokens },
      };
    },
  );
}

/** A 32-bit number holds some seven digits; the rest would only be bytes on the wire. */
function shorten(value: number): number {
  return Math.round(value * 1e8) / 1e8;
}
