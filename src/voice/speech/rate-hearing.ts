import type { HearingRating, TranscriptionEngine } from "../../ports/transcription-engine.ts";

export interface HeardLanguage {
  readonly heard: HearingRating["heard"] | "no";
  readonly heardJudgedBy?: HearingRating["judgedBy"] | "operator";
}

/** Whether what can be spoken in a language is also understood in it. */
export function rateHearing(engine: TranscriptionEngine, language: string): HeardLanguage {
  if (!engine.languages().includes(language)) return { heard: "no" };
  const rating = engine.rate?.(language);
  return rating ? { heard: rating.heard, heardJudgedBy: rating.judgedBy } : { heard: "yes", heardJudgedBy: "operator" };
}
