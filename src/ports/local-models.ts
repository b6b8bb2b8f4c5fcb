import type { TimedWords } from "../audio/verbose-transcript.ts";
import type { RerankingEngine } from "./reranking-engine.ts";

/** The engines of this process, as models that the gateway lists and serves under `local/...` at price 0. */
export interface LocalModels {
  /** Those whose engine is there; a model that is still being fetched is listed too, and says so when it is used. */
  list(): readonly LocalModel[];
}

interface Described {
  /** `local/...` */
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** Whose turn a request takes in an engine's queue, and which request of theirs it is. */
export interface LocalTurn {
  readonly key: string;
  readonly flow: string;
}

export type LocalModel =
  | LocalChatModel
  | LocalEmbeddingModel
  | LocalSpeechModel
  | LocalTranscriptionModel
  | LocalRerankModel;

export interface LocalToolCall {
  readonly id: string;
  readonly name: string;
  /** A JSON object. */
  readonly arguments: string;
}

export interface LocalTool {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON Schema of its arguments. */
  readonly parameters: object | undefined;
}

export type LocalToolChoice = "auto" | "required" | { readonly name: string };

export interface LocalChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly toolCalls?: readonly LocalToolCall[];
  /** Which call a `tool` message answers. */
  readonly toolCallId?: string;
}

export interface LocalChatRequest extends LocalTurn {
  readonly messages: readonly LocalChatMessage[];
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly seed: number | undefined;
  readonly stop: readonly string[];
  /** The answer is JSON that fits this schema; `true` for any JSON. */
  readonly jsonSchema: object | true | undefined;
  /** Empty for models that do not call tools. */
  readonly tools: readonly LocalTool[];
  readonly toolChoice: LocalToolChoice | undefined;
}

export type LocalChatEvent =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "end";
      readonly reason: "stop" | "length";
      readonly inputTokens: number;
      readonly outputTokens: number;
      /** What it asks to be called. */
      readonly toolCalls?: readonly LocalToolCall[];
    };

export interface LocalChatModel extends Described {
  readonly type: "language";
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** It may be given tools. */
  readonly callsTools: boolean;
  /** Yields text as it is made, then one `end`. Ends within one token of `signal` aborting. Throws Problems. */
  chat(request: LocalChatRequest, signal: AbortSignal): AsyncIterable<LocalChatEvent>;
}

export interface LocalEmbeddingModel extends Described {
  readonly type: "embedding";
  /** Undefined when only the engine knows. */
  readonly dimensions: number | undefined;
  /** One vector per text, in order. */
  embed(
    request: LocalTurn & { readonly texts: readonly string[] },
    signal: AbortSignal,
  ): Promise<{ vectors: readonly (readonly number[] | Float32Array)[]; tokens: number }>;
}

export interface LocalSpeechModel extends Described {
  readonly type: "speech";
  readonly formats: readonly string[];
  /** Anything wrong with the request throws before the first bytes. */
  speak(
    request: LocalTurn & {
      readonly text: string;
      readonly voice: string | undefined;
      readonly format: string;
      readonly speed: number;
    },
    signal: AbortSignal,
  ): Promise<{ contentType: string; audio: AsyncIterable<Uint8Array> }>;
}

export interface LocalTranscript {
  readonly text: string;
  readonly language: string;
  readonly seconds: number;
  readonly segments: readonly TimedWords[];
}

export interface LocalTranscriptionModel extends Described {
  readonly type: "transcription";
  transcribe(
    request: LocalTurn & { readonly audio: Uint8Array; readonly language: string | undefined },
    signal: AbortSignal,
  ): Promise<LocalTranscript>;
  /** Into English; absent where nothing here can. */
  translate?(request: LocalTurn & { readonly audio: Uint8Array }, signal: AbortSignal): Promise<LocalTranscript>;
}

export interface LocalRerankModel extends Described {
  readonly type: "reranking";
  readonly score: RerankingEngine["score"];
}
