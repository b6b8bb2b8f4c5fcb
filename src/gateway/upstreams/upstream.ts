import type { Clock } from "../../platform/clock.ts";
import { readWhole, type UpstreamCall, type UpstreamClient } from "../../ports/model-upstream.ts";
import { CircuitBreakers } from "./circuit-breaker.ts";
import { type CallRequest, type Endpoint, type KindName, passedHeaders, type UpstreamKind } from "./kinds/kind.ts";
import { kinds } from "./kinds/kinds.ts";

/** One configured upstream gateway. */
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
  /** Patterns of what it serves besides what it lists. */
  readonly models: readonly string[];
  readonly breakers: CircuitBreakers;
  /** Endpoints that it turned out not to have. */
  readonly lacks: Set<Endpoint>;
}

export interface UpstreamAddress {
  url: string;
  title?: string | undefined;
  key: string | undefined;
  kind: KindName;
  models: readonly string[];
}

export function createUpstream(
  address: UpstreamAddress,
  index: number,
  client: UpstreamClient,
  clock: Clock,
): Upstream {
  const kind = kinds[address.kind];
  const { pathname, hostname } = new URL(address.url);
  const basePath = pathname.replace(/\/+$/, "");
  return {
    name: `${address.kind}-${index + 1}`,
    title: address.title ?? `upstream-${index + 1}`,
    kind,
    client,
    basePath,
    takesExtensions: !/(^|\.)openai\.(azure\.)?com$/.test(hostname),
    paths: {
      ...Object.fromEntries(Object.entries(kind.paths).map(([name, path]) => [name, basePath + path])),
      ...kind.originPaths,
    },
    key: address.key,
    models: address.models,
    breakers: new CircuitBreakers(clock),
    lacks: new Set(),
  };
}

export function callUpstream(upstream: Upstream, request: CallRequest): UpstreamCall {
  const { method = "POST", path, body, contentType, headers: from = {}, extra } = request;
  const headers: Record<string, string> = { "accept-encoding": "identity", "user-agent": "parlance" };
  for (const name of passedHeaders) {
    const value = from[name];
    if (typeof value === "string") headers[name] = value;
  }
  if (upstream.key) headers.authorization = `Bearer ${upstream.key}`;
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
