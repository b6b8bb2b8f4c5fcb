import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EmbeddingEngine } from "../../../ports/embedding-engine.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { createEngineHost, type EngineHostOptions } from "../host/create-engine-host.ts";
import type { BgeAnswer, BgeChildSettings } from "./child.ts";
import type { OwnEmbedder } from "./own-onnx.ts";

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

/** bge-small-en-v1.5 on this machine. */
export function createBge({ models, log, lanes }: BgeOptions): Bge {
  return embedWith({
    name: "bge",
    settings: () => ({ folder: models.folder(BGE_MODEL), file: "model_quantized.onnx", pooling: "first", lanes }),
    missing: () => models.missing(BGE_MODEL),
    memoryLimitMb: 2048,
    retireAboveMb: 1200,
    log,
  });
}

export interface OnnxEmbeddingsOptions {
  readonly weights: OwnEmbedder;
  readonly log: Log;
  readonly lanes: number;
}

/** Any model of the BERT family that somebody brought. */
export function createOnnxEmbeddings({ weights, log, lanes }: OnnxEmbeddingsOptions): Bge {
  const { name, folder, file, pooling, bytes } = weights;
  const megabytes = Math.ceil(bytes / 1024 ** 2);
  const engine = embedWith({
    name: `onnx:${name}`,
    settings: () => ({ folder, file, pooling, lanes }),
    missing: () => undefined,
    memoryLimitMb: 2048 + 3 * megabytes,
    retireAboveMb: 1200 + 2 * megabytes,
    log,
  });
  return { ...engine, modelName: name };
}

type EmbedOptions = Omit<EngineHostOptions, "module" | "settings"> & { readonly settings: () => BgeChildSettings };

/** Requests share one process and take turns text by text. */
function embedWith(options: EmbedOptions): Bge {
  const host = createEngineHost({
    module: siblingModule(import.meta.url, "./child"),
    jobsPerChild: 16,
    queueLimit: 256,
    deadlineMs: 120_000,
    // A text takes milliseconds; waiting behind long work would take seconds.
    niceness: 2,
    ...options,
  });
  return {
    host,
    embed({ texts, key, flow }, signal) {
      const size = texts.reduce((sum, text) => sum + text.length, 0);
      return host.ask<BgeAnswer>("embed", { texts }, { key, flow, size, signal });
    },
  };
}
