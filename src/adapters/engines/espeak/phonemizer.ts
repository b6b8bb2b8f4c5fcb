import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { PhonemizeJob, Phonemizer, Pronunciation } from "../../../ports/phonemizer.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import { spellForEspeak } from "./spell.ts";

export interface EspeakPhonemizer extends Phonemizer {
  readonly host: EngineHost;
}

export function createEspeakPhonemizer(options: { log: Log }): EspeakPhonemizer {
  const host = createEngineHost({
    name: "phonemizer",
    module: siblingModule(import.meta.url, "./child"),
    settings: () => ({}),
    memoryLimitMb: 1024,
    queueLimit: 512,
    deadlineMs: 20_000,
    niceness: 0, // a few milliseconds of work that all speech waits for
    log: options.log,
  });
  return {
    host,
    phonemize: (texts: readonly string[], language: string, job: PhonemizeJob) =>
      host.ask<Pronunciation[]>(
        "phonemize",
        { texts: texts.map((text) => spellForEspeak(text, language)), voice: language },
        { key: job.key, flow: job.flow, signal: job.signal, size: texts.reduce((sum, text) => sum + text.length, 1) },
      ),
  };
}
