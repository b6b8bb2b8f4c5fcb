import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** The span of one request (W3C Trace Context). */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Of the caller, whose trace it joins. */
  readonly parentSpanId: string | undefined;
  readonly flags: string;
}

type Traced = Pick<FastifyRequest, "headers">;

/** By the headers, which all views of a request share. */
const spans = new WeakMap<Traced["headers"], Span>();

export function spanOf({ headers }: Traced): Span {
  let span = spans.get(headers);
  if (!span) {
    const given = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(headers.traceparent ?? ""));
    span = {
      traceId: given?.[1] ?? randomBytes(16).toString("hex"),
      spanId: randomBytes(8).toString("hex"),
      parentSpanId: given?.[2],
      flags: given?.[3] ?? "01",
    };
    spans.set(headers, span);
  }
  return span;
}

/** What goes to whoever is asked for the sake of a request, so that their spans are children of its own. */
export function traceHeaders(request: Traced): Record<string, string> {
  const { traceId, spanId, flags } = spanOf(request);
  const { tracestate } = request.headers;
  const state = typeof tracestate === "string" && tracestate.length <= 512 ? { tracestate } : {};
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...state };
}
