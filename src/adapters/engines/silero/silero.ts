import { join } from "node:path";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import type { Activity, VoiceActivityDetector } from "../../../ports/voice-activity.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { SileroChildSettings, SileroJob } from "./child.ts";
import { COMPACT_GRAPH } from "./files.ts";

export const SILERO_MODEL = "silero-vad";

export interface Silero extends VoiceActivityDetector {
  readonly host: EngineHost;
}

/** Voice activity in a small process of its own, so that a frame of a live stream never waits for a recogniser. */
export function createSilero({ models, log }: { models: ModelStore; log: Log }): Silero {
  const host = createEngineHost({
    name: "silero",
    module: siblingModule(import.meta.url, "./child"),
    settings: (): SileroChildSettings => ({ graph: join(models.folder(SILERO_MODEL), COMPACT_GRAPH) }),
    missing: () => models.missing(SILERO_MODEL),
    queueLimit: 1024,
    deadlineMs: 20_000,
    memoryLimitMb: 768,
    niceness: 0,
    log,
  });
  return {
    host,
    detect: ({ samples, state, key, flow }, signal) =>
      host.ask<Activity>("detect", { samples, state } satisfies SileroJob, { key, flow, size: samples.length, signal }),
  };
}
