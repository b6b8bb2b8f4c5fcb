import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { DiarisationEngine, SpeakerStretch } from "../../../ports/diarisation-engine.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { DiarisationChildSettings } from "./diarisation-child.ts";
import type { OwnFolder } from "./open-folder.ts";

export interface SherpaDiarisation extends DiarisationEngine {
  readonly host: EngineHost;
}

export interface SherpaDiarisationOptions {
  readonly folder: OwnFolder;
  readonly log: Log;
  readonly threads: number;
}

/** A model that cuts a recording at changes of speaker, and one that knows voices. */
export function createSherpaDiarisation({ folder, log, threads }: SherpaDiarisationOptions): SherpaDiarisation {
  const { name, files, bytes } = folder;
  const megabytes = Math.ceil(bytes / 1024 ** 2);
  const host = createEngineHost({
    name: `sherpa:${name}`,
    module: siblingModule(import.meta.url, "./diarisation-child"),
    settings: (): DiarisationChildSettings => ({
      segmentation: files.segmentation!,
      embedding: files.embedding!,
      threads,
    }),
    queueLimit: 64,
    // The runtime does a whole recording in one go, and the longest that is dubbed has a quarter of an hour.
    deadlineMs: 900_000,
    memoryLimitMb: 2048 + 5 * megabytes,
    retireAboveMb: 1200 + 4 * megabytes,
    niceness: 6,
    log,
  });
  return {
    host,
    diarise: ({ samples, key, flow }, signal) =>
      host.ask<SpeakerStretch[]>("diarise", { samples }, { key, flow, size: samples.length, signal }),
  };
}
