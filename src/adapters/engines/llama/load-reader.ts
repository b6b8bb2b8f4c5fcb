import { getLlama, LlamaLogLevel, type LlamaModel } from "node-llama-cpp";
import { followLoad, mostThreads } from "./choose-threads.ts";
import { type GpuChoice, loadOptions } from "./load-options.ts";

/** For children that read whole texts: embedders and rerankers. */
export interface ReaderSettings {
  readonly modelFile: string;
  readonly windowTokens: number;
  readonly threads: number;
  readonly gpu: GpuChoice;
}

/** The model, and how a context that reads a window at once is opened. */
export async function loadReader({ modelFile, windowTokens, threads, gpu }: ReaderSettings): Promise<{
  model: LlamaModel;
  window: { contextSize: number; batchSize: number; threads: number };
}> {
  const { runtime, weights } = loadOptions(gpu);
  const most = mostThreads(threads);
  const llama = await getLlama({ ...runtime, build: "never", logLevel: LlamaLogLevel.error, maxThreads: most });
  if (threads === 0) followLoad(llama, most);
  const model = await llama.loadModel({ modelPath: modelFile, ...weights });
  return { model, window: { contextSize: windowTokens, batchSize: windowTokens, threads: most } };
}
