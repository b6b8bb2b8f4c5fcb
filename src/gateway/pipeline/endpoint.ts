import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Dialect as ErrorDialect } from "../../platform/http/dialect.ts";
import type { Known, Price } from "../charging/cost.ts";
import type { Estimate } from "../charging/estimate.ts";
import type { ListedModel } from "../charging/prices.ts";
import type { Translation } from "../dialects/translate.ts";
import type { Json } from "../json.ts";
import type { Endpoint, OwnShape } from "../upstreams/kinds/kind.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import type { ForwardedRequest, Gateway } from "./gateway.ts";

/** What one endpoint takes, how much that may cost and did cost, and how its replies differ from what upstreams send. */
export interface EndpointDescriptor<Wanted extends { model: string }> {
  readonly name: Endpoint;
  /** Below the base address of the gateway. */
  readonly path: string;
  readonly summary: string;
  readonly schema: z.ZodType<Wanted>;
  readonly reply?: z.ZodType;
  /** Left out of the API's description. */
  readonly isHidden?: boolean;
  /** `form` for a multipart form, which goes upstream as it came. */
  readonly takes?: "form";
  /** `bytes` where a reply that is neither JSON nor events is what was asked for; `text` where it may also be empty. */
  readonly gives?: "bytes" | "text";
  /** The name may be one of the operator's, or stand for several models. */
  readonly takesAliases?: boolean;
  /** What the dialect calls the limit of its output, first the name to set it by. */
  readonly outputLimits?: readonly string[];
  /** Usage must be asked for in streams, and they end with [DONE]. */
  readonly isChat?: boolean;
  /** What an upstream that lacks the endpoint is asked for in its place: the first of them that it has. */
  readonly translations?: readonly Translation[];
  /** Names the model, where the body has no place for it. */
  headers?(model: string, request: ForwardedRequest<Wanted>): Record<string, string>;
  /** How its errors look, where that is not the gateway's way. */
  readonly errors?: ErrorDialect;
  /** Serves models of this process; without it there are none that do this. */
  local?(gateway: Gateway, request: FastifyRequest, reply: FastifyReply, wanted: Wanted): unknown;
  /** The most that a request may cost, by all models that may answer it. */
  estimate(request: ForwardedRequest<Wanted>, listed: readonly (ListedModel | undefined)[]): Estimate;
  /** What it costs by something else than tokens; undefined where the model is not billed so. */
  price?(wanted: Wanted, known: Known): Price | undefined;
  /** About how many tokens the model reads, and writes where its reply tells nothing. */
  inputTokens(wanted: Wanted): number;
  outputTokens?(wanted: Wanted): number;
  /** Changes a reply, or returns undefined to leave it. */
  adapt?(body: Json, wanted: Wanted): Json | undefined;
  /** The type of a reply whose upstream tells none. */
  contentType?(wanted: Wanted): string;
  /** What is said where the upstreams turn out not to have it. */
  readonly missing?: string;
  /** For upstreams with a shape of their own for this: what to send, and the reply out of what comes back. */
  ownShape?(upstream: Upstream): OwnShape<Wanted, (wanted: Wanted) => WrittenReply> | undefined;
}

/** A reply in the gateway's shape, and what it tells about its price. */
export interface WrittenReply {
  readonly type: string;
  readonly body: string | Buffer;
  readonly told?: Json;
}
