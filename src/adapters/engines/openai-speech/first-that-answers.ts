import { isPassing } from "../../../platform/errors.ts";
import type { SpeechEngine, SpeechRequest } from "../../../ports/speech-engine.ts";

/** An engine made of engines: the next one is tried when one is unavailable or busy before its first sound. Once a voice has
 *  begun to speak it is never swapped. */
export function firstThatAnswers(engines: readonly SpeechEngine[]): SpeechEngine {
  const first = engines[0]!;
  return engines.length === 1
    ? first
    : {
        languages: () => engines.map((engine) => engine.languages()).find((languages) => languages.length > 0) ?? [],
        sampleRateHz: (language) => first.sampleRateHz(language),
        async *speak(request: SpeechRequest, signal: AbortSignal) {
          for (const [index, engine] of engines.entries()) {
            const chunks = engine.speak(request, signal)[Symbol.asyncIterator]();
            let next: IteratorResult<{ samples: Float32Array; sampleRateHz: number }>;
            try {
              next = await chunks.next();
            } catch (error) {
              if (signal.aborted || !isPassing(error) || index === engines.length - 1) throw error;
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
