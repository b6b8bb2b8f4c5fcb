import type { Log } from "../../../platform/log.ts";
import type { EmbeddingEngine } from "../../../ports/embedding-engine.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { EmbedAnswer } from "./embed-child.ts";
import { hostGguf } from "./host-gguf.ts";
import type { OwnGguf } from "./own-gguf.ts";

export interface OwnEmbeddings extends EmbeddingEngine {
  readonly host: EngineHost;
}

/** Any GGUF that turns texts into vectors. */
export function createOwnEmbeddings(gguf: OwnGguf & { log: Log; threads: number }): OwnEmbeddings {
  const host = hostGguf("./embed-child", gguf);
  return {
    host,
    modelName: gguf.name,
    embed({ texts, key, flow }, signal) {
      const size = texts.reduce((sum, text) => sum + text.length, 0);
      return host.ask<EmbedAnswer>("embed", { texts }, { key, flow, size, signal });
    },
  };
}
