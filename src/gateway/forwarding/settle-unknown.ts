import { costOfTokens } from "../charging/cost.ts";
import type { Meter } from "../charging/meter.ts";
import type { Json } from "../upstreams/kinds/kind.ts";
import type { EndpointDescriptor } from "./endpoint.ts";

/** Settles a request whose usage the upstream did not tell, from how much went in and came out. Never nothing when there is a
 *  price; without a price there is nothing to go by, and it is on record as free. */
export function estimateProduced(meter: Meter, inputTokens: number, outputTokens: number): void {
  const known = meter.reading;
  const reading = {
    inputTokens: known?.inputTokens || Math.max(1, Math.ceil(inputTokens)),
    outputTokens: Math.max(known?.outputTokens ?? 0, outputTokens, 1),
    cachedTokens: known?.cachedTokens ?? 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    seconds: undefined,
    cost: undefined,
  };
  const cost = meter.prices ? costOfTokens(reading, meter.prices, false) : undefined;
  meter.observe(reading);
  if (cost === undefined) meter.settle(0n, "free");
  else meter.settle(cost, "estimated");
}

/** By what the endpoint is billed by, else by what the model read. */
export function settleUnknown<Wanted extends { model: string }>(
  meter: Meter,
  endpoint: EndpointDescriptor<Wanted>,
  wanted: Wanted,
  told?: Json,
): void {
  if (told && endpoint.settle?.(meter, wanted, told)) return;
  if (!endpoint.settle?.(meter, wanted)) estimateProduced(meter, endpoint.inputTokens(wanted), 0);
}
