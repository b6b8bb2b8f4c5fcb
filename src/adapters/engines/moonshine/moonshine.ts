import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import { table } from "../../../platform/table.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import {
  type Heard,
  type HearingRequest,
  type TranscriptionEngine,
  UNKNOWN_LANGUAGE,
} from "../../../ports/transcription-engine.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { MoonshineAnswer, MoonshineJob } from "./job.ts";
import type { MoonshineLanguage } from "./tuning.ts";

export const MOONSHINE_MODELS = {
  en: "moonshine-base-en",
  es: "moonshine-base-es",
  quick: "moonshine-tiny-en",
} as const;

/** How languages are called outside, and which model hears them. */
const codes: Readonly<Record<string, MoonshineLanguage>> = table({ "en-us": "en", "en-gb": "en", es: "es" });
const plainCode: Readonly<Record<MoonshineLanguage, string>> = { en: "en-us", es: "es" };

export interface MoonshineOptions {
  readonly models: ModelStore;
  readonly log: Log;
  /** Processes for whole segments, and for guesses at speech that still goes on. */
  readonly children: number;
  readonly interimChildren: number;
}

export interface Moonshine extends TranscriptionEngine {
  readonly hosts: readonly EngineHost[];
}

/** English and Spanish on this machine. Guesses have processes of their own, so that they never delay an answer. */
export function createMoonshine({ models, log, children, interimChildren }: MoonshineOptions): Moonshine {
  const isHere = (language: MoonshineLanguage) => models.missing(MOONSHINE_MODELS[language]) === undefined;
  const createHost = (name: string, count: number, queueLimit: number, niceness: number) =>
    createEngineHost({
      name,
      module: siblingModule(import.meta.url, "./child"),
      settings: () => ({}),
      missing: () => (isHere("es") ? undefined : models.missing(MOONSHINE_MODELS.en)),
      children: count,
      queueLimit,
      deadlineMs: 60_000,
      memoryLimitMb: 3072,
      retireAboveMb: 1800,
      niceness,
      log,
    });
  const whole = createHost("moonshine", children, 256, 2);
  const interim = createHost("moonshine-interim", interimChildren, 64, 8);

  function foldersFor(isInterim: boolean): [MoonshineLanguage, string][] {
    const quick = isInterim && models.missing(MOONSHINE_MODELS.quick) === undefined;
    const english = quick ? MOONSHINE_MODELS.quick : MOONSHINE_MODELS.en;
    const here: [MoonshineLanguage, string][] = [];
    if (isHere("en")) here.push(["en", models.folder(english)]);
    if (isHere("es")) here.push(["es", models.folder(MOONSHINE_MODELS.es)]);
    return here;
  }

  async function hear(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const { samples, speechMs, language, isInterim, isUrgent = false, key, flow } = request;
    const job: MoonshineJob = {
      samples,
      speechSeconds: speechMs / 1000,
      language: language === undefined ? undefined : codes[language],
      isInterim,
      isUrgent,
      folders: foldersFor(isInterim),
    };
    const host = isInterim ? interim : whole;
    const answer = await host.ask<MoonshineAnswer>("hear", job, { key, flow, size: samples.length, signal });
    return {
      text: answer.text,
      language: answer.language === "und" ? UNKNOWN_LANGUAGE : (language ?? plainCode[answer.language]),
      confidence: Math.round(Math.exp(answer.logProbability) * 1000) / 1000,
    };
  }

  return {
    hosts: [whole, interim],
    guessesQuickly: true,
    languages: () => Object.keys(codes).filter((code) => isHere(codes[code]!)),
    rate: () => ({ heard: "yes", judgedBy: "recordings" }),
    hear,
    warm() {
      for (const [host, isInterim] of [
        [whole, false],
        [interim, true],
      ] as const) {
        const folders = foldersFor(isInterim).map(([, folder]) => folder);
        if (host.status().state === "ready") continue;
        // Nobody waits for this, and whoever speaks first learns what is wrong. Asked twice, because an answer that is begun
        // early and given up keeps one process busy for a moment.
        const times = isInterim ? 1 : Math.min(2, children);
        for (let i = 0; i < times; i++)
          host.ask("warm", { folders, isUrgent: !isInterim }, { key: `warm-${i}` }).catch(() => {});
      }
    },
  };
}
