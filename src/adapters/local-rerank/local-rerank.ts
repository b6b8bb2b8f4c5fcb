import type { EmbeddingEngine } from "../../ports/embedding-engine.ts";
import type { RerankingEngine } from "../../ports/reranking-engine.ts";
import { scoreByWords } from "./bm25.ts";

/** What the embedding model was trained to see before a question. */
const queryPrefix = "Represent this sentence for searching relevant passages: ";
const meaningWeight = 0.7;
/** Unrelated texts have about this cosine. */
const unrelated = 0.35;

/** Ranks by meaning and by words: names and numbers are found by the latter, everything else by the former. */
export function createLocalRerank(embeddings: EmbeddingEngine): RerankingEngine {
  return {
    async score({ query, documents, key, flow }, signal) {
      const texts = [queryPrefix + query, ...documents.map((document) => document || " ")];
      const { vectors, inputTokens } = await embeddings.embed({ texts, key, flow }, signal);
      const [asked, ...found] = vectors;
      const words = scoreByWords(query, documents);
      const scores = found.map((vector, index) => {
        const meaning = Math.max(0, (cosine(asked!, vector) - unrelated) / (1 - unrelated));
        return Math.min(1, meaningWeight * meaning + (1 - meaningWeight) * words[index]!);
      });
      return { scores, tokens: inputTokens };
    },
  };
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let lengths = [0, 0] as [number, number];
  for (let index = 0; index < a.length; index++) {
    dot += a[index]! * b[index]!;
    lengths = [lengths[0] + a[index]! ** 2, lengths[1] + b[index]! ** 2];
  }
  return dot / Math.max(1e-9, Math.sqrt(lengths[0] * lengths[1]));
}
