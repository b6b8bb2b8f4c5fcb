import { costOfTokens } from "../charging/cost.ts";
import type { Meter } from "../charging/meter.ts";

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
