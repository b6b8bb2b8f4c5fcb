import type { TimedWord } from "../transcription/spread-words.ts";

/** What a live stream reports, in the order in which it happens. */
export type HearingEvent =
  /** A first moment of what may be speech: either `speech-started` or `voice-lost` follows. */
  | { readonly type: "voice-noticed" }
  /** It was only a click. */
  | { readonly type: "voice-lost" }
  | { readonly type: "speech-started"; readonly utterance: number; readonly startMs: number }
  /** The speaker paused after these words, which are a whole sentence. It may be the end, or they go on. */
  | { readonly type: "sentence-paused"; readonly utterance: number; readonly text: string }
  | { readonly type: "speech-resumed"; readonly utterance: number }
  /** The speaker fell silent, so many milliseconds ago. The words follow. */
  | { readonly type: "speech-ended"; readonly utterance: number; readonly silentMs: number }
  /** It was noise, or too short to be understood. */
  | { readonly type: "speech-discarded"; readonly utterance: number }
  | { readonly type: "interim"; readonly utterance: number; readonly text: string; readonly language: string }
  | {
      readonly type: "final";
      readonly utterance: number;
      readonly text: string;
      readonly language: string;
      readonly startMs: number;
      readonly endMs: number;
      readonly confidence: number;
      /** How likely it is that the speaker has finished, where somebody can tell by the sound. */
      readonly endsTurn?: number;
      /** From the beginning of the stream. */
      readonly words: readonly TimedWord[];
    }
  | { readonly type: "failed"; readonly utterance: number | undefined; readonly error: unknown };
