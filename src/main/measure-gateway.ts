import { toNumber } from "../credits/money.ts";
import type { Counts } from "../gateway/measures/measures.ts";
import type { Gateway } from "../gateway/pipeline/gateway.ts";
import type { Metrics } from "../platform/http/metrics.ts";

/** Tells Prometheus what the gateway does, by upstream and model. */
export function measureGateway(metrics: Metrics, gateway: Gateway): void {
  const { books, lookUps, measures } = gateway;
  metrics.gauge("parlance_gateway_open_holds", "Gateway requests whose cost is not settled yet.", [], (set) =>
    set({}, books.openHolds),
  );
  metrics.gauge("parlance_gateway_look_ups", "Gateway requests whose cost is being asked for.", [], (set) =>
    set({}, lookUps.running),
  );
  const count = (name: string, help: string, read: (counts: Counts) => number) =>
    metrics.counter(`parlance_gateway_${name}`, help, ["upstream", "model"], (set) => {
      for (const counts of measures.all()) set({ upstream: counts.upstream, model: counts.model }, read(counts));
    });
  count("charged_requests_total", "Requests that were charged.", ({ requests }) => requests);
  count("input_tokens_total", "Tokens that models read.", ({ inputTokens }) => inputTokens);
  count("output_tokens_total", "Tokens that models wrote.", ({ outputTokens }) => outputTokens);
  count("spend_usd_total", "What customers were charged.", ({ charged }) => toNumber(charged));
  count("upstream_seconds_sum", "Time until upstreams began to answer.", ({ headMs }) => headMs / 1000);
  count("upstream_seconds_count", "Answers that upstreams began.", ({ answers }) => answers);
  count("first_token_seconds_sum", "Time until there was anything in an answer.", ({ contentMs }) => contentMs / 1000);
  count("first_token_seconds_count", "Answers with anything in them.", ({ contents }) => contents);
  count("fall_overs_total", "Requests that went on to the next upstream.", ({ fallOvers }) => fallOvers);
  metrics.gauge(
    "parlance_gateway_breaker_open",
    "1 for an upstream (model empty), or a model of it, that is not asked at the moment.",
    ["upstream", "model"],
    (set) => {
      for (const { name, breakers } of gateway.routing.upstreams) {
        set({ upstream: name, model: "" }, breakers.isOpen() ? 1 : 0);
        for (const model of breakers.openModels) set({ upstream: name, model }, 1);
      }
    },
  );
}
