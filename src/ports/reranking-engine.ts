export interface RerankingRequest {
  readonly query: string;
  readonly documents: readonly string[];
  /** Whose turn this takes in the engine's queue, and which request of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

export interface Reranked {
  /** One from 0 to 1 per document, in their order. */
  readonly scores: readonly number[];
  /** Tokens the model read, over all documents. */
  readonly tokens: number;
}

/** Tells how well documents answer a query. */
export interface RerankingEngine {
  /** The model behind it; undefined for the one that is shipped. */
  readonly modelName?: string;
  /** A long document is read to its end. Throws a Problem (`engine_busy`, `engine_unavailable`) and stops soon after `signal`
   *  aborts. */
  score(request: RerankingRequest, signal: AbortSignal): Promise<Reranked>;
}
