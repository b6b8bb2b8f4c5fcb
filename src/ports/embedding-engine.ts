export interface EmbeddingRequest {
  readonly texts: readonly string[];
  /** Whose turn this takes in the engine's queue, and which request of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

export interface Embedded {
  /** In the order of the texts, each of unit length, all of the same length. */
  readonly vectors: readonly Float32Array[];
  /** Tokens the model read, over all texts. */
  readonly inputTokens: number;
}

/** Turns texts into vectors whose cosine tells how close their meanings are. */
export interface EmbeddingEngine {
  /** The model behind it; undefined for the one that is shipped. */
  readonly modelName?: string;
  /** A text's vector depends on the text alone, never on what is embedded beside it, and covers the whole text however long.
   *  Throws a Problem (`engine_busy`, `engine_unavailable`) and stops soon after `signal` aborts. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<Embedded>;
}
