import type { FirstAnswer } from "./hear-segment.ts";
import { tokenLimit } from "./hear-segment.ts";
import type { MoonshineJob } from "./job.ts";
import type { MoonshineModel } from "./model.ts";
import { IDENTIFY_SECONDS, IDENTIFY_WHOLE_SECONDS, type MoonshineLanguage, SAMPLE_RATE_HZ, tuning } from "./tuning.ts";

export interface Identified {
  /** Undefined when it is none of the known languages. */
  readonly language: MoonshineLanguage | undefined;
  readonly logProbability: number;
  /** The answer in that language, when the whole segment was looked at. */
  readonly answer: FirstAnswer | undefined;
}

/** There is no model that tells languages apart, but a recogniser is sure of itself only in its own language. */
export async function identify(
  models: ReadonlyMap<MoonshineLanguage, MoonshineModel>,
  { samples, isUrgent }: Pick<MoonshineJob, "samples" | "isUrgent">,
  signal: AbortSignal,
): Promise<Identified> {
  let best: Identified = { language: undefined, logProbability: -9, answer: undefined };
  for (const [language, model] of models) {
    const part = partThatTells(samples, language);
    const speech = await model.encode(part, { isUrgent });
    const mostTokens = tokenLimit("es", part.length);
    const decoded = await model.decode(speech, { mostTokens, mustSpeak: true, signal });
    const { logProbability, isLoop, isCutOff } = decoded;
    const isSure = !isLoop && !isCutOff && logProbability >= tuning[language].doubtful;
    if (!isSure) {
      if (!best.language) best = { ...best, logProbability: Math.max(best.logProbability, logProbability) };
    } else if (!best.language || logProbability > best.logProbability) {
      const isWhole = part.length === samples.length;
      best = { language, logProbability, answer: isWhole ? { speech, decoded } : undefined };
      if (logProbability >= tuning[language].certain) break;
    }
  }
  return best;
}

/** English is the language spoken most, and is asked first: all of it, so that its answer need not be found twice. */
function partThatTells(samples: Float32Array, language: MoonshineLanguage): Float32Array {
  const isWhole = language === "en" || samples.length <= IDENTIFY_WHOLE_SECONDS * SAMPLE_RATE_HZ;
  return isWhole ? samples : samples.slice(0, IDENTIFY_SECONDS * SAMPLE_RATE_HZ);
}
