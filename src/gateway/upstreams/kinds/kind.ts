import type { Prices } from "../../charging/prices.ts";

/** What clients ask of the gateway, by the path they use. */
export type Endpoint =
  | "chat/completions"
  | "responses"
  | "messages"
  | "embeddings"
  | "images/generations"
  | "audio/speech"
  | "audio/transcriptions"
  | "audio/translations"
  | "videos/generations"
  | "rerank"
  | "realtime/token";

export type KindName = "openai" | "vercel" | "openrouter" | "litellm";

export type Json = Record<string, unknown>;

/** One entry of an upstream's catalog. */
export interface ListedModel {
  readonly id: string;
  /** As the upstream sends it. */
  readonly record: Json;
  readonly prices: Prices | undefined;
}

/** How upstreams of one make differ from each other. Everything else is the same code. */
export interface UpstreamKind {
  readonly name: KindName;
  /** Where an endpoint stands below the base address, for those that take our requests as they are. */
  readonly paths: Partial<Record<Endpoint, string>>;
  /** Where the catalog stands; later ones add to the first and may be missing. */
  readonly catalogPaths: readonly string[];
  readCatalog(reply: unknown): ListedModel[];
  /**
   * When the client hangs up. `cancel`: the upstream stops and bills what it produced. `look-up`: cancel, then ask for the
   * cost by the generation's id. `drain`: read on to the end, because only the last chunk tells the cost.
   */
  readonly afterHangUp: "cancel" | "look-up" | "drain";
  /** Path below the base address that tells what a generation cost. */
  generationPath?(id: string): string;
  /** Whether reasoning tokens come on top of completion tokens. */
  readonly isReasoningExtra: boolean;
  /** Fields of a request that would spend the operator's money outside the price or reach into its account. */
  forbids?(name: string): boolean;
  /** The same for members of `providerOptions.gateway`. */
  forbidsOption?(name: string): boolean;
  /** Streams tell usage whether it was asked for or not. */
  readonly alwaysTellsUsage?: boolean;
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The OpenAI list shape, which all of them share. Entries that are not models are left out. */
export function listOf(reply: unknown): Json[] {
  const data = isObject(reply) ? reply.data : reply;
  return Array.isArray(data) ? data.filter(isObject) : [];
}
