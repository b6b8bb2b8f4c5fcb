import { isPassing, Problem } from "../../../platform/errors.ts";
import {
  type Heard,
  type HearingRequest,
  type TranscriptionEngine,
  UNKNOWN_LANGUAGE,
} from "../../../ports/transcription-engine.ts";

/** An engine made of engines. A named language goes to the first that serves it, and to the next when that one is down. Without a
 *  name those that can tell are asked in order until one knows the language, and the first that serves it has the last word.
 *  Guesses at speech that goes on come from whoever has quick ones. */
export function routeByLanguage(engines: readonly TranscriptionEngine[]): TranscriptionEngine {
  if (engines.length === 1) return engines[0]!;

  async function hear(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const able = engines.filter(
      (engine) => serves(engine, request.language) && (engine.translates || !request.isTranslated),
    );
    if (request.language !== undefined) return (await ask(inOrder(able, request), request, signal)).heard;
    const tellers = able.filter((engine) => engine.tellsLanguage !== false);
    const asked = tellers.length > 0 ? tellers : able;
    const { engine, heard } = await ask(inOrder(asked, request), request, signal);
    const best = engines.find((one) => serves(one, heard.language));
    const isSettled = heard.language === UNKNOWN_LANGUAGE || best === undefined || best === engine;
    if (isSettled || request.isInterim || request.isTranslated) return heard;
    try {
      return await best.hear({ ...request, language: heard.language }, signal);
    } catch (error) {
      // A better opinion that cannot be had must not cost the first.
      if (signal.aborted || !isPassing(error)) throw error;
      return heard;
    }
  }

  const { modelName } = engines[0]!;
  return {
    ...(modelName === undefined ? {} : { modelName }),
    languages: () => [...new Set(engines.flatMap((engine) => engine.languages()))],
    rate: (language) => engines.find((engine) => serves(engine, language))?.rate?.(language),
    get translates() {
      return engines.some((engine) => engine.translates);
    },
    takesLong: (language) => engines.find((engine) => serves(engine, language))?.takesLong?.(language) ?? false,
    takesAnyLanguage: engines.some((engine) => engine.takesAnyLanguage),
    hear,
    warm(language) {
      for (const engine of engines) if (serves(engine, language)) engine.warm?.(language);
    },
  };
}

function inOrder(engines: readonly TranscriptionEngine[], { isInterim }: HearingRequest): TranscriptionEngine[] {
  const isQuick = (engine: TranscriptionEngine) => Number(isInterim && engine.guessesQuickly === true);
  return [...engines].sort((one, other) => isQuick(other) - isQuick(one));
}

/** The first that knows the language; who fails in passing is passed over. */
async function ask(
  engines: readonly TranscriptionEngine[],
  request: HearingRequest,
  signal: AbortSignal,
): Promise<{ engine: TranscriptionEngine | undefined; heard: Heard }> {
  let unknown: Heard | undefined;
  let failure: unknown;
  for (const engine of engines) {
    try {
      const heard = await engine.hear(request, signal);
      if (heard.language !== UNKNOWN_LANGUAGE || heard.text !== "") return { engine, heard };
      unknown ??= heard;
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      failure ??= error;
    }
  }
  if (unknown) return { engine: undefined, heard: unknown };
  throw failure ?? new Problem("invalid_request", `No recogniser here serves "${request.language}".`);
}

function serves(engine: TranscriptionEngine, language: string | undefined): boolean {
  if (language === undefined || engine.takesAnyLanguage) return true;
  const base = language.split("-")[0];
  return engine.languages().some((one) => one.split("-")[0] === base);
}
