import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { afterReply } from "./after-reply.ts";
import type { HttpApp } from "./create-server.ts";
import { RequestCounts } from "./request-counts.ts";

export interface Metrics {
  registry: Registry;
  /** A value that is looked up when somebody asks. */
  gauge(name: string, help: string, labels: string[], collect: Collect): void;
  /** The same for one that only ever grows. */
  counter(name: string, help: string, labels: string[], collect: Collect): void;
}

type Collect = (set: (labels: Record<string, string>, value: number) => void) => void;

/** Counts and times every request of `app`. Prometheus reads it at /metrics. */
export function measureRequests(app: HttpApp): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counts = new RequestCounts();
  for (const metric of counts.metrics()) registry.registerMetric(metric as never);
  afterReply(app, (request, status) => {
    const durationMs = performance.now() - request.receivedAtMs;
    counts.add(request.method, request.routeConfig.url ?? "unknown", status, durationMs / 1000);
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
