import { availableParallelism } from "node:os";
import { createLocalHearing } from "../adapters/engines/local-hearing/local-hearing.ts";
import { createMediaDecoder } from "../adapters/engines/media-decoder/media-decoder.ts";
import { createMoonshine, MOONSHINE_MODELS } from "../adapters/engines/moonshine/moonshine.ts";
import { createOpenAiTranscription } from "../adapters/engines/openai-transcription/openai-transcription.ts";
import { parseRecogniser } from "../adapters/engines/openai-transcription/parse-address.ts";
import { routeByLanguage } from "../adapters/engines/openai-transcription/route-by-language.ts";
import { type OwnAddress, parseOwnAddress, splitEngines } from "../adapters/engines/own-weights/parse-address.ts";
import { openFolder } from "../adapters/engines/sherpa/open-folder.ts";
import { createSherpaHearing } from "../adapters/engines/sherpa/sherpa-hearing.ts";
import { createSilero, SILERO_MODEL } from "../adapters/engines/silero/silero.ts";
import { createSmartTurn } from "../adapters/engines/smart-turn/smart-turn.ts";
import { createWhisper, WHISPER_MODELS } from "../adapters/engines/whisper/whisper.ts";
import { SettingError } from "../platform/settings/settings.ts";
import type { EngineHost } from "../ports/engine-host.ts";
import type { LanguageDetector } from "../ports/language-detector.ts";
import type { MediaDecoder } from "../ports/media-decoder.ts";
import type { TranscriptionEngine } from "../ports/transcription-engine.ts";
import type { TurnDetector } from "../ports/turn-detector.ts";
import type { VoiceActivityDetector } from "../ports/voice-activity.ts";
import type { EngineContext } from "./engine-context.ts";
import { showRemote } from "./show-remote.ts";

export interface HearingEngines {
  readonly decoder: MediaDecoder;
  readonly activity: VoiceActivityDetector;
  readonly transcription: TranscriptionEngine;
  readonly turns: TurnDetector | undefined;
  close(): Promise<void>;
}

/** What it takes to hear: the decoder of uploads, voice activity, and the recognisers that the settings name, in order. */
export function createHearingEngines(
  context: EngineContext,
  detector: () => LanguageDetector | undefined = () => undefined,
): HearingEngines {
  const { settings, models, board, log } = context;
  const cores = availableParallelism();
  const hosts: EngineHost[] = [];
  const show = (host: EngineHost, capability: string, modelIds: readonly string[], isNeeded?: boolean) => {
    hosts.push(host);
    const needed = isNeeded === undefined ? {} : { isNeeded };
    board.add({ capability, model: "svc-stt-1", modelIds, ...needed, status: () => host.status() });
  };

  const decoder = createMediaDecoder({
    log,
    children: Math.min(4, Math.max(2, cores)),
    ffmpeg: settings.engines.ffmpeg,
  });
  show(decoder.host, "media", []);
  const activity = createSilero({ models, log });
  show(activity.host, "voice-activity", [SILERO_MODEL]);
  const engines = splitEngines(settings.engines.transcription).map((address): TranscriptionEngine => {
    if (address === "local") return createLocal();
    const own = parseOwnAddress(address, ["sherpa"]);
    if (own) return createOwn(own);
    const remote = parseRecogniser(address);
    if (!remote) {
      throw new SettingError(
        `SVC_TRANSCRIPTION_ENGINE is "${address}" but must be local, sherpa:PATH, sherpa:NAME or openai:http://host/v1#model?languages=de,fr.`,
      );
    }
    showRemote(context, "transcription", "svc-stt-1", remote);
    return createOpenAiTranscription({ ...remote, apiKey: settings.engines.apiKey });
  });
  if (engines.length === 0) throw new SettingError("SVC_TRANSCRIPTION_ENGINE names no engine.");
  return {
    decoder,
    activity,
    transcription: routeByLanguage(engines),
    turns: createTurns(),
    async close() {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };

  function createLocal(): TranscriptionEngine {
    const moonshine = createMoonshine({
      models,
      log,
      children: Math.max(Math.min(2, cores), Math.min(8, Math.floor(cores / 2))),
      interimChildren: Math.max(1, Math.min(4, Math.floor(cores / 4))),
    });
    const [whole, interim] = moonshine.hosts;
    show(whole!, "transcription", [MOONSHINE_MODELS.en, MOONSHINE_MODELS.es]);
    show(interim!, "transcription", [MOONSHINE_MODELS.quick]);
    const size = settings.engines.hearingSize;
    if (size === "off") return moonshine;
    const threads = settings.engines.threads || Math.min(2, cores);
    const quick = size === "small" ? { quickId: WHISPER_MODELS.base } : {};
    const children = cores >= 8 ? 2 : 1;
    const whisper = createWhisper({ models, id: WHISPER_MODELS[size], ...quick, log, children, threads });
    show(whisper.host, "transcription", [WHISPER_MODELS[size]]);
    if (whisper.quickHost) show(whisper.quickHost, "transcription", [WHISPER_MODELS.base], false);
    return createLocalHearing(moonshine, whisper);
  }

  /** Who tells that a caller has finished: a model that somebody brought, else the rules of `voice/realtime/turn`. */
  function createTurns(): TurnDetector | undefined {
    const address = settings.engines.turns;
    if (address === "rules") return undefined;
    const own = parseOwnAddress(address, ["smart-turn"]);
    if (!own) {
      throw new SettingError(`SVC_TURN_ENGINE is "${address}" but must be rules, smart-turn:PATH or smart-turn:NAME.`);
    }
    const { files, name } = openFolder("SVC_TURN_ENGINE", own, ["turns"], settings.storage.modelsDir);
    const detector = createSmartTurn({ file: files.model!, name, log });
    hosts.push(detector.host);
    const status = () => detector.host.status();
    board.add({ capability: "turns", model: `svc-stt-1/${name}`, modelIds: [], isNeeded: true, status });
    return detector;
  }

  /** Weights that somebody brought. */
  function createOwn(address: OwnAddress): TranscriptionEngine {
    const folder = openFolder("SVC_TRANSCRIPTION_ENGINE", address, ["transcription"], settings.storage.modelsDir);
    const threads = settings.engines.threads || Math.min(2, cores);
    const children = cores >= 8 ? 2 : 1;
    if (folder.kind.runner === "whisper") {
      const whisper = createWhisper({ models, id: folder.id!, log, children, threads });
      show(whisper.host, "transcription", [folder.id!]);
      return whisper;
    }
    const engine = createSherpaHearing({ folder, log, threads, children, detector });
    showOwn(engine.host, folder.name);
    return engine;
  }

  function showOwn(host: EngineHost, name: string): void {
    hosts.push(host);
    board.add({
      capability: "transcription",
      model: `svc-stt-1/${name}`,
      modelIds: [],
      isNeeded: true,
      status: () => host.status(),
    });
  }
}
