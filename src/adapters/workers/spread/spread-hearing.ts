import type { MediaDecoder } from "../../../ports/media-decoder.ts";
import type { TranscriptionEngine } from "../../../ports/transcription-engine.ts";
import type { VoiceActivityDetector } from "../../../ports/voice-activity.ts";
import { ANY } from "../protocol.ts";
import type { Spread } from "./spread.ts";

/** Recognition by this machine, where it has an engine, and by workers. */
export function spreadTranscription(spread: Spread, local: TranscriptionEngine | undefined): TranscriptionEngine {
  const elsewhere = () => spread.catalogs().flatMap(({ transcription }) => transcription ?? []);
  const hearsHere = (language: string | undefined) =>
    language === undefined || local?.takesAnyLanguage || local?.languages().includes(language);
  return {
    languages: () => [
      ...new Set([...(local?.languages() ?? []), ...elsewhere().flatMap(({ languages }) => languages)]),
    ],
    rate(language) {
      const own = local && hearsHere(language) ? local.rate?.(language) : undefined;
      return own ?? elsewhere().find(({ ratings }) => ratings[language])?.ratings[language];
    },
    get takesAnyLanguage() {
      return (local?.takesAnyLanguage ?? false) || elsewhere().some(({ takesAnyLanguage }) => takesAnyLanguage);
    },
    get translates() {
      return (local?.translates ?? false) || elsewhere().some(({ translates }) => translates);
    },
    takesLong: (language) => local?.takesLong?.(language) ?? false,
    hear(request, signal) {
      const { language, isTranslated = false } = request;
      const isListed = elsewhere().some(({ languages }) => language !== undefined && languages.includes(language));
      const isHere =
        hearsHere(language) && local && local.languages().length > 0 && (!isTranslated || local.translates);
      const here = local && (isHere || elsewhere().length === 0) ? () => local.hear(request, signal) : undefined;
      const lane = { engine: "transcription", model: ANY, language: isListed ? language! : ANY } as const;
      return spread.ask({ lane, operation: "transcription.hear", input: request, signal }, here);
    },
    warm: (language) => local?.warm?.(language),
  };
}

export function spreadDecoder(spread: Spread, local: MediaDecoder | undefined): MediaDecoder {
  const lane = { engine: "media", model: ANY, language: ANY } as const;
  return {
    decode: (request, signal) =>
      spread.stream(
        { lane, operation: "media.decode", input: request, signal },
        local && (() => local.decode(request, signal)),
      ),
  };
}

export function spreadActivity(spread: Spread, local: VoiceActivityDetector | undefined): VoiceActivityDetector {
  const lane = { engine: "activity", model: ANY, language: ANY } as const;
  return {
    detect: (request, signal) =>
      spread.ask(
        { lane, operation: "activity.detect", input: request, signal },
        local && (() => local.detect(request, signal)),
      ),
  };
}
