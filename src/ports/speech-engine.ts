import type { AudioChunk } from "../audio/pcm.ts";
import type { ClonedVoice } from "./voice-cloner.ts";

/** What the voice catalog calls the two families of voices. */
export type SpeechFamily = "engine_a" | "engine_b";

export interface Voice {
  readonly id: string;
  readonly label: string;
}

export interface SpokenLanguage {
  /** Lower-case BCP 47, as clients write it. */
  readonly code: string;
  readonly label: string;
  readonly engine: SpeechFamily;
  /** The first is the default. */
  readonly voices: readonly Voice[];
}

export interface SpeechRequest {
  /** A stretch of at most some 400 characters, already written the way it is read ("twelve euros").
   *  Pronunciations may be given inline: `[word](/ipa/)`. */
  readonly text: string;
  readonly language: string;
  readonly voice: string;
  /** 0.5 to 2, without changing the pitch. */
  readonly speed: number;
  /** A voice that is not in the catalog, as the engine's own numbers; `voice` then only names the engine's base voice. */
  readonly speaker?: Float32Array;
  /** A voice made from a recording; `voice` is then ignored. */
  readonly clone?: ClonedVoice;
  /** Somebody waits for the first sound: an engine that can gives it out before it has the rest. */
  readonly isStreamed?: boolean;
  /** Whose turn this takes in the engine's queue, and which request of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

/** Turns text into speech. */
export interface SpeechEngine {
  /** The model behind it, or behind the first of several; undefined for those that are shipped. */
  readonly modelName?: string;
  /** What can be spoken now. Grows when a model arrives. */
  languages(): readonly SpokenLanguage[];
  /** The one rate of everything it speaks in this language. */
  sampleRateHz(language: string): number;
  /** Yields audio in order, without silence at either end. Ends within one chunk of `signal` aborting.
   *  Text without anything to pronounce yields nothing. An unknown voice throws before any audio. */
  speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<AudioChunk>;
}
