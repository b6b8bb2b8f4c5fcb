import { languageName } from "../../voice/languages.ts";
import { rateHearing } from "../../voice/speech/rate-hearing.ts";
import type { LanguageDetails } from "../contract/catalog.ts";
import type { DashboardParts } from "../parts.ts";

/** Every language that can be spoken, heard or translated here, with what it can do. */
export function listLanguages({
  speech,
  transcription,
  translation,
}: Pick<DashboardParts, "speech" | "transcription" | "translation">): LanguageDetails[] {
  const spoken = new Map(speech.languages().map((language) => [language.code, language]));
  const heard = transcription.languages();
  const directions = translation.directions();
  const codes = new Set([...spoken.keys(), ...heard, ...directions.flatMap(({ source, target }) => [source, target])]);
  return [...codes]
    .map((code) => {
      const hearing = rateHearing(transcription, code);
      return {
        code,
        label: spoken.get(code)?.label ?? languageName(code),
        voices: spoken.get(code)?.voices.length ?? 0,
        heard: hearing.heard,
        heardJudgedBy: hearing.heardJudgedBy ?? null,
        translatesInto: directions
          .filter(({ source }) => source === code)
          .map(({ target, quality, chrf = null }) => ({ code: target, quality, chrf })),
      };
    })
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
}
