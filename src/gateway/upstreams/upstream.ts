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
  /** Where it has what, from the root of its host. */
  readonly paths: Readonly<Partial<Record<Endpoint, string>>>;
  readonly key: string | undefined;
  /** Patterns of what it serves besides what it lists. */
  readonly models: readonly string[];
  readonly breakers: Breakers;
  /** Endpoints that it turned out not to have. */
  readonly lacks: Set<Endpoint>;
}

export interface UpstreamAddress {
  url: string;
  key: string | undefined;
  kind: KindName;
  models: readonly string[];
}

export function createUpstream(
  address: UpstreamAddress,
  index: number,
  transport: UpstreamTransport,
  clock: Clock,
): Upstream {
  const kind = kinds[address.kind];
  const basePath = new URL(address.url).pathname.replace(/\/+$/, "");
  return {
    name: `${address.kind}-${index + 1}`,
    kind,
    transport,
    basePath,
    paths: Object.fromEntries(Object.entries(kind.paths).map(([name, path]) => [name, basePath + path])),
    key: address.key,
    models: address.models,
    breakers: new Breakers(clock),
    lacks: new Set(),
  };
}

/** Only these of the caller's headers go upstream; everything else could carry what is none of its business. */
const passedHeaders = ["accept", "http-referer", "x-title", "anthropic-version", "anthropic-beta", "openai-beta"];

export function callUpstream(upstream: Upstream, request: CallRequest): UpstreamCall {
  const { method = "POST", path, body, extra } = request;
  const known = headersFor(upstream, request);
  const headers = extra ? { ...known, ...extra } : known;
  return body ? { method, path, headers, body } : { method, path, headers };
}

type Headers = Readonly<Record<string, string>>;
interface LastHeaders {
  readonly from: CallRequest["headers"];
  readonly given: (string | undefined)[];
  readonly headers: Headers;
}
const lastHeaders = new WeakMap<Upstream, LastHeaders>();

/** The same object as the last time where nothing is different, so that it is put into words once. */
function headersFor(upstream: Upstream, { headers: from, contentType }: CallRequest): Headers {
  const last = lastHeaders.get(upstream);
  if (last && last.headers["content-type"] === contentType) {
    const isSame = from === last.from || passedHeaders.every((name, at) => last.given[at] === textOf(from?.[name]));
    if (isSame) return last.headers;
  }
  const headers: Record<string, string> = { "accept-encoding": "identity", "user-agent": "parlance" };
  for (const name of passedHeaders) {
    const value = textOf(from?.[name]);
    if (value !== undefined) headers[name] = value;
  }
  if (upstream.key) headers.authorization = `Bearer ${upstream.key}`;
  if (contentType) headers["content-type"] = contentType;
  lastHeaders.set(upstream, { from, given: passedHeaders.map((name) => headers[name]), headers });
  return headers;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function pathOf(upstream: Upstream, endpoint: Endpoint): string | undefined {
  return upstream.paths[endpoint];
}
