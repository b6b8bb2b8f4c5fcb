export interface HearingRequest {
  /** One stretch of speech, 16 kHz mono, some 30 s at most. */
  readonly samples: Float32Array;
  /** How much of it is certainly speech. */
  readonly speechMs: number;
  /** A code of `languages()`; undefined lets the engine find out. */
  readonly language: string | undefined;
  /** The speaker is still talking: a quick guess is worth more than a good one. */
  readonly isInterim: boolean;
  /** Somebody waits for this answer and for nothing else: it may take more of the machine to come sooner. */
  readonly isUrgent?: boolean;
  /** Wanted in English, whatever is spoken. Only for engines with `translates`. */
  readonly isTranslated?: boolean;
  /** Whose turn this takes, and which request or stream of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

export interface Heard {
  /** Empty when nothing was said, or in no language the engine knows. */
  readonly text: string;
  /** A code of `languages()`, or `und` for a language that the engine does not know. */
  readonly language: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Whether it is certainly not in the language that was asked for, or in any that the engine knows; absent where it did not look.
   *  The text is then empty. */
  readonly isOtherLanguage?: boolean;
  /** When each word of the text was said, from the beginning of the stretch; absent where the engine cannot tell. */
  readonly words?: readonly HeardWord[];
  /** Name of the model, for engines that others run. */
  readonly model?: string;
}

export interface HeardWord {
  readonly word: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface HearingRating {
  /** `preview` may have every third word wrong. */
  readonly heard: "yes" | "preview";
  /** Recordings of people, our own voices heard back, or figures that the model's authors published. */
  readonly judgedBy: "recordings" | "own voices" | "published";
}

/** The answer to speech in a language that nobody here knows. */
export const UNKNOWN_LANGUAGE = "und";

/** Turns speech into text, one stretch at a time. */
export interface TranscriptionEngine {
  /** The model behind it, or behind the first of several; undefined for those that are shipped. */
  readonly modelName?: string;
  /** What can be named in a request, as lower-case BCP 47. Empty while no model is here. */
  languages(): readonly string[];
  /** How well it hears one of them; undefined where only whoever runs the engine knows. */
  rate?(language: string): HearingRating | undefined;
  /** Any language may be named; whoever runs the engine knows which of them work. */
  readonly takesAnyLanguage?: boolean;
  /** False for one that takes everything for the one language it knows, so that somebody else must tell which it is. */
  readonly tellsLanguage?: boolean;
  /** It has quick answers for speech that still goes on. */
  readonly guessesQuickly?: boolean;
  /** It takes long enough over this language that a long utterance had better be heard in pieces while it is still being said. */
  takesLong?(language: string): boolean;
  /** It can write down in English what is said in another language. */
  readonly translates?: boolean;
  /** Never invents words: silence and noise are the empty text. Throws a Problem (`engine_busy`, `engine_unavailable`,
   *  `invalid_request` for a language it does not serve) and stops soon after `signal` aborts. */
  hear(request: HearingRequest, signal: AbortSignal): Promise<Heard>;
  /** Somebody is about to speak live, in this language where it is known: what takes time to load had better be loaded now. */
  warm?(language?: string): void;
}
