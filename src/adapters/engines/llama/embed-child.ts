import type { LlamaEmbeddingContext, LlamaModel, Token } from "node-llama-cpp";
import { averageWindows, cutWindows } from "../bge/windows.ts";
import { serveChild } from "../host/serve-child.ts";
import { loadReader, type ReaderSettings } from "./load-reader.ts";

export interface EmbedAnswer {
  readonly vectors: Float32Array[];
  readonly inputTokens: number;
}

interface Loaded {
  readonly model: LlamaModel;
  readonly context: LlamaEmbeddingContext;
  readonly windowTokens: number;
}

/** Tokens that the model puts around a text. */
const AROUND = 4;

serveChild({
  async load(settings: ReaderSettings): Promise<Loaded> {
    const { model, window } = await loadReader(settings);
    const context = await model.createEmbeddingContext(window);
    const { windowTokens } = settings;
    return { model, context, windowTokens };
  },
  tasks: {
    async *embed({ texts }: { texts: readonly string[] }, { model, context, windowTokens }: Loaded, signal) {
      const vectors: Float32Array[] = [];
      let inputTokens = 0;
      for (const text of texts) {
        const windows = cutWindows(model.tokenize(text, false), windowTokens - AROUND);
        const states: Float32Array[] = [];
        for (const window of windows) {
          signal.throwIfAborted();
          // A text without any token has a vector too: that of nothing.
          const { vector } = await context.getEmbeddingFor(window.length > 0 ? (window as Token[]) : " ");
          states.push(Float32Array.from(vector));
        }
        inputTokens += windows.reduce((sum, window) => sum + window.length, 0);
        vectors.push(
          averageWindows(
            states,
            windows.map((window) => window.length),
          ),
        );
      }
      yield { vectors, inputTokens } satisfies EmbedAnswer;
    },
  },
});
