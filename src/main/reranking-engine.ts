import { availableParallelism } from "node:os";
import { createCrossEncoder } from "../adapters/engines/cross-encoder/cross-encoder.ts";
import { openCrossEncoder } from "../adapters/engines/cross-encoder/open-cross-encoder.ts";
import { type GgufSettings, openGguf } from "../adapters/engines/llama/own-gguf.ts";
import { createOwnRanking } from "../adapters/engines/llama/own-ranking.ts";
import { parseOwnAddress } from "../adapters/engines/own-weights/parse-address.ts";
import { createLocalRerank } from "../adapters/local-rerank/local-rerank.ts";
import { spreadReranking } from "../adapters/workers/spread/spread-words.ts";
import { SettingError } from "../platform/settings/settings.ts";
import type { EmbeddingEngine } from "../ports/embedding-engine.ts";
import type { EngineHost } from "../ports/engine-host.ts";
import type { RerankingEngine } from "../ports/reranking-engine.ts";
import { type EngineContext, runsHere } from "./engine-context.ts";

const SETTING = "SVC_RERANKING_ENGINE";

export interface RerankingOptions {
  readonly context: EngineContext;
  readonly gguf: GgufSettings;
  /** What the shipped reranker is made of. */
  readonly embeddings: EmbeddingEngine;
  show(host: EngineHost, capability: "reranking", model: string, modelIds: readonly string[]): void;
}

/** The reranker that the setting names. It runs where embeddings run. */
export function createReranking({ context, gguf, embeddings, show }: RerankingOptions): RerankingEngine {
  const { settings, log, spread } = context;
  const { reranking: text, threads } = settings.engines;
  if (text.trim() === "local") return createLocalRerank(embeddings);
  const address = parseOwnAddress(text, ["gguf", "onnx"]);
  if (!address)
    throw new SettingError(`${SETTING} is "${text}" but must be local, gguf:PATH or onnx:PATH (or a NAME).`);
  const own = open();
  show(own.host, "reranking", own.modelName ?? "", []);
  return spread ? spreadReranking(spread, own, runsHere(context, "embeddings")) : own;

  function open(): RerankingEngine & { host: EngineHost } {
    if (address!.scheme === "gguf") {
      return createOwnRanking({ ...openGguf(SETTING, address!, "reranking", gguf), log, threads });
    }
    const weights = openCrossEncoder(SETTING, address!, settings.storage.modelsDir);
    return createCrossEncoder({ weights, log, lanes: threads || Math.min(4, availableParallelism()) });
  }
}
