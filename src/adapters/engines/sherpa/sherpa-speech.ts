import { list, Problem } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import { withoutPronunciations } from "../../../ports/inline-pronunciation.ts";
import type { SpeechEngine, SpokenLanguage, Voice } from "../../../ports/speech-engine.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import { speechCatalog } from "../speech-local/catalog.ts";
import { finishWave, modelSpeed } from "../speech-local/finish-wave.ts";
import type { OwnFolder } from "./open-folder.ts";
import { platformCodes } from "./platform-codes.ts";
import type { SherpaSpeechJob, SherpaSpeechSettings, SherpaSpoken } from "./speech-child.ts";

export interface SherpaSpeechOptions {
  readonly folder: OwnFolder;
  readonly log: Log;
  readonly threads: number;
  readonly modelsDir: string;
}

export interface SherpaSpeech extends SpeechEngine {
  readonly host: EngineHost;
}

const SAMPLE_RATES_HZ = { engine_a: 24000, engine_b: 16000 } as const;
/** The catalog of one model with a thousand speakers helps nobody; all of them can be named. */
const mostListed = 20;

/** Any voice that sherpa-onnx speaks with. */
export function createSherpaSpeech(options: SherpaSpeechOptions): SherpaSpeech {
  const { folder } = options;
  const host = createSpeechHost(options);
  const speakers = speakersOf(folder);
  const codes = platformCodes(folder.languages);
  const familyOf = (code: string) => speechCatalog.find((one) => one.code === code)?.engine ?? "engine_a";
  const languages = codes.map((code): SpokenLanguage => {
    const voices = speakers.filter(({ language }) => !language || code.startsWith(language)).slice(0, mostListed);
    return { code, label: labelOf(code), engine: familyOf(code), voices };
  });

  return {
    host,
    modelName: folder.name,
    languages: () => languages,
    sampleRateHz: (code) => SAMPLE_RATES_HZ[familyOf(code)],
    async *speak(request, signal) {
      const speaker = speakers.findIndex(({ id }) => id === request.voice);
      if (speaker < 0 || !codes.includes(request.language)) {
        const known = list(speakers.slice(0, mostListed).map(({ id }) => id));
        throw new Problem(
          "invalid_request",
          `There is no voice "${request.voice}" for "${request.language}". Voices: ${known}.`,
        );
      }
      const text = withoutPronunciations(request.text);
      if (!/[\p{L}\p{N}]/u.test(text)) return;
      const job: SherpaSpeechJob = { text, speaker, speed: modelSpeed(request.speed) };
      const { key, flow } = request;
      const spoken = await host.ask<SherpaSpoken>("speak", job, { key, flow, size: text.length, signal });
      signal.throwIfAborted();
      const rate = SAMPLE_RATES_HZ[familyOf(request.language)];
      const samples = await finishWave(
        spoken.samples,
        { sampleRateHz: spoken.sampleRateHz, speed: request.speed },
        rate,
      );
      if (samples.length > 0) yield { samples, sampleRateHz: rate };
    },
  };
}

export function createSpeechHost({ folder, log, threads, modelsDir }: SherpaSpeechOptions): EngineHost {
  const megabytes = Math.ceil(folder.bytes / 1024 ** 2);
  return createEngineHost({
    name: `sherpa:${folder.name}`,
    module: siblingModule(import.meta.url, "./speech-child"),
    settings: (): SherpaSpeechSettings => {
      const { kind, files, metadata: _metadata, ...rest } = folder;
      // Patterns do not survive the way to another process, and it does not need them.
      return { folder: { ...rest, kind: { ...kind, files: {} }, files, metadata: new Map() }, threads, modelsDir };
    },
    queueLimit: 256,
    deadlineMs: 120_000,
    loadDeadlineMs: 300_000,
    memoryLimitMb: 2048 + 5 * megabytes,
    retireAboveMb: 1200 + 4 * megabytes,
    niceness: 2,
    log,
  });
}

/** By the names that the model gives them, else by number. */
function speakersOf({ name, metadata }: OwnFolder): (Voice & { language?: string | undefined })[] {
  const names = (metadata.get("speaker_names") ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  const count = names.length || Number(metadata.get("n_speakers") ?? 1) || 1;
  return Array.from({ length: count }, (_, index) => {
    const own = names[index];
    const id = own ?? (count === 1 ? name : `${name}-${index}`);
    return { id, label: own ?? (count === 1 ? name : `${name}, speaker ${index}`), language: kokoroLanguage(own) };
  });
}

/** Kokoro's names begin with the language: `af_heart`, `zm_yunxi`. */
function kokoroLanguage(name: string | undefined): string | undefined {
  const letter = /^([a-z])[fm]_/.exec(name ?? "")?.[1];
  return letter && { a: "en", b: "en", e: "es", f: "fr", h: "hi", i: "it", j: "ja", p: "pt", z: "zh" }[letter];
}

const names = new Intl.DisplayNames(["en"], { type: "language", languageDisplay: "standard" });

function labelOf(code: string): string {
  const known = speechCatalog.find((one) => one.code === code)?.label.replace(" (preview)", "");
  return known ?? names.of(code) ?? code;
}
