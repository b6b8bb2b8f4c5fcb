import type { AudioChunk } from "../audio/pcm.ts";
import type { SpeechRequest } from "./speech-engine.ts";

/** Whether a clone speaks with the very voice of the clip, or with the trained voice that is nearest to it. */
export type CloneMatch = "voice" | "nearest";

export interface CloneRequest {
  /** The clip: one speaker, 16 kHz mono. */
  readonly samples: Float32Array;
  /** What is said in it, where that is known. */
  readonly text: string | undefined;
  /** How much work may go into it: `quick` when somebody waits. */
  readonly effort: "quick" | "thorough";
  /** Whose turn this takes, and which request or job of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

/** A voice made from a recording, as its maker wants it back. It holds numbers and names, survives JSON, and is as private as
 *  the recording. */
export interface ClonedVoice {
  readonly maker: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Makes voices from recordings and speaks with them. */
export interface VoiceCloner {
  readonly name: string;
  /** Why it cannot work now and what to do, in one line; undefined when it can. */
  missing(): string | undefined;
  match(language: string): CloneMatch;
  /** Keeps nothing. Throws a Problem and ends soon after `signal` aborts. */
  clone(request: CloneRequest, signal: AbortSignal): Promise<ClonedVoice>;
  /** As a SpeechEngine speaks, in any language of the catalog and at that language's rate. `voice` of the request is ignored.
   *  A voice of another maker throws `engine_unavailable`. */
  speak(request: SpeechRequest, voice: ClonedVoice, signal: AbortSignal): AsyncIterable<AudioChunk>;
}
