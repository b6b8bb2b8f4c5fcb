import { existsSync } from "node:fs";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EmbeddingEngine } from "../../../ports/embedding-engine.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { EmbedAnswer, EmbedChildSettings } from "./embed-child.ts";
import type { OwnGguf } from "./own-gguf.ts";

export interface OwnEmbeddings extends EmbeddingEngine {
  readonly host: EngineHost;
}

/** A longer text is embedded in windows of this length, which few models of this kind exceed. */
const MOST_WINDOW_TOKENS = 2048;

/** Any GGUF that turns texts into vectors. */
export function createOwnEmbeddings({
  name,
  facts,
  plan,
  gpu,
  log,
  threads,
}: OwnGguf & { log: Log; threads: number }): OwnEmbeddings {
  const host = createEngineHost({
    name: `gguf:${name}`,
    module: siblingModule(import.meta.url, "./embed-child"),
    settings: (): EmbedChildSettings => ({
      modelFile: facts.file,
      windowTokens: Math.min(MOST_WINDOW_TOKENS, facts.trainedTokens),
      threads,
      gpu,
    }),
    missing: () => (existsSync(facts.file) ? undefined : `The file ${facts.file} is gone.`),
    queueLimit: 256,
    deadlineMs: 300_000,
    loadDeadlineMs: 600_000,
    memoryLimitMb: plan.memoryLimitMb,
    retireAboveMb: plan.retireAboveMb,
    niceness: 2,
    log,
  });
  return {
    host,
    modelName: name,
    embed({ texts, key, flow }, signal) {
      const size = texts.reduce((sum, text) => sum + text.length, 0);
      return host.ask<EmbedAnswer>("embed", { texts }, { key, flow, size, signal });
    },
  };
}
