export interface DetectedLanguage {
  /** Lower-case BCP 47 without a region: `en`, `pt`. */
  readonly language: string;
  /** Enough to act on without asking: false for a word or two that many languages share. */
  readonly isSure: boolean;
}

/** Tells in which language a text is written. */
export interface LanguageDetector {
  /** Undefined when there is nothing to tell it by (digits, emoji) or the text is in none of the known languages. */
  detect(text: string, turn: { key: string; flow: string }, signal: AbortSignal): Promise<DetectedLanguage | undefined>;
}
