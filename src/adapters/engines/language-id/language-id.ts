import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { DetectedLanguage, LanguageDetector } from "../../../ports/language-detector.ts";
import { createEngineHost } from "../host/create-engine-host.ts";

export interface LanguageId extends LanguageDetector {
  readonly host: EngineHost;
}

/** Language identification on this machine: two small statistical models in one process. */
export function createLanguageId({ log }: { log: Log }): LanguageId {
  const host = createEngineHost({
    name: "language-id",
    module: siblingModule(import.meta.url, "./child"),
    settings: () => ({}),
    jobsPerChild: 16,
    queueLimit: 512,
    deadlineMs: 15_000,
    niceness: 2,
    memoryLimitMb: 1024,
    log,
  });
  return {
    host,
    detect: (text, { key, flow }, signal) =>
      host.ask<DetectedLanguage | undefined>("detect", { text }, { key, flow, size: text.length, signal }),
  };
}
