import { existsSync } from "node:fs";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { ReaderSettings } from "./load-reader.ts";
import type { OwnGguf } from "./own-gguf.ts";

/** A longer text is read in windows of this length, which few models of this kind exceed. */
const MOST_WINDOW_TOKENS = 2048;

/** The process of a GGUF that reads texts and writes none. */
export function hostGguf(
  module: "./embed-child" | "./rank-child",
  { name, facts, plan, gpu, log, threads }: OwnGguf & { log: Log; threads: number },
): EngineHost {
  return createEngineHost({
    name: `gguf:${name}`,
    module: siblingModule(import.meta.url, module),
    settings: (): ReaderSettings => ({
      modelFile: facts.file,
      windowTokens: Math.min(MOST_WINDOW_TOKENS, facts.trainedTokens),
      threads,
      gpu,
    }),
    missing: () => (existsSync(facts.file) ? undefined : `The file ${facts.file} is gone.`),
    queueLimit: 256,
    deadlineMs: 300_000,
    loadDeadlineMs: 600_000,
    memoryLimitMb: plan.memoryLimitMb,
    retireAboveMb: plan.retireAboveMb,
    niceness: 2,
    log,
  });
}
