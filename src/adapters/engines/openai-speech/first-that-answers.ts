import { isPassing } from "../../../platform/errors.ts";
import type { SpeechEngine, SpeechRequest, SpokenLanguage } from "../../../ports/speech-engine.ts";

/** An engine made of engines: their languages and voices add up, and the first that has a voice speaks with it. The next one is
 *  tried when one is unavailable or busy before its first sound. Once a voice has begun to speak it is never swapped. */
export function firstThatAnswers(engines: readonly SpeechEngine[]): SpeechEngine {
  if (engines.length === 1) return engines[0]!;
  const serving = (language: string) => engines.filter((engine) => speaks(engine, language));
  const { modelName } = engines[0]!;
  return {
    ...(modelName === undefined ? {} : { modelName }),
    languages: () => addUp(engines.map((engine) => engine.languages())),
    sampleRateHz: (language) => (serving(language)[0] ?? engines[0]!).sampleRateHz(language),
    async *speak(request: SpeechRequest, signal: AbortSignal) {
      const able = serving(request.language).filter((engine) => speaks(engine, request.language, request.voice));
      const asked = able.length > 0 ? able : serving(request.language);
      for (const [index, engine] of (asked.length > 0 ? asked : engines).entries()) {
        const chunks = engine.speak(request, signal)[Symbol.asyncIterator]();
        let next: IteratorResult<{ samples: Float32Array; sampleRateHz: number }>;
        try {
          next = await chunks.next();
        } catch (error) {
          if (signal.aborted || !isPassing(error) || index >= asked.length - 1) throw error;
          continue;
        }
        while (!next.done) {
          yield next.value;
          next = await chunks.next();
        }
        return;
      }
    },
  };
}

function speaks(engine: SpeechEngine, language: string, voice?: string): boolean {
  const known = engine.languages().find(({ code }) => code === language);
  return known !== undefined && (voice === undefined || known.voices.some(({ id }) => id === voice));
}

/** The first that has a language describes it; the voices of the others follow. */
function addUp(catalogs: readonly (readonly SpokenLanguage[])[]): SpokenLanguage[] {
  const all = new Map<string, SpokenLanguage>();
  for (const language of catalogs.flat()) {
    const known = all.get(language.code);
    const others = language.voices.filter(({ id }) => !known?.voices.some((voice) => voice.id === id));
    all.set(language.code, known ? { ...known, voices: [...known.voices, ...others] } : language);
  }
  return [...all.values()];
}
