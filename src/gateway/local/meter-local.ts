import type { FastifyReply, FastifyRequest } from "fastify";
import { formatDollars } from "../../credits/money.ts";
import type { Meter } from "../charging/meter.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { reserve } from "../pipeline/reserve.ts";
import type { Endpoint } from "../upstreams/kinds/kind.ts";

/** Models of this process cost nothing, are counted like all others, and like all others need a balance above zero. */
export async function meterLocal(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  model: string,
): Promise<Meter> {
  // A key may be meant for the operator's name of the model alone.
  const { model: named = model } = request.body as { model?: string };
  const about = { endpoint, model, named, upstream: "local" };
  const meter = await reserve(gateway, request, about, { wanted: 1n, least: 1n });
  reply.header("x-svc-generation-id", meter.hold.id).header("x-svc-cost-usd", formatDollars(0n));
  return meter;
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
