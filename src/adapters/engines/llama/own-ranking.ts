import type { Log } from "../../../platform/log.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { Reranked, RerankingEngine } from "../../../ports/reranking-engine.ts";
import { hostGguf } from "./host-gguf.ts";
import type { OwnGguf } from "./own-gguf.ts";

export interface OwnRanking extends RerankingEngine {
  readonly host: EngineHost;
}

/** Any GGUF that tells how well a document answers a query. */
export function createOwnRanking(gguf: OwnGguf & { log: Log; threads: number }): OwnRanking {
  const host = hostGguf("./rank-child", gguf);
  return {
    host,
    modelName: gguf.name,
    score({ query, documents, key, flow }, signal) {
      const size = documents.reduce((sum, document) => sum + query.length + document.length, 0);
      return host.ask<Reranked>("score", { query, documents }, { key, flow, size, signal });
    },
  };
}
