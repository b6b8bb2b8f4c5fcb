import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { TurnDetector } from "../../../ports/turn-detector.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import { LOOK_BACK_SAMPLES } from "./features.ts";

export interface SmartTurn extends TurnDetector {
  readonly host: EngineHost;
}

/** Pipecat's smart-turn: whether somebody has finished, by how it sounded. */
export function createSmartTurn({ file, name, log }: { file: string; name: string; log: Log }): SmartTurn {
  const host = createEngineHost({
    name: `smart-turn:${name}`,
    module: siblingModule(import.meta.url, "./child"),
    settings: () => ({ file }),
    queueLimit: 64,
    deadlineMs: 5_000,
    memoryLimitMb: 768,
    niceness: 1,
    log,
  });
  return {
    host,
    judge({ samples, key, flow }, signal) {
      const last = samples.slice(-LOOK_BACK_SAMPLES);
      return host.ask<number>("judge", { samples: last }, { key, flow, size: last.length, signal });
    },
  };
}
