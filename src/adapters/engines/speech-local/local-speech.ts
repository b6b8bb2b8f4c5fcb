import type { AudioChunk } from "../../../audio/pcm.ts";
import { list, Problem } from "../../../platform/errors.ts";
import type { JobOptions } from "../../../ports/engine-host.ts";
import type { Phonemizer } from "../../../ports/phonemizer.ts";
import type { SpeechEngine, SpeechRequest, SpokenLanguage } from "../../../ports/speech-engine.ts";
import { cutSymbols } from "../kokoro/symbols.ts";
import { type CatalogLanguage, speechCatalog } from "./catalog.ts";
import type { ModelName } from "./catalog-voice.ts";
import { createWaveFinisher, finishWave, modelSpeed } from "./finish-wave.ts";
import { pronounce } from "./pronounce.ts";
import type { SymbolLine, VoiceModel } from "./voice-model.ts";

export interface LocalSpeechParts {
  readonly models: Readonly<Record<ModelName, VoiceModel>>;
  readonly phonemizer: Phonemizer;
}

const SAMPLE_RATES_HZ = { engine_a: 24000, engine_b: 16000 } as const;

/** Speech by the models of this machine: phonemes first, then the voice. */
export function createLocalSpeech({ models, phonemizer }: LocalSpeechParts): SpeechEngine {
  return { languages, sampleRateHz: (code) => SAMPLE_RATES_HZ[getLanguage(code).engine], speak };

  /** Looking for the files takes a moment, so it is done once for all voices of a model. */
  function languages(): SpokenLanguage[] {
    const isHere = { kokoro: models.kokoro.isHere(), piper: models.piper.isHere() };
    return speechCatalog
      .map((language) => ({
        ...language,
        voices: language.voices.filter((voice) => isHere[voice.model]).map(({ id, label }) => ({ id, label })),
      }))
      .filter((language) => language.voices.length > 0);
  }

  async function* speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<AudioChunk> {
    const language = getLanguage(request.language);
    const voice = language.voices.find(({ id }) => id === request.voice);
    if (voice === undefined) {
      const known = list(language.voices.map(({ id }) => id));
      throw new Problem(
        "invalid_request",
        `There is no voice "${request.voice}" for "${language.code}". Voices: ${known}.`,
      );
    }
    const model = models[request.speaker ? "piper" : voice.model];
    const sampleRateHz = SAMPLE_RATES_HZ[language.engine];
    const job = { key: request.key, flow: request.flow, signal };
    const symbols = await pronounce(request.text, language.phonemes ?? language.code, model.spelling, phonemizer, job);
    for (const text of cutSymbols(symbols, model.mostSymbols)) {
      const line = {
        symbols: text,
        voice: voice.name,
        speed: modelSpeed(request.speed),
        ...(request.speaker ? { speaker: request.speaker } : {}),
      };
      for await (const samples of speakLine(model, line, request, sampleRateHz, { ...job, size: text.length })) {
        signal.throwIfAborted();
        if (samples.length > 0) yield { samples, sampleRateHz };
      }
    }
  }
}

/** A speed that the model cannot speak at by itself takes the whole wave. */
async function* speakLine(
  model: VoiceModel,
  line: SymbolLine,
  { speed, isStreamed }: SpeechRequest,
  sampleRateHz: number,
  job: JobOptions,
): AsyncGenerator<Float32Array> {
  if (isStreamed && model.stream && line.speed === speed) {
    const finish = createWaveFinisher(model.sampleRateHz, sampleRateHz);
    for await (const part of model.stream(line, job)) yield finish(part.samples, part.isLast);
  } else {
    const wave = await model.synthesize(line, job);
    yield await finishWave(wave, { sampleRateHz: model.sampleRateHz, speed }, sampleRateHz);
  }
}

function getLanguage(code: string): CatalogLanguage {
  const language = speechCatalog.find((candidate) => candidate.code === code);
  if (language === undefined) throw new Problem("invalid_request", `There is no language "${code}".`);
  return language;
}
