/** Tokens of every multilingual Whisper up to `medium`. */
export const END = 50257;
export const START = 50258;
export const TRANSLATE = 50358;
export const TRANSCRIBE = 50359;
export const NO_SPEECH = 50362;
export const NO_TIMES = 50363;
/** A lone space, which the first token must not be. */
export const BLANK = 220;
