import type { LocalTranscript } from "../../../ports/local-models.ts";
import type { SpeechWanted, TranscriptionWanted } from "../../audio/schema.ts";
import type { Prices } from "../../charging/prices.ts";
import type { RealtimeWanted } from "../../realtime/schema.ts";
import type { VideoWanted } from "../../videos/schema.ts";
import type { CallRequest } from "../call-request.ts";

/** What clients ask of the gateway, by the path they use. */
export type Endpoint =
  | "chat/completions"
  | "responses"
  | "messages"
  | "completions"
  | "moderations"
  | "embeddings"
  | "images/generations"
  | "images/edits"
  | "audio/speech"
  | "audio/transcriptions"
  | "audio/translations"
  | "videos/generations"
  | "rerank"
  | "realtime/token"
  | "language-model";

export type KindName = "openai" | "vercel" | "openrouter" | "litellm";

export type Json = Record<string, unknown>;

/** One entry of an upstream's catalog. */
export interface ListedModel {
  readonly id: string;
  /** As the upstream sends it. */
  readonly record: Json;
  readonly prices: Prices | undefined;
}

/** An endpoint that takes and gives other shapes than OpenAI's. */
export interface OwnShape<Wanted, Result> {
  call(wanted: Wanted): CallRequest;
  /** Undefined when the reply holds nothing of what was asked for. */
  read(reply: Json): Result | undefined;
}

/** Videos that are made in the upstream's background and asked for until they are there. */
export interface VideoJobs {
  start(wanted: VideoWanted, requestId: string): CallRequest;
  /** What the upstream calls the job. */
  nameOf(reply: Json): unknown;
  status(model: string, name: unknown): CallRequest;
  /** In the shape that the gateway's image results have. */
  read(state: Json, model: string): Json;
}

export interface RealtimeSessions {
  body(wanted: RealtimeWanted): Json;
  /** The address that a token opens, below the upstream's origin. */
  socketPath(basePath: string, model: string): string;
}

/** How upstreams of one make differ from each other. Everything else is the same code. */
export interface UpstreamKind {
  readonly name: KindName;
  /** Whether a host is known for it, where the operator does not say what it is. */
  isAt?(hostname: string): boolean;
  /** Where an endpoint stands below the base address, for those that take our requests as they are. */
  readonly paths: Partial<Record<Endpoint, string>>;
  /** Where the catalog stands; later ones add to the first and may be missing. */
  readonly catalogPaths: readonly string[];
  readCatalog(reply: unknown): ListedModel[];
  /** It asks the further models that a request names itself. */
  readonly choosesModels?: boolean;
  /** Whether it bills what it has begun although nobody listens any more. Others stop with the connection. */
  readonly billsOn: boolean;
  /** Path below the base address that tells what a generation cost. */
  generationPath?(id: string): string;
  /** The header of a whole reply that tells what it cost. */
  readonly costHeader?: string;
  /** Whether reasoning tokens come on top of completion tokens. */
  readonly isReasoningExtra: boolean;
  /** Fields of a request that would spend the operator's money outside the price or reach into its account. */
  forbids?(name: string): boolean;
  /** The same for members of `providerOptions.gateway`. */
  forbidsOption?(name: string): boolean;
  /** Streams tell usage whether it was asked for or not. */
  readonly alwaysTellsUsage?: boolean;
  readonly speech?: OwnShape<SpeechWanted, Buffer>;
  readonly transcription?: OwnShape<TranscriptionWanted, LocalTranscript>;
  readonly videos?: VideoJobs;
  readonly realtime: RealtimeSessions;
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The OpenAI list shape, which all of them share. Entries that are not models are left out. */
export function listOf(reply: unknown): Json[] {
  const data = isObject(reply) ? reply.data : reply;
  return Array.isArray(data) ? data.filter(isObject) : [];
}
