import { join } from "node:path";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { HEARING_RATE_HZ } from "../../../ports/voice-activity.ts";
import type { VoicePrinter } from "../../../ports/voice-printer.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { XvectorChildSettings, XvectorJob } from "./child.ts";
import { XVECTOR_GRAPH, XVECTOR_MODEL } from "./files.ts";

export interface Xvector extends VoicePrinter {
  readonly host: EngineHost;
}

/** Kaldi's x-vectors in a small process of their own. */
export function createXvector({ models, log }: { models: ModelStore; log: Log }): Xvector {
  const host = createEngineHost({
    name: "xvector",
    module: siblingModule(import.meta.url, "./child"),
    settings: (): XvectorChildSettings => ({ graph: join(models.folder(XVECTOR_MODEL), XVECTOR_GRAPH) }),
    missing: () => models.missing(XVECTOR_MODEL),
    queueLimit: 256,
    deadlineMs: 30_000,
    memoryLimitMb: 768,
    log,
  });
  return {
    host,
    missing: () => models.missing(XVECTOR_MODEL),
    print: ({ samples, key, flow }, signal) =>
      host.ask<Float32Array>("print", { samples, sampleRateHz: HEARING_RATE_HZ } satisfies XvectorJob, {
        key,
        flow,
        size: samples.length,
        signal,
      }),
  };
}
