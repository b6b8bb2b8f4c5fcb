import type { Json } from "../json.ts";

/** What a caller asks of a model, in no dialect. Every dialect reads its requests into this and writes them from it. */
export interface TurnRequest {
  readonly model: unknown;
  readonly stream?: unknown;
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice | undefined;
  readonly parallelCalls?: boolean | undefined;
  readonly maxTokens?: unknown;
  readonly temperature?: unknown;
  readonly topP?: unknown;
  readonly topK?: unknown;
  readonly seed?: unknown;
  readonly stop?: unknown;
  readonly presencePenalty?: unknown;
  readonly frequencyPenalty?: unknown;
  readonly format?: Format | undefined;
  readonly reasoning?: ReasoningWish | undefined;
  readonly user?: unknown;
  /** Members that the gateways give the same name in each of their dialects. */
  readonly shared: Json;
}

/** The answer is JSON, of a schema if there is one. */
export interface Format {
  readonly schema?: unknown;
  readonly name?: unknown;
  readonly description?: unknown;
  readonly strict?: unknown;
}

export interface ReasoningWish {
  readonly isOn?: boolean | undefined;
  readonly effort?: unknown;
  readonly maxTokens?: unknown;
  readonly summary?: unknown;
}

export type ToolChoice = "auto" | "none" | "required" | { readonly name: unknown };

export interface Tool {
  readonly name: unknown;
  readonly description?: unknown;
  /** JSON Schema of its arguments. */
  readonly parameters?: unknown;
  readonly strict?: unknown;
  readonly cache?: Json | undefined;
}

export interface Message {
  /** The results of tools are in messages of their own, of the role `tool`. */
  readonly role: string;
  readonly name?: unknown;
  readonly parts: readonly Part[];
}

interface Cached {
  /** Where a prompt cache ends, in Anthropic's words. */
  readonly cache?: Json | undefined;
}

export interface TextPart extends Cached {
  readonly type: "text";
  readonly text: string;
}

/** The model's own words for why it does not answer. */
export interface RefusalPart {
  readonly type: "refusal";
  readonly text: string;
}

/** What a model thought. Its provider wants it back unchanged, with what proves that it is. */
export interface ReasoningPart extends ReasoningMarks {
  readonly type: "reasoning";
  readonly text: string;
}

export interface ReasoningMarks {
  /** Proves the text. */
  readonly signature?: string | undefined;
  /** The thoughts in a form that only their provider reads. */
  readonly encrypted?: string | undefined;
  /** The provider's name for it. */
  readonly id?: string | undefined;
  /** Whose signature or encryption it is; Anthropic's where nothing is said. */
  readonly format?: string | undefined;
  /** The text is a summary of the thoughts. */
  readonly isSummary?: boolean | undefined;
}

export interface CallPart extends Cached {
  readonly type: "call";
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
  /** Google's models want it back with the call. */
  readonly signature?: string | undefined;
}

export interface ResultPart extends Cached {
  readonly type: "result";
  readonly callId: string;
  readonly name?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly parts: readonly Part[];
}

export interface ImagePart extends Cached {
  readonly type: "image";
  readonly source: Source;
  readonly detail?: unknown;
}

export interface AudioPart extends Cached {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  /** Such as `wav`. */
  readonly format: string;
  readonly id?: string | undefined;
  readonly transcript?: string | undefined;
}

export interface FilePart extends Cached {
  readonly type: "file";
  readonly source: Source;
  readonly name?: string | undefined;
}

export type Source =
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "base64"; readonly mediaType: string; readonly data: string }
  /** A file that the provider already has. */
  | { readonly type: "id"; readonly id: string };

export type Part = TextPart | RefusalPart | ReasoningPart | CallPart | ResultPart | ImagePart | AudioPart | FilePart;

/** What all replies to one request have in common. */
export interface ReplyHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export interface ReplyEnd {
  readonly reason: "stop" | "length" | "tool_calls" | "content_filter";
  /** The text that stopped it. */
  readonly stopSequence?: string | undefined;
  /** All of them, also those of a cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** As an upstream reports it. */
  readonly cost?: unknown;
}

export interface Reply {
  readonly head: ReplyHead;
  readonly parts: readonly Part[];
  readonly end: ReplyEnd;
}

/** A reply as it comes. Parts are numbered in the order in which they open; several may be open at once, and all are closed
 *  before the end. */
export type TurnEvent =
  | { readonly type: "begin"; readonly head: ReplyHead }
  /** What is not written piece by piece is in it as a whole. */
  | { readonly type: "open"; readonly index: number; readonly part: Part }
  /** More of its text, or of a call's arguments. */
  | { readonly type: "more"; readonly index: number; readonly text: string }
  | { readonly type: "mark"; readonly index: number; readonly marks: ReasoningMarks }
  | { readonly type: "close"; readonly index: number }
  | { readonly type: "end"; readonly end: ReplyEnd }
  | { readonly type: "fail"; readonly message: string };
