import { tokenLimit } from "./hear-segment.ts";
import type { MoonshineAnswer } from "./job.ts";
import type { MoonshineModel } from "./model.ts";
import { type MoonshineLanguage, tuning } from "./tuning.ts";

/** Half a sentence is less certain than a whole one, and the smaller model than the larger. */
const leniency = 0.25;

/** A quick guess at speech that still goes on: one pass, the first language that is sure of itself. */
export async function guessInterim(
  models: ReadonlyMap<MoonshineLanguage, MoonshineModel>,
  samples: Float32Array,
  signal: AbortSignal,
): Promise<MoonshineAnswer> {
  const isPinned = models.size === 1;
  for (const [language, model] of models) {
    const speech = await model.encode(samples);
    const { text, logProbability, isLoop } = await model.decode(speech, {
      mostTokens: tokenLimit(language, samples.length),
      signal,
    });
    const { doubtful, worthless } = tuning[language];
    const isSure = logProbability >= (isPinned ? worthless : doubtful - leniency);
    if (!isLoop && isSure) return { text, language, logProbability };
  }
  return { text: "", language: "und", logProbability: -9 };
}
