import type { ChatUsage } from "./chat-engine.ts";

/** One language into another, as codes of the catalog. */
export interface Direction {
  readonly source: string;
  readonly target: string;
  /** `preview`: good enough for the gist, or not measured. */
  readonly quality: "good" | "preview";
  /** chrF against translations by people, where it was measured. */
  readonly chrf?: number | null;
}

export interface TranslationRequest {
  readonly text: string;
  readonly source: string;
  readonly target: string;
  /** Whose turn this takes in the engine's queue, and which request of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
  /** The same text must become the same words whatever else is being translated; how well it reads matters less. */
  readonly isSteady?: boolean;
}

export interface Translated {
  readonly text: string;
  /** Words and marks for an engine that does not work with tokens. */
  readonly usage: ChatUsage;
  /** Which of several engines made it, as `model` in replies names it. */
  readonly engine?: string;
  /** How good that engine is in this direction, where it is known. */
  readonly quality?: Direction["quality"];
}

/** Translates texts. */
export interface TranslationEngine {
  /** The remote model behind it; undefined for engines of this machine. */
  readonly modelName?: string;
  /** What it can do now; grows when something is installed. */
  directions(): readonly Direction[];
  /** Any direction may be asked for; whoever runs the engine knows which of them work. */
  readonly takesAnyDirection?: boolean;
  /** Why it can do less than it could and what to do about it, in one line. */
  missing?(): string | undefined;
  /** Line breaks, addresses, markup and words it does not know survive as they are. Throws a Problem (`engine_busy`,
   *  `engine_unavailable`, `invalid_request` for a direction it does not serve) and ends soon after `signal` aborts. */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<Translated>;
}
