import { join } from "node:path";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { folderForProcessor } from "../../models/model-folder.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import { SHORT_LINE, type VoiceModel } from "../speech-local/voice-model.ts";
import type { KokoroChildSettings, KokoroJob } from "./child.ts";
import { KOKORO_GRAPH } from "./files.ts";
import { MOST_SYMBOLS, toSymbolIds } from "./symbols.ts";
import { toKokoroSymbols } from "./to-kokoro-symbols.ts";

export const KOKORO_MODEL = "kokoro-82m";

export interface KokoroOptions {
  readonly models: ModelStore;
  readonly log: Log;
  /** How many sentences are spoken side by side. */
  readonly children: number;
  readonly threads: number;
}

export function createKokoro({ models, log, children, threads }: KokoroOptions): VoiceModel {
  const host = createEngineHost({
    name: "kokoro",
    module: siblingModule(import.meta.url, "./child"),
    settings: (): KokoroChildSettings => ({
      graph: join(folderForProcessor(models.folder(KOKORO_MODEL), KOKORO_GRAPH), KOKORO_GRAPH),
      voices: join(models.folder(KOKORO_MODEL), "voices"),
      threads,
    }),
    missing: () => models.missing(KOKORO_MODEL),
    children,
    shortUpTo: SHORT_LINE,
    queueLimit: 256,
    memoryLimitMb: 3072,
    retireAboveMb: 1600,
    deadlineMs: 90_000,
    // A step of a long sentence takes a moment, and killing the child would cost the next one a load.
    cancelGraceMs: 30_000,
    log,
  });
  return {
    host,
    sampleRateHz: 24000,
    spelling: { spellWord: toKokoroSymbols, marks: "?!….:;—," },
    mostSymbols: MOST_SYMBOLS,
    isHere: () => models.missing(KOKORO_MODEL) === undefined,
    synthesize: ({ symbols, voice, speed }, job) =>
      host.ask<Float32Array>("synthesize", { ids: toSymbolIds(symbols), voice, speed } satisfies KokoroJob, job),
  };
}
