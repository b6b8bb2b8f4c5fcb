import type { LlamaModel, LlamaRankingContext } from "node-llama-cpp";
import type { Reranked } from "../../../ports/reranking-engine.ts";
import { serveChild } from "../host/serve-child.ts";
import { loadReader, type ReaderSettings } from "./load-reader.ts";

interface Loaded {
  readonly model: LlamaModel;
  readonly context: LlamaRankingContext;
  readonly windowTokens: number;
}

serveChild({
  async load(settings: ReaderSettings): Promise<Loaded> {
    const { model, window } = await loadReader(settings);
    const context = await model.createRankingContext(window);
    const { windowTokens } = settings;
    return { model, context, windowTokens };
  },
  tasks: {
    async *score(
      { query, documents }: { query: string; documents: readonly string[] },
      { model, context, windowTokens }: Loaded,
      signal,
    ) {
      // Half of the window is left to the documents; the rest of a longer query would say nothing of any.
      const asked = model.tokenize(query, false).slice(0, Math.floor(windowTokens / 2));
      const scores: number[] = [];
      let tokens = 0;
      for (const document of documents) {
        signal.throwIfAborted();
        const words = model.tokenize(document, false);
        tokens += context.calculateInputLength(asked, words);
        // A long document is as good as its best part.
        scores.push(await context.rank(asked, words, { onOverflow: "maxChunk" }));
      }
      yield { scores, tokens } satisfies Reranked;
    },
  },
});
