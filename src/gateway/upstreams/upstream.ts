import type { Clock } from "../../platform/clock.ts";
import type { UpstreamCall, UpstreamTransport } from "../../ports/model-upstream.ts";
import { Breakers } from "./breakers.ts";
import type { CallRequest } from "./call-request.ts";
import type { Endpoint, KindName, UpstreamKind } from "./kinds/kind.ts";
import { kinds } from "./kinds/kinds.ts";

/** One configured upstream gateway. */
export interface Upstream {
  /** Tells it from the others in records and logs; says nothing about where it is. */
  readonly name: string;
  readonly kind: UpstreamKind;
  readonly transport: UpstreamTransport;
  /** Path of the base address, such as /v1. */
  readonly basePath: string;
  readonly key: string | undefined;
  readonly breakers: Breakers;
  /** Endpoints that it turned out not to have. */
  readonly lacks: Set<Endpoint>;
}

export interface UpstreamAddress {
  url: string;
  key: string | undefined;
  kind: KindName;
}

export function createUpstream(
  address: UpstreamAddress,
  index: number,
  transport: UpstreamTransport,
  clock: Clock,
): Upstream {
  return {
    name: `${address.kind}-${index + 1}`,
    kind: kinds[address.kind],
    transport,
    basePath: new URL(address.url).pathname.replace(/\/+$/, ""),
    key: address.key,
    breakers: new Breakers(clock),
    lacks: new Set(),
  };
}

/** Only these of the caller's headers go upstream; everything else could carry what is none of its business. */
const passedHeaders = ["accept", "http-referer", "x-title", "anthropic-version", "anthropic-beta", "openai-beta"];

export function callUpstream(upstream: Upstream, request: CallRequest): UpstreamCall {
  const headers = headersFor(upstream, request);
  return {
    method: request.method ?? "POST",
    path: request.path,
    headers: request.extra ? { ...headers, ...request.extra } : headers,
    ...(request.body ? { body: request.body } : {}),
  };
}

type Headers = Readonly<Record<string, string>>;
const lastHeaders = new WeakMap<Upstream, { given: (string | undefined)[]; headers: Headers }>();

/** The same object as the last time where nothing is different, so that it is put into words once. */
function headersFor(upstream: Upstream, { headers: given = {}, contentType }: CallRequest): Headers {
  const last = lastHeaders.get(upstream);
  if (last && last.headers["content-type"] === contentType) {
    if (passedHeaders.every((name, index) => last.given[index] === textOf(given[name]))) return last.headers;
  }
  const headers: Record<string, string> = { "accept-encoding": "identity", "user-agent": "parlance" };
  for (const name of passedHeaders) {
    const value = textOf(given[name]);
    if (value !== undefined) headers[name] = value;
  }
  if (upstream.key) headers.authorization = `Bearer ${upstream.key}`;
  if (contentType) headers["content-type"] = contentType;
  lastHeaders.set(upstream, { given: passedHeaders.map((name) => headers[name]), headers });
  return headers;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function pathOf(upstream: Upstream, endpoint: Endpoint): string | undefined {
  const path = upstream.kind.paths[endpoint];
  return path === undefined ? undefined : upstream.basePath + path;
}
