import type { FastifyRequest } from "fastify";
import type { Meter } from "../charging/meter.ts";
import { openMeter } from "../forwarding/open-meter.ts";
import type { Gateway } from "../gateway.ts";
import type { Endpoint } from "../upstreams/kinds/kind.ts";

/** Models of this process cost nothing, are counted like all others, and like all others need a balance above zero. */
export function meterLocal(
  gateway: Gateway,
  request: FastifyRequest,
  endpoint: Endpoint,
  model: string,
): Meter | Promise<Meter> {
  return openMeter(gateway, request, { endpoint, model }, { wanted: 1n, least: 1n }, "local");
}

export function settleLocal(meter: Meter, inputTokens: number, outputTokens: number): void {
  meter.observe({
    inputTokens,
    outputTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    seconds: undefined,
    cost: 0n,
  });
  meter.settle(0n, "free");
}
