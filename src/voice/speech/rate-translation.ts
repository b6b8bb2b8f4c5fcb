import type { TranslationEngine } from "../../ports/translation-engine.ts";

/** Whether a language can be translated from English; English itself, whether anything can be translated at all. */
export function canTranslate(engine: TranslationEngine, language: string): boolean {
  if (engine.takesAnyDirection) return true;
  const wanted = base(language);
  return engine
    .directions()
    .some(({ source, target }) => base(source) === "en" && (wanted === "en" || base(target) === wanted));
}

/** Accents of a language are one language to a translator. */
function base(code: string): string {
  return code.split("-")[0]!;
}
