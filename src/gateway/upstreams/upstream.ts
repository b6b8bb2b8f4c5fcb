import type { Clock } from "../../platform/clock.ts";
import { readWhole, type UpstreamCall, type UpstreamClient } from "../../ports/model-upstream.ts";
import type { Json } from "../json.ts";
import { Allowance } from "./allowance.ts";
import { CircuitBreakers } from "./circuit-breaker.ts";
import { type CallRequest, type Endpoint, type KindName, passedHeaders, type UpstreamKind } from "./kinds/kind.ts";
import { kinds } from "./kinds/kinds.ts";
import type { ProviderName } from "./providers.ts";

/** One configured upstream, as one of its keys reaches it. Those with several keys are several of these, with one name. */
export interface Upstream {
  /** Tells it from the others in records and logs; says nothing about where it is. */
  readonly name: string;
  /** What callers may read about it: the operator's own word. */
  readonly title: string;
  readonly kind: UpstreamKind;
  readonly client: UpstreamClient;
  /** Path of the base address, such as /v1. */
  readonly basePath: string;
  /** Its chat completions take what others have added to OpenAI's, or ignore it. OpenAI itself does not, and others say so. */
  takesExtensions: boolean;
  /** Where it has what, from the root of its host. */
  readonly paths: Readonly<Partial<Record<Endpoint, string>>>;
  readonly key: string | undefined;
  /** Tells its keys apart, and says nothing about them. */
  readonly credential: string;
  /** How many requests its key takes. */
  readonly allowance: Allowance | undefined;
  /** Stands before its own names of models, with a slash between. */
  readonly prefix: string | undefined;
  /** Patterns of what it serves besides what it lists. */
  readonly models: readonly string[];
  /** Patterns of all that it may serve, where that is not everything. */
  readonly allowed: readonly string[] | undefined;
  /** By patterns of models: what counts instead of its catalog. */
  readonly prices: Readonly<Record<string, Json>>;
  /** Whose own API it is: then what has no price is not served. */
  readonly provider: ProviderName | undefined;
  /** How often it comes first among those of one model. */
  readonly weight: number;
  /** Where it has patience of its own. */
  readonly firstByteMs: number | undefined;
  readonly firstTokenMs: number | undefined;
  readonly breakers: CircuitBreakers;
  /** Endpoints that it turned out not to have. */
  readonly lacks: Set<Endpoint>;
}

export interface UpstreamAddress {
  name: string;
  url: string;
  title: string;
  key?: string | undefined;
  credential?: string | undefined;
  requestsPerMinute?: number | undefined;
  kind: KindName;
  prefix?: string | undefined;
  provider?: ProviderName | undefined;
  models?: readonly string[] | undefined;
  allowed?: readonly string[] | undefined;
  prices?: Readonly<Record<string, Json>> | undefined;
  weight?: number | undefined;
  firstByteMs?: number | undefined;
  firstTokenMs?: number | undefined;
}

/** `former` is what it was before its row changed: what is known about the same key at the same address stays known. */
export function createUpstream(
  address: UpstreamAddress,
  client: UpstreamClient,
  clock: Clock,
  former?: Upstream,
): Upstream {
  const { name, title, key, credential = "", requestsPerMinute, prefix, models = [], allowed, prices = {} } = address;
  const kind = kinds[address.kind];
  const { pathname, hostname } = new URL(address.url);
  const basePath = pathname.replace(/\/+$/, "");
  const isSame = former?.key === key && former?.client === client && former?.basePath === basePath;
  return {
    name,
    title,
    kind,
    client,
    basePath,
    takesExtensions: !/(^|\.)openai\.(azure\.)?com$/.test(hostname),
    paths: {
      ...Object.fromEntries(Object.entries(kind.paths).map(([name, path]) => [name, basePath + path])),
      ...kind.originPaths,
    },
    key,
    credential,
    allowance:
      isSame && former.allowance?.perMinute === requestsPerMinute
        ? former.allowance
        : requestsPerMinute === undefined
          ? undefined
          : new Allowance(requestsPerMinute, clock),
    prefix,
    models,
    allowed,
    prices,
    provider: address.provider,
    weight: address.weight ?? 1,
    firstByteMs: address.firstByteMs,
    firstTokenMs: address.firstTokenMs,
    breakers: isSame ? former.breakers : new CircuitBreakers(clock),
    lacks: isSame ? former.lacks : new Set(),
  };
}

/** What the upstream itself calls the model. */
export function ownName({ prefix }: Upstream, model: string): string {
  return prefix !== undefined && model.startsWith(`${prefix}/`) ? model.slice(prefix.length + 1) : model;
}

export function callUpstream(upstream: Upstream, request: CallRequest): UpstreamCall {
  const { method = "POST", path, body, contentType, headers: from = {}, extra } = request;
  const headers: Record<string, string> = { "accept-encoding": "identity", "user-agent": "parlance" };
  if (upstream.key) {
    Object.assign(headers, upstream.kind.headersFor?.(upstream.key) ?? { authorization: `Bearer ${upstream.key}` });
  }
  for (const name of passedHeaders) {
    const value = from[name];
    if (typeof value === "string") headers[name] = value;
  }
  if (contentType) headers["content-type"] = contentType;
  if (extra) Object.assign(headers, extra);
  return body ? { method, path, headers, body } : { method, path, headers };
}

/** A whole reply, asked for beside the requests of callers. */
export async function fetchWhole(
  { client }: Upstream,
  call: UpstreamCall,
  { signal, limit }: { signal: AbortSignal; limit: number },
): Promise<{ status: number; body: Buffer }> {
  const reply = await client.ask(call, signal);
  return { status: reply.status, body: await readWhole(reply, limit) };
}

export function pathOf(upstream: Upstream, endpoint: Endpoint): string | undefined {
  return upstream.paths[endpoint];
}
