/** Numbers that were measured on human speech in 14 languages, unless a comment names another source (docs/figures/speech-to-text.md). */

/** No speech, from here on: silence, noise and hum lie at 0.78 to 0.95, people at 0.45 at most (0.71 in languages that are not offered). */
export const NO_SPEECH_FROM = 0.74;
/** Mean log-probability below which an answer is tried again at a higher temperature, and is dropped when it stays so (Whisper's
 *  paper, section 4.5). */
export const WORTHLESS_BELOW = -1;
/** Text that compresses better than this repeats itself (the same section). */
export const MOST_COMPRESSION = 2.4;
/** The same section has these and 0.8 and 1, at which nothing worth keeping was heard. */
export const TEMPERATURES = [0.2, 0.4, 0.6] as const;

/** With `auto`, a language at least this likely is believed without looking at the words. */
export const SURE_LANGUAGE = 0.5;
/** Below that, words this certain make up for it. */
export const LIKELY_LANGUAGE = 0.25;
export const LIKELY_WORDS = -0.45;
/** When a pinned language is not what is spoken: it is less likely than `pinned`, and another is at least as likely as `other`. Less is
 *  enough where the language's own recogniser is in doubt already. */
export const OTHER_LANGUAGE = { pinned: 0.02, other: 0.85 } as const;
export const DOUBTED_LANGUAGE = { pinned: 0.2, other: 0.5 } as const;

/** The same for German and Dutch, Spanish and Portuguese. Of 69 recordings in them none had another of the four at more than 0.2, nor had
 *  108 beginnings of 1.5 and 3 s (of the Spanish ones not all were looked at). */
export const RELATED_LANGUAGE = { pinned: 0.02, other: 0.5 } as const;

/** Nobody says more than this many tokens in a second of speech; scripts that are spelled in bytes need most. */
export const TOKENS_PER_SECOND = 22;
export const SPARE_TOKENS = 12;
/** The decoder has 448 positions, four of which are taken before the first word. */
export const MOST_TOKENS = 440;
