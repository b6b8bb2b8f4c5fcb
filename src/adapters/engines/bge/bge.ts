import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EmbeddingEngine } from "../../../ports/embedding-engine.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { BgeAnswer, BgeChildSettings } from "./child.ts";

export const BGE_MODEL = "bge-small-en";

export interface BgeOptions {
  readonly models: ModelStore;
  readonly log: Log;
  /** Texts that are embedded side by side. */
  readonly lanes: number;
}

export interface Bge extends EmbeddingEngine {
  readonly host: EngineHost;
}

/** bge-small-en-v1.5 on this machine. Requests share one process and take turns text by text. */
export function createBge({ models, log, lanes }: BgeOptions): Bge {
  const host = createEngineHost({
    name: "bge",
    module: siblingModule(import.meta.url, "./child"),
    settings: (): BgeChildSettings => ({ folder: models.folder(BGE_MODEL), lanes }),
    missing: () => models.missing(BGE_MODEL),
    jobsPerChild: 16,
    queueLimit: 256,
    deadlineMs: 120_000,
    memoryLimitMb: 2048,
    retireAboveMb: 1200,
    // A text takes milliseconds; waiting behind long work would take seconds.
    niceness: 2,
    log,
  });
  return {
    host,
    embed({ texts, key, flow }, signal) {
      const size = texts.reduce((sum, text) => sum + text.length, 0);
      return host.ask<BgeAnswer>("embed", { texts }, { key, flow, size, signal });
    },
  };
}
