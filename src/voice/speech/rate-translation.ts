import type { TranslationEngine } from "../../ports/translation-engine.ts";

/** Tells whether a language can be translated from English; of English itself, whether anything can be translated at all. The
 *  directions are many, so they are listed once for all languages that are asked about. */
export function rateTranslation(engine: TranslationEngine): (language: string) => boolean {
  if (engine.takesAnyDirection) return () => true;
  const fromEnglish = engine.directions().filter(({ source }) => base(source) === "en");
  const targets = new Set(fromEnglish.map(({ target }) => base(target)));
  return (language) => (base(language) === "en" ? fromEnglish.length > 0 : targets.has(base(language)));
}

/** Accents of a language are one language to a translator. */
function base(code: string): string {
  return code.split("-")[0]!;
}
