import { Problem } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import type { TranslationEngine } from "../../../ports/translation-engine.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import { directionsOf, type MeasuredDirection } from "../translation-router/directions.ts";
import type { TranslatorAnswer, TranslatorChildSettings, TranslatorJob } from "./child.ts";

export const TRANSLATOR_MODEL = "translator";

export interface TranslatorOptions {
  readonly models: ModelStore;
  readonly log: Log;
  readonly directions: readonly MeasuredDirection[];
  /** Processes side by side; each works on one core. */
  readonly children?: number;
}

export interface Translator extends TranslationEngine {
  readonly host: EngineHost;
  /** Any direction, whether it is good enough to be offered or not; for measuring. */
  run(job: Omit<TranslatorJob, "isSteady"> & { isSteady?: boolean }): Promise<TranslatorAnswer>;
}

/** Our own net between English and seventeen languages, and through English between those. */
export function createTranslator({ models, log, directions, children = 1 }: TranslatorOptions): Translator {
  const offered = directionsOf(TRANSLATOR_MODEL, directions);
  const missing = () => models.missing(TRANSLATOR_MODEL);
  const host = createEngineHost({
    name: "translator",
    module: siblingModule(import.meta.url, "./child"),
    settings: (): TranslatorChildSettings => ({ folder: models.folder(TRANSLATOR_MODEL), beams: 4, batch: 8 }),
    missing,
    children,
    // Enough to fill a batch with short requests.
    jobsPerChild: 16,
    queueLimit: 256,
    deadlineMs: 120_000,
    niceness: 2,
    memoryLimitMb: 2048,
    retireAboveMb: 1200,
    log,
  });
  return {
    host,
    missing,
    directions: () => (missing() ? [] : offered),
    run: (job) => host.ask("translate", { isSteady: false, ...job }, { key: "measure", size: job.text.length }),
    async translate({ text, source, target, key, flow, isSteady = false }, signal) {
      if (!offered.some((one) => one.source === source && one.target === target)) {
        throw new Problem("invalid_request", `The translator does not translate from ${source} to ${target}.`);
      }
      const job: TranslatorJob = { text, source: ownCode(source), target: ownCode(target), isSteady };
      const turn = { key, flow, size: text.length, signal };
      const answer = await host.ask<TranslatorAnswer>("translate", job, turn);
      const { inputTokens, outputTokens } = answer;
      const usage = { inputTokens, outputTokens, cachedTokens: null };
      return { text: answer.text, usage, ...(answer.isDoubtful ? { quality: "preview" as const } : {}) };
    },
  };
}

/** `en-us` is `en` to the net, and both kinds of Portuguese are `pt`. */
function ownCode(code: string): string {
  return code.split("-")[0]!;
}
