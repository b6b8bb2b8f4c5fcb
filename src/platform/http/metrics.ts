import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { HttpApp } from "./create-server.ts";

export interface Metrics {
  registry: Registry;
  /** A value that is looked up when somebody asks. */
  gauge(
    name: string,
    help: string,
    labels: string[],
    collect: (set: (labels: Record<string, string>, value: number) => void) => void,
  ): void;
}

/** Counts and times every request of `app`. Prometheus reads it at /metrics. */
export function measureRequests(app: HttpApp): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "parlance_http_requests_total",
    help: "Requests by route and status.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "parlance_http_request_seconds",
    help: "Time from the first byte of a request to the last byte of its reply.",
    labelNames: ["method", "route"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers: [registry],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    requests.inc({ method: request.method, route, status: reply.statusCode });
    durations.observe({ method: request.method, route }, (performance.now() - request.receivedAtMs) / 1000);
    done();
  });
  return {
    registry,
    gauge(name, help, labelNames, collect) {
      const gauge: Gauge<string> = new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          gauge.reset();
          collect((labels, value) => gauge.set(labels, value));
        },
      });
    },
  };
}
