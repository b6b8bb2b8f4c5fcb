import { findQuietest } from "../../../audio/quietest.ts";
import type { Decoded, MoonshineModel, Speech } from "./model.ts";
import {
  CERTAIN_SILENCE,
  LIKELY_SILENCE,
  type MoonshineLanguage,
  SAMPLE_RATE_HZ,
  SILENCE_AROUND_SECONDS,
  SKIPPABLE_SPEECH_SECONDS,
  SURE_SPEECH_SECONDS,
  tuning,
} from "./tuning.ts";

export interface Segment {
  readonly samples: Float32Array;
  /** How much of it is certainly speech. */
  readonly speechSeconds: number;
  readonly isUrgent: boolean;
}

export interface SegmentHeard {
  readonly text: string;
  readonly logProbability: number;
  readonly isLoop: boolean;
}

/** An answer to the whole segment that was found while its language was identified. */
export interface FirstAnswer {
  readonly speech: Speech;
  readonly decoded: Decoded;
}

const deepest = 2;

/** One segment of speech as text, with guards against the ways in which the model goes astray. */
export async function hearSegment(
  model: MoonshineModel,
  language: MoonshineLanguage,
  segment: Segment,
  signal: AbortSignal,
  known?: FirstAnswer,
  depth = 0,
): Promise<SegmentHeard> {
  const { samples, speechSeconds, isUrgent } = segment;
  const { doubtful, worthless, skippedBelowRate } = tuning[language];
  const mostTokens = tokenLimit(language, samples.length);
  const speech = known?.speech ?? (await model.encode(samples, { isUrgent }));
  const isKnownUsable = known && known.decoded.silence < LIKELY_SILENCE && known.decoded.tokens < mostTokens;
  const heard = isKnownUsable ? known.decoded : await model.decode(speech, { mostTokens, signal });

  if (heard.text === "") {
    if (speechSeconds < SURE_SPEECH_SECONDS) return { ...heard, text: "" };
    // On noise it then invents a single word, so only more than one counts.
    const forced = await model.decode(speech, { mostTokens, mustSpeak: true, signal });
    const least = forced.silence < CERTAIN_SILENCE ? (doubtful + worthless) / 2 : doubtful;
    const isBelievable = countWords(forced.text) > 1 && forced.logProbability >= least;
    return isBelievable ? keep(forced) : { text: "", logProbability: forced.logProbability, isLoop: false };
  }
  const canSplit = depth < deepest && samples.length > 2 * SAMPLE_RATE_HZ;
  if ((heard.isLoop || heard.isCutOff) && canSplit) return hearHalves();
  const isSkipping = speechSeconds >= SKIPPABLE_SPEECH_SECONDS && heard.tokens / speechSeconds < skippedBelowRate;
  if (isSkipping && !heard.isLoop && depth < deepest) {
    const halves = await hearHalves();
    const [more, fewer] = [countWords(halves.text), countWords(heard.text)];
    if (more >= 1.25 * fewer && more > fewer + 1 && halves.logProbability >= doubtful) return halves;
  }
  const isLost = (heard.isLoop && heard.logProbability < doubtful) || heard.logProbability < worthless;
  return isLost ? { ...keep(heard), text: "" } : keep(heard);

  async function hearHalves(): Promise<SegmentHeard> {
    const cut = findQuietest(samples, Math.floor(samples.length * 0.3), Math.floor(samples.length * 0.7));
    const share = cut / samples.length;
    const hearPart = (from: number, to: number, speech: number) =>
      hearSegment(
        model,
        language,
        { samples: samples.slice(from, to), speechSeconds: speech, isUrgent },
        signal,
        undefined,
        depth + 1,
      );
    const before = await hearPart(0, cut, speechSeconds * share);
    const after = await hearPart(cut, samples.length, speechSeconds * (1 - share));
    return {
      text: [before.text, after.text].filter(Boolean).join(" "),
      logProbability: (before.logProbability + after.logProbability) / 2,
      isLoop: before.isLoop || after.isLoop,
    };
  }
}

export function tokenLimit(language: MoonshineLanguage, sampleCount: number): number {
  const seconds = sampleCount / SAMPLE_RATE_HZ + 2 * SILENCE_AROUND_SECONDS;
  return Math.max(8, Math.ceil(seconds * tuning[language].tokensPerSecond) + 4);
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

function keep({ text, logProbability, isLoop }: Decoded): SegmentHeard {
  return { text, logProbability, isLoop };
}
