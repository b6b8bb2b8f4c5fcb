import type { HearingRating } from "../../../ports/transcription-engine.ts";

export interface WhisperLanguage extends HearingRating {
  /** Whisper's own code. */
  readonly own: string;
}

const language = (
  own: string,
  heard: HearingRating["heard"],
  judgedBy: HearingRating["judgedBy"],
): WhisperLanguage => ({ own, heard, judgedBy });

/** Every language that is offered, by the code that the platform has for it. The figures are in docs/figures/speech-to-text.md. */
export const whisperLanguages: Readonly<Record<string, WhisperLanguage>> = {
  de: language("de", "yes", "recordings"),
  nl: language("nl", "yes", "recordings"),
  fr: language("fr", "yes", "recordings"),
  "pt-br": language("pt", "yes", "recordings"),
  "pt-pt": language("pt", "yes", "recordings"),
  it: language("it", "yes", "recordings"),
  sv: language("sv", "yes", "recordings"),
  ru: language("ru", "yes", "recordings"),
  ar: language("ar", "yes", "recordings"),
  tr: language("tr", "preview", "recordings"),
  ca: language("ca", "preview", "recordings"),
  pl: language("pl", "preview", "own voices"),
  uk: language("uk", "preview", "own voices"),
  cs: language("cs", "preview", "own voices"),
  el: language("el", "preview", "own voices"),
  fi: language("fi", "preview", "own voices"),
  hu: language("hu", "preview", "own voices"),
  ro: language("ro", "preview", "own voices"),
  hi: language("hi", "preview", "own voices"),
  nb: language("no", "preview", "published"),
  id: language("id", "preview", "published"),
  vi: language("vi", "preview", "published"),
  ja: language("ja", "preview", "published"),
  ko: language("ko", "preview", "published"),
  zh: language("zh", "preview", "published"),
  // Heard by Moonshine where it is here, and by Whisper otherwise.
  "en-us": language("en", "yes", "recordings"),
  "en-gb": language("en", "yes", "recordings"),
  es: language("es", "yes", "recordings"),
};

/** The first of the platform's codes for one of Whisper's. */
export function codeOf(own: string): string | undefined {
  return Object.keys(whisperLanguages).find((code) => whisperLanguages[code]!.own === own);
}
