import { packageVersion } from "../package-root.ts";
import { afterReply } from "./after-reply.ts";
import type { HttpApp } from "./create-server.ts";
import { spanOf } from "./trace-context.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: 2;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue: string } | { intValue: number } }[];
  status: { code: 0 | 2 };
}

const sendEveryMs = 2000;
const mostWaiting = 5000;

/** Sends one OpenTelemetry span per request to a collector (OTLP over HTTP, JSON). A traceparent header joins the caller's
 *  trace. Spans carry routes and statuses, never addresses with their queries and never content. */
export function traceRequests(app: HttpApp, collectorUrl: string): () => Promise<void> {
  let waiting: Span[] = [];
  afterReply(app, (request, status) => {
    if (waiting.length >= mostWaiting) return;
    const { traceId, spanId, parentSpanId } = spanOf(request);
    const route = request.routeConfig.url ?? "unknown";
    const durationNs = BigInt(Math.round((performance.now() - request.receivedAtMs) * 1e6));
    const endNs = BigInt(Date.now()) * 1_000_000n;
    waiting.push({
      traceId,
      spanId,
      ...(parentSpanId ? { parentSpanId } : {}),
      name: `${request.method} ${route}`,
      kind: 2,
      startTimeUnixNano: String(endNs - durationNs),
      endTimeUnixNano: String(endNs),
      attributes: [
        { key: "http.request.method", value: { stringValue: request.method } },
        { key: "http.route", value: { stringValue: route } },
        { key: "http.response.status_code", value: { intValue: status } },
        { key: "parlance.request_id", value: { stringValue: request.id } },
      ],
      status: { code: status >= 500 ? 2 : 0 },
    });
  });

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const spans = waiting;
    waiting = [];
    const body = {
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: "service.name", value: { stringValue: "parlance" } },
              { key: "service.version", value: { stringValue: packageVersion() } },
            ],
          },
          scopeSpans: [{ scope: { name: "parlance.http" }, spans }],
        },
      ],
    };
    // A collector that is down must not cost a request; its spans are lost.
    await fetch(`${collectorUrl}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5000),
    }).catch(() => {});
  }
  const timer = setInterval(() => void flush(), sendEveryMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await flush();
  };
}
