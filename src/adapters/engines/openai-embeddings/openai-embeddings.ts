import { z } from "zod";
import { Problem } from "../../../platform/errors.ts";
import type { EmbeddingEngine } from "../../../ports/embedding-engine.ts";
import { askServer, type OpenAiServer } from "../openai-chat/openai-server.ts";

const answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.int() }).optional(),
});

/** Embeddings by an OpenAI-compatible server. */
export function createOpenAiEmbeddings(server: OpenAiServer, timeoutMs = 60_000): EmbeddingEngine {
  return {
    modelName: server.model,
    async embed({ texts }, signal) {
      const options = { signal, timeoutMs, kind: "embedding" };
      const response = await askServer(server, "/embeddings", { input: texts, encoding_format: "float" }, options);
      const body: unknown = await response.json().catch(() => undefined);
      signal.throwIfAborted();
      const parsed = answer.safeParse(body);
      const sorted = parsed.success ? [...parsed.data.data].sort((a, b) => a.index - b.index) : [];
      const isComplete = sorted.length === texts.length && sorted.every(({ index }, place) => index === place);
      if (!parsed.success || !isComplete || new Set(sorted.map(({ embedding }) => embedding.length)).size !== 1) {
        throw new Problem("engine_unavailable", "The embedding server sent something that is not a list of vectors.");
      }
      return {
        vectors: sorted.map(({ embedding }) => toUnit(embedding)),
        inputTokens: parsed.data.usage?.prompt_tokens ?? 0,
      };
    },
  };
}

function toUnit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}
