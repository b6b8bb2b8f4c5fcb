import { isPassing, Problem } from "../../../platform/errors.ts";
import {
  type Heard,
  type HearingRequest,
  type TranscriptionEngine,
  UNKNOWN_LANGUAGE,
} from "../../../ports/transcription-engine.ts";

/** An engine made of engines. A named language goes to the first that serves it, and to the next when that one is down;
 *  without a name they are asked in order until one knows the language. */
export function routeByLanguage(engines: readonly TranscriptionEngine[]): TranscriptionEngine {
  if (engines.length === 1) return engines[0]!;

  async function hear(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const able = engines.filter(
      (engine) => serves(engine, request.language) && (engine.translates || !request.isTranslated),
    );
    let unknown: Heard | undefined;
    let failure: unknown;
    for (const engine of able) {
      try {
        const heard = await engine.hear(request, signal);
        if (heard.language !== UNKNOWN_LANGUAGE || heard.text !== "") return heard;
        unknown ??= heard;
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        failure ??= error;
      }
    }
    if (unknown) return unknown;
    throw failure ?? new Problem("invalid_request", `No recogniser here serves "${request.language}".`);
  }

  return {
    languages: () => [...new Set(engines.flatMap((engine) => engine.languages()))],
    rate: (language) => engines.find((engine) => serves(engine, language))?.rate?.(language),
    get translates() {
      return engines.some((engine) => engine.translates);
    },
    takesAnyLanguage: engines.some((engine) => engine.takesAnyLanguage),
    hear,
    warm(language) {
      for (const engine of engines) if (serves(engine, language)) engine.warm?.(language);
    },
  };
}

function serves(engine: TranscriptionEngine, language: string | undefined): boolean {
  if (language === undefined || engine.takesAnyLanguage) return true;
  const base = language.split("-")[0];
  return engine.languages().some((one) => one.split("-")[0] === base);
}
