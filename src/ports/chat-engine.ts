export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  /** What an assistant's message asked to be called. */
  readonly toolCalls?: readonly ToolCall[];
  /** Which call a `tool` message answers. */
  readonly toolCallId?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** A JSON object. */
  readonly arguments: string;
}

export interface ChatTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments, an object. */
  readonly parameters?: object | undefined;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** 0 always takes the likeliest word. The engine's own default when not given. */
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly seed?: number | undefined;
  /** The longest answer, in tokens of the model. */
  readonly maxTokens?: number | undefined;
  /** The answer ends before any of these texts. */
  readonly stop?: readonly string[] | undefined;
  /** The answer is JSON that fits this JSON Schema; `true` for any JSON. */
  readonly jsonSchema?: object | true | undefined;
  /** What the model may ask for. Only for engines with `callsTools`. */
  readonly tools?: readonly ChatTool[] | undefined;
  /** Whether it must call a tool, and which one. Default: as it likes. */
  readonly toolChoice?: "auto" | "required" | { readonly name: string } | undefined;
  /** Whose turn this takes in the engine's queue, and which request of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

export interface ChatUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that was still known from an earlier request; null when the engine does not tell. */
  readonly cachedTokens: number | null;
}

export type ChatEvent =
  | { readonly type: "delta"; readonly text: string }
  | {
      readonly type: "done";
      readonly usage: ChatUsage;
      /** `length` when the answer was cut by a limit. */
      readonly finishReason: "stop" | "length";
      /** What it asks to be called. */
      readonly toolCalls?: readonly ToolCall[];
    };

/** Answers conversations. */
export interface ChatEngine {
  /** The model behind it; undefined for the one that is shipped. */
  readonly modelName?: string;
  /** Tokens of prompt and answer together, where it is known. */
  readonly contextTokens?: number;
  /** It can be given tools. */
  readonly callsTools?: boolean;
  /** Yields the answer as it arises, whole characters only, without blanks at either end, then `done` once. A conversation
   *  longer than the model's window loses the middle of its history, never the system message. Throws a Problem
   *  (`engine_busy`, `engine_unavailable`, `engine_rejected`) and ends within one token of `signal` aborting. */
  answer(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent>;
  /** What was said in this flow is over: an engine that remembers beginnings of conversations forgets these. */
  forget?(flow: string): void;
}
