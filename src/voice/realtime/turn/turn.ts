import { FIRST_PATIENCE_MS } from "./end-of-turn.ts";

/** `assistant` answers by itself; in `external` the client says what is spoken. */
export type CallMode = "assistant" | "external";

export interface PendingReply {
  readonly id: number;
  /** `guess`: prepared in case that the caller has finished. `waiting`: its words are certain, and the caller still has the
   *  turn. Nothing of either is heard before it is `released`. */
  readonly state: "guess" | "waiting" | "released";
  /** What a guess answers. */
  readonly heard?: string;
}

/** Who speaks in a call and what is open. Nothing here knows of sockets, sound or clocks. */
export interface Turn {
  readonly mode: CallMode;
  /** `pausing`: the caller fell silent, perhaps only to breathe. */
  readonly user: "silent" | "speaking" | "pausing";
  /** The client knows that the caller speaks. */
  readonly isUserTold: boolean;
  /** The caller's words since the last turn. */
  readonly heard: string;
  /** How likely the caller has finished, by the sound of the last words; undefined where nobody tells. */
  readonly endsTurn: number | undefined;
  /** Utterances that are over and whose words have not come yet. */
  readonly awaited: number;
  readonly silentSinceMs: number;
  /** When the caller was last noticed to begin, and when the last words that were understood had ended. */
  readonly startedMs: number;
  readonly wordsEndedMs: number;
  /** How long this caller must be silent after a sentence. */
  readonly patienceMs: number;
  /** What is spoken, and after it what waits. */
  readonly replies: readonly PendingReply[];
  readonly isAudible: boolean;
  /** The voice waits until it is known whether the caller wants to interrupt it. */
  readonly isHeld: boolean;
  readonly nextReply: number;
}

export type TurnTimer = "turn-over" | "interruption";

/** What happens in a call, in the order in which it arrives. */
export type TurnEvent =
  /** The caller may be about to speak: `speech-started` or `voice-lost` follows. */
  | { readonly type: "voice-noticed" }
  | { readonly type: "voice-lost" }
  | { readonly type: "speech-started"; readonly atMs: number }
  /** A whole sentence and a pause, in the middle of what is said or at its end. */
  | { readonly type: "sentence-paused"; readonly text: string }
  | { readonly type: "speech-resumed" }
  /** `atMs` is when the voice ended, which is a little before anybody could know. */
  | { readonly type: "speech-ended"; readonly atMs: number }
  /** It was noise, or nothing that could be understood. */
  | { readonly type: "speech-discarded"; readonly atMs: number }
  | { readonly type: "interim"; readonly text: string }
  | { readonly type: "final"; readonly text: string; readonly atMs: number; readonly endsTurn?: number | undefined }
  | { readonly type: "hearing-failed"; readonly message: string; readonly atMs: number }
  | { readonly type: "timer"; readonly timer: TurnTimer }
  /** The client wants this spoken. */
  | { readonly type: "speak"; readonly text: string; readonly isInterrupting: boolean }
  /** The caller wrote instead of speaking. */
  | { readonly type: "text-sent"; readonly text: string; readonly isSpoken: boolean }
  | { readonly type: "muted" }
  | { readonly type: "reply-audible"; readonly reply: number }
  | { readonly type: "reply-finished"; readonly reply: number }
  | { readonly type: "reply-failed"; readonly reply: number; readonly message: string };

/** What the client is told. */
export type TurnNews =
  | { readonly type: "user-started-speaking" }
  | { readonly type: "user-stopped-speaking" }
  | { readonly type: "user-transcription"; readonly text: string; readonly isFinal: boolean }
  | { readonly type: "bot-started-speaking" }
  | { readonly type: "bot-stopped-speaking" }
  | { readonly type: "bot-interrupted" }
  | { readonly type: "error"; readonly message: string };

/** What is to be done, in order. */
export type TurnAction =
  | { readonly do: "tell"; readonly news: TurnNews }
  /** Words that are given. */
  | { readonly do: "speak"; readonly reply: number; readonly text: string }
  /** An answer to these words, beside what was said before. */
  | { readonly do: "answer"; readonly reply: number; readonly heard: string; readonly isSpoken: boolean }
  | { readonly do: "release"; readonly reply: number }
  /** Stops it at once; what of it was heard stays part of the conversation. */
  | { readonly do: "cancel"; readonly reply: number }
  /** The caller's words are part of the conversation now. */
  | { readonly do: "remember"; readonly text: string }
  | { readonly do: "hold" }
  | { readonly do: "resume" }
  | { readonly do: "set-timer"; readonly timer: TurnTimer; readonly afterMs: number }
  | { readonly do: "stop-timer"; readonly timer: TurnTimer }
  /** What is being said is over, whatever comes after it. */
  | { readonly do: "end-utterance" };

export interface TurnStep {
  readonly turn: Turn;
  readonly actions: readonly TurnAction[];
}

export function firstTurn(mode: CallMode): Turn {
  return {
    mode,
    user: "silent",
    isUserTold: false,
    heard: "",
    endsTurn: undefined,
    awaited: 0,
    silentSinceMs: 0,
    startedMs: 0,
    wordsEndedMs: Number.NEGATIVE_INFINITY,
    patienceMs: FIRST_PATIENCE_MS,
    replies: [],
    isAudible: false,
    isHeld: false,
    nextReply: 1,
  };
}
