import { getLlama, type LlamaEmbeddingContext, LlamaLogLevel, type LlamaModel, type Token } from "node-llama-cpp";
import { averageWindows, cutWindows } from "../bge/windows.ts";
import { serveChild } from "../host/serve-child.ts";
import { followLoad, mostThreads } from "./choose-threads.ts";
import { type GpuChoice, loadOptions } from "./load-options.ts";

export interface EmbedChildSettings {
  readonly modelFile: string;
  readonly windowTokens: number;
  readonly threads: number;
  readonly gpu: GpuChoice;
}

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
  async load({ modelFile, windowTokens, threads, gpu }: EmbedChildSettings): Promise<Loaded> {
    const { runtime, weights } = loadOptions(gpu);
    const most = mostThreads(threads);
    const llama = await getLlama({ ...runtime, build: "never", logLevel: LlamaLogLevel.error, maxThreads: most });
    if (threads === 0) followLoad(llama, most);
    const model = await llama.loadModel({ modelPath: modelFile, ...weights });
    const context = await model.createEmbeddingContext({
      contextSize: windowTokens,
      batchSize: windowTokens,
      threads: most,
    });
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
