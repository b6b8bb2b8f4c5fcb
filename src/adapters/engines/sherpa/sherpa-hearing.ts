import { Problem } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { LanguageDetector } from "../../../ports/language-detector.ts";
import {
  type Heard,
  type HearingRequest,
  type TranscriptionEngine,
  UNKNOWN_LANGUAGE,
} from "../../../ports/transcription-engine.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { SherpaHeard, SherpaHearingJob, SherpaHearingSettings } from "./hearing-child.ts";
import { isInvented } from "./is-invented.ts";
import type { OwnFolder } from "./open-folder.ts";
import { ownCode, platformCodes } from "./platform-codes.ts";
import { timeTokens } from "./time-tokens.ts";
import { hearingConfig, isToldTheLanguage } from "./write-config.ts";

export interface SherpaHearingOptions {
  readonly folder: OwnFolder;
  readonly log: Log;
  readonly threads: number;
  readonly children: number;
  /** Tells by the words, for models that do not tell by the sound. */
  readonly detector: () => LanguageDetector | undefined;
}

export interface SherpaHearing extends TranscriptionEngine {
  readonly host: EngineHost;
}

/** For models that do not say how sure they are: neither certain nor doubtful to whoever compares. */
const UNTOLD_CONFIDENCE = 0.8;

/** Any recogniser that sherpa-onnx runs. */
export function createSherpaHearing({ folder, log, threads, children, detector }: SherpaHearingOptions): SherpaHearing {
  const { name, languages: own, bytes } = folder;
  const offered = platformCodes(own);
  const megabytes = Math.ceil(bytes / 1024 ** 2);
  const host = createEngineHost({
    name: `sherpa:${name}`,
    module: siblingModule(import.meta.url, "./hearing-child"),
    settings: (): SherpaHearingSettings => ({ config: hearingConfig(folder, threads, undefined) }),
    children,
    queueLimit: 256,
    deadlineMs: 300_000,
    loadDeadlineMs: 300_000,
    // The runtime keeps its weights once, in their own format or unpacked to four times their size.
    memoryLimitMb: 2048 + 5 * megabytes,
    retireAboveMb: 1200 + 4 * megabytes,
    niceness: 4,
    log,
  });

  async function hear(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const { samples, speechMs, language, key, flow } = request;
    const wanted = language === undefined ? undefined : ownCode(language, own);
    if (language !== undefined && wanted === undefined) {
      throw new Problem("invalid_request", `${name} does not hear "${language}".`);
    }
    const config = isToldTheLanguage(folder.kind) ? hearingConfig(folder, threads, wanted) : undefined;
    const job: SherpaHearingJob = { samples, config };
    const heard = await host.ask<SherpaHeard>("hear", job, { key, flow, size: samples.length, signal });
    const confidence =
      heard.logProbability === undefined ? UNTOLD_CONFIDENCE : Math.min(1, Math.exp(heard.logProbability));
    const known = { confidence: Math.round(confidence * 1000) / 1000, model: name };
    if (heard.text === "" || isInvented(heard.text, speechMs)) {
      return { ...known, text: "", language: language ?? UNKNOWN_LANGUAGE };
    }
    const told = language ?? (await tell(heard, request, signal));
    if (told === undefined) return { ...known, text: "", language: UNKNOWN_LANGUAGE };
    const words = request.isInterim ? undefined : timeTokens(heard, heard.text, samples.length / 16);
    return { ...known, text: heard.text, language: told, ...(words ? { words } : {}) };
  }

  /** The model's word, the only language there is, or the language of the words. */
  async function tell(
    heard: SherpaHeard,
    { key, flow }: HearingRequest,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (heard.language !== "") return platformCodes([heard.language]).find((code) => offered.includes(code));
    if (own.length === 1) return offered[0];
    const found = await detector()?.detect(heard.text, { key, flow }, signal);
    return found && platformCodes([found.language]).find((code) => offered.includes(code));
  }

  return {
    host,
    modelName: name,
    languages: () => offered,
    // Whoever installed it knows how well it hears.
    tellsLanguage: own.length > 1,
    hear,
    warm() {
      if (host.status().state === "idle") host.ask("warm", {}, { key: "warm" }).catch(() => {});
    },
  };
}
