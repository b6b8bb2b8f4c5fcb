import { join } from "node:path";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { folderForProcessor } from "../../models/model-folder.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import { SHORT_LINE, type SymbolLine, type VoiceModel, type WavePart } from "../speech-local/voice-model.ts";
import type { PiperChildSettings, PiperJob } from "./child.ts";
import { PIPER_GRAPH, PIPER_SPEAKERS } from "./files.ts";

export const PIPER_MODEL = "piper-libritts";

export interface PiperOptions {
  readonly models: ModelStore;
  readonly log: Log;
  readonly children: number;
  readonly threads: number;
}

export function createPiper({ models, log, children, threads }: PiperOptions): VoiceModel {
  const host = createEngineHost({
    name: "piper",
    module: siblingModule(import.meta.url, "./child"),
    settings: (): PiperChildSettings => {
      const folder = models.folder(PIPER_MODEL);
      return {
        graph: join(folderForProcessor(folder, PIPER_GRAPH), PIPER_GRAPH),
        speakers: join(folder, PIPER_SPEAKERS),
        tokens: join(folder, "tokens.txt"),
        threads,
      };
    },
    missing: () => models.missing(PIPER_MODEL),
    children,
    shortUpTo: SHORT_LINE,
    queueLimit: 256,
    memoryLimitMb: 2048,
    retireAboveMb: 1200,
    deadlineMs: 60_000,
    cancelGraceMs: 20_000,
    log,
  });
  return {
    host,
    sampleRateHz: 22050,
    spelling: { spellWord: (word) => word.join(""), marks: "?!.:;," },
    mostSymbols: 600,
    isHere: () => models.missing(PIPER_MODEL) === undefined,
    synthesize: (line, job) => host.ask<Float32Array>("synthesize", toJob(line), job),
    stream: (line, job) => host.run<WavePart>("stream", toJob(line), job),
  };
}

function toJob({ symbols, voice, speed, speaker }: SymbolLine): PiperJob {
  return { symbols, speaker: speaker ?? Number(voice), speed };
}
