import type { UploadedFile } from "../../../platform/http/form.ts";
import type { LocalTranscript } from "../../../ports/local-models.ts";
import type { ListedModel } from "../../charging/prices.ts";
import { isObject, type Json } from "../../json.ts";

/** What is asked of an upstream, before its own key and headers are added. */
export interface CallRequest {
  path: string;
  body?: Buffer | undefined;
  contentType?: string | undefined;
  /** Of the caller. */
  headers?: Record<string, string | string[] | undefined> | undefined;
  /** Beyond the allow-list, for the upstream's own protocols. */
  extra?: Record<string, string>;
  method?: "GET" | "POST";
}

/** Only these of the caller's headers go upstream; everything else could carry what is none of its business. */
export const passedHeaders: readonly string[] = [
  "accept",
  "http-referer",
  "x-title",
  "anthropic-version",
  "anthropic-beta",
  "openai-beta",
];

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
  | "language-model"
  | "image-model"
  | "embedding-model";

export type KindName = "openai" | "vercel" | "openrouter" | "litellm" | "anthropic" | "azure";

/** As much of a request as upstreams with shapes of their own put into other words. */
export interface SpeechWanted {
  readonly [name: string]: unknown;
  readonly model: string;
  readonly input: string;
  readonly response_format?: string | null | undefined;
  readonly speed?: number | null | undefined;
}
export interface TranscriptionWanted {
  readonly model: string;
  readonly file: UploadedFile;
  readonly language?: string | undefined;
}
interface RealtimeWanted {
  readonly model: string;
  readonly voice?: string | undefined;
}
interface VideoWanted {
  readonly [name: string]: unknown;
  readonly model: string;
  readonly prompt: string;
  readonly n?: number | null | undefined;
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
  /** How it is told its key, where that is not as a bearer. */
  headersFor?(key: string): Readonly<Record<string, string>>;
  /** Where an endpoint stands below the base address, for those that take our requests as they are. */
  readonly paths: Partial<Record<Endpoint, string>>;
  /** The same from the root of its host. */
  readonly originPaths?: Partial<Record<Endpoint, string>>;
  /** Its chat completions read how a model is to think from a member `reasoning`. */
  readonly takesReasoning?: boolean;
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

/** The OpenAI list shape, which all of them share. Entries that are not models are left out. */
export function listOf(reply: unknown): Json[] {
  const data = isObject(reply) ? reply.data : reply;
  return Array.isArray(data) ? data.filter(isObject) : [];
}
