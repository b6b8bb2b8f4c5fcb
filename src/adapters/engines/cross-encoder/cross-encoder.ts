import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { Reranked, RerankingEngine } from "../../../ports/reranking-engine.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { OwnOnnx } from "../own-weights/find-onnx.ts";
import type { CrossEncoderChildSettings } from "./child.ts";

export interface CrossEncoderOptions {
  readonly weights: OwnOnnx;
  readonly log: Log;
  /** Documents that are read side by side. */
  readonly lanes: number;
}

export interface CrossEncoder extends RerankingEngine {
  readonly host: EngineHost;
}

/** A model that reads the query and a document together, such as ms-marco-MiniLM, as ONNX. */
export function createCrossEncoder({ weights, log, lanes }: CrossEncoderOptions): CrossEncoder {
  const { name, folder, file, bytes } = weights;
  const megabytes = Math.ceil(bytes / 1024 ** 2);
  const host = createEngineHost({
    name: `onnx:${name}`,
    module: siblingModule(import.meta.url, "./child"),
    settings: (): CrossEncoderChildSettings => ({ folder, file, lanes }),
    jobsPerChild: 16,
    queueLimit: 256,
    deadlineMs: 300_000,
    memoryLimitMb: 2048 + 3 * megabytes,
    retireAboveMb: 1200 + 2 * megabytes,
    niceness: 2,
    log,
  });
  return {
    host,
    modelName: name,
    score({ query, documents, key, flow }, signal) {
      const size = documents.reduce((sum, document) => sum + query.length + document.length, 0);
      return host.ask<Reranked>("score", { query, documents }, { key, flow, size, signal });
    },
  };
}
