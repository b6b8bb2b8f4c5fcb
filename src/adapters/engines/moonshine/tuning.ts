/** The languages for which there is a model. */
export type MoonshineLanguage = "en" | "es";

/** Numbers that were measured on human speech (docs/figures/speech-to-text.md). */
export const SAMPLE_RATE_HZ = 16_000;
/** Digital silence on both sides helps; a whole second in front makes the answer empty. */
export const SILENCE_AROUND_SECONDS = 0.2;

export interface LanguageTuning {
  /** People do not speak faster than this; more tokens mean that the model has lost the thread. */
  readonly tokensPerSecond: number;
  /** Mean log-probability that no stretch in another language reached: then no other language is tried. */
  readonly certain: number;
  /** Mean log-probability below which the answer is doubtful, or not in this language. */
  readonly doubtful: number;
  /** Below this it is no answer at all. */
  readonly worthless: number;
  /** Fewer tokens per second of speech than this: a sentence was skipped. */
  readonly skippedBelowRate: number;
}

export const tuning: Readonly<Record<MoonshineLanguage, LanguageTuning>> = {
  en: { tokensPerSecond: 6.5, certain: -0.22, doubtful: -0.4, worthless: -1, skippedBelowRate: 2.4 },
  es: { tokensPerSecond: 10, certain: -0.1, doubtful: -0.175, worthless: -0.7, skippedBelowRate: 3.2 },
};

/** Words are many and silence is one: with less than this it may be the likeliest answer although somebody speaks. */
export const LIKELY_SILENCE = 0.5;
/** Noise, hums and breaths are silence with 0.9 to 1.0; a sentence over a cough, or in noise, with less. */
export const CERTAIN_SILENCE = 0.9;
/** From this much certain speech on, an empty answer is asked again. */
export const SURE_SPEECH_SECONDS = 0.4;
/** From this much certain speech on, a short answer is suspected of having skipped something. */
export const SKIPPABLE_SPEECH_SECONDS = 4;
/** Speech that decides whether it is a language other than English. */
export const IDENTIFY_SECONDS = 8;
/** Speech up to this length is looked at as a whole: its answer then need not be found twice. */
export const IDENTIFY_WHOLE_SECONDS = 12;
