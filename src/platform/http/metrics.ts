import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { afterReply } from "./after-reply.ts";
import type { HttpApp } from "./create-server.ts";

export interface Metrics {
  registry: Registry;
  /** A value that is looked up when somebody asks. */
  gauge(name: string, help: string, labels: string[], collect: Collect): void;
  /** The same for one that only ever grows. */
  counter(name: string, help: string, labels: string[], collect: Collect): void;
}

type Collect = (set: (labels: Record<string, string>, value: number) => void) => void;

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
/** Labels are patterns of routes and what is in here, so that nobody can make up new ones. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts and times every request of `app`. Prometheus reads it at /metrics. */
export function measureRequests(app: HttpApp): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: "parlance_http_requests_total",
    help: "Requests by route and status.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "parlance_http_request_seconds",
    help: "Time from the first byte of a request to the last byte of its reply.",
    labelNames: ["method", "route"],
    buckets,
    registers,
  });
  afterReply(app, (request, status) => {
    const durationMs = performance.now() - request.receivedAtMs;
    const method = knownMethods.has(request.method) ? request.method : "other";
    const route = request.routeConfig.url ?? "unknown";
    requests.inc({ method, route, status });
    seconds.observe({ method, route }, durationMs / 1000);
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
    counter(name, help, labelNames, collect) {
      const counter: Counter<string> = new Counter({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          counter.reset();
          collect((labels, value) => counter.inc(labels, value));
        },
      });
    },
  };
}
