import { Problem } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import {
  type Heard,
  type HearingRequest,
  type TranscriptionEngine,
  UNKNOWN_LANGUAGE,
} from "../../../ports/transcription-engine.ts";
import { HEARING_RATE_HZ } from "../../../ports/voice-activity.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { WhisperAnswer, WhisperJob } from "./job.ts";
import { codeOf, whisperLanguages } from "./languages.ts";

export const WHISPER_MODELS = { small: "whisper-small", base: "whisper-base" } as const;

export interface WhisperOptions {
  readonly models: ModelStore;
  /** A model of the catalog, or one that was added. */
  readonly id: string;
  /** A smaller one for guesses at speech that still goes on, used where it is on this machine. */
  readonly quickId?: string;
  readonly log: Log;
  readonly children: number;
  readonly threads: number;
}

export interface Whisper extends TranscriptionEngine {
  readonly host: EngineHost;
  /** Where guesses are made. */
  readonly quickHost: EngineHost | undefined;
  /** True when its model is on this machine. */
  isHere(): boolean;
  /** The same as `hear`, but languages that another engine writes down better are only told. */
  hear(request: HearingRequest, signal: AbortSignal, leftToOthers?: readonly string[]): Promise<Heard>;
}

/** Beyond this a process is replaced when it has nothing to do. Small takes 600 MB and base 300. */
const RETIRE_ABOVE_MB = 1200;
/** Six seconds are heard beside a longer stretch: a line that somebody said, and the beginning that tells a language. */
const SHORT_SAMPLES = 6 * HEARING_RATE_HZ;
/** Large blocks go back to the system at once: every length is another, and what is kept for one does not fit the next. */
const ALLOCATION = { MALLOC_MMAP_THRESHOLD_: "1000000", MALLOC_TRIM_THRESHOLD_: "1000000" };

/** Many languages on this machine. One process hears for everybody, with both cores of a small machine: two would take twice the
 *  memory and be no faster. Guesses have a small model and a process of their own, so that an answer hardly ever waits for one, and
 *  there are none while answers queue. */
export function createWhisper({ models, id, quickId, log, children, threads }: WhisperOptions): Whisper {
  const offered = [...new Set(Object.values(whisperLanguages).map(({ own }) => own))];
  const createHost = (name: string, model: string, niceness: number) =>
    createEngineHost({
      name,
      module: siblingModule(import.meta.url, "./child"),
      settings: () => ({}),
      env: ALLOCATION,
      missing: () => models.missing(model),
      children,
      shortUpTo: SHORT_SAMPLES,
      queueLimit: 256,
      // A long stretch that is heard again takes 20 s of CPU, and a small machine may have ten such things to do.
      deadlineMs: 300_000,
      memoryLimitMb: 2500,
      retireAboveMb: RETIRE_ABOVE_MB,
      niceness,
      log,
    });
  const host = createHost("whisper", id, 4);
  const quickHost = quickId === undefined ? undefined : createHost("whisper-interim", quickId, 10);
  const isHere = () => models.missing(id) === undefined;
  /** Who hears what somebody waits for, or guesses: where the small model is not here, the large one guesses, too. */
  const choose = (isInterim: boolean) =>
    isInterim && quickHost && models.missing(quickId!) === undefined
      ? { host: quickHost, job: { folder: models.folder(quickId!), threads: 1 } }
      : { host, job: { folder: models.folder(id), threads } };

  async function hear(request: HearingRequest, signal: AbortSignal, left: readonly string[] = []): Promise<Heard> {
    const { samples, speechMs, language, isInterim, isUrgent = false, key, flow, isTranslated = false } = request;
    const chosen = choose(isInterim);
    // Where answers wait already, the cores are theirs: four streams want more than two cores if all of them are guessed at, too.
    if (chosen.host === quickHost && host.status().queued > 0) return nothing(language);
    const job: WhisperJob = {
      ...chosen.job,
      samples,
      speechSeconds: speechMs / 1000,
      language: language === undefined ? undefined : ownCode(language),
      offered,
      leftToOthers: left.map(ownCode),
      task: isTranslated ? "translate" : "transcribe",
      isInterim,
      isUrgent,
    };
    const answer = await chosen.host.ask<WhisperAnswer>("hear", job, { key, flow, size: samples.length, signal });
    const found = answer.language === undefined ? undefined : codeOf(answer.language);
    return {
      text: answer.text,
      language: language ?? found ?? UNKNOWN_LANGUAGE,
      confidence: Math.round(Math.min(1, Math.exp(answer.logProbability)) * 1000) / 1000,
      ...(language === undefined && !answer.isOther ? {} : { isOtherLanguage: answer.isOther }),
      ...(answer.words.length > 0 ? { words: answer.words } : {}),
    };
  }

  return {
    host,
    quickHost,
    isHere,
    languages: () => (isHere() ? Object.keys(whisperLanguages) : []),
    rate: (language) => whisperLanguages[language],
    translates: true,
    hear,
    warm() {
      if (!isHere()) return;
      for (const chosen of [choose(false), choose(true)]) {
        if (chosen.host.status().state === "ready") continue;
        // Nobody waits for this, and whoever speaks first learns what is wrong.
        chosen.host.ask("warm", chosen.job, { key: "warm" }).catch(() => {});
      }
    },
  };
}

function nothing(language = UNKNOWN_LANGUAGE): Heard {
  return { text: "", language, confidence: 0 };
}

function ownCode(language: string): string {
  const known = whisperLanguages[language];
  if (!known) throw new Problem("invalid_request", `Whisper does not hear "${language}" here.`);
  return known.own;
}
