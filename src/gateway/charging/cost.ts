import type { Atto } from "../../credits/money.ts";
import type { Json } from "../json.ts";
import { type Prices, rateAt } from "./prices.ts";
import type { Reading } from "./read-usage.ts";

export type CostSource =
  | "reported"
  | "header"
  | "looked-up"
  | "tokens"
  | "units"
  | "estimated"
  | "free"
  | "hold"
  /** The same request had got the reply before. */
  | "cached"
  /** What an upstream may bill that was given up for another one. Nobody is charged. */
  | "abandoned";

/** What a request cost, and how that is known. */
export interface Price {
  readonly cost: Atto;
  readonly source: CostSource;
}

/** What there is to go by where a price is not told. */
export interface Known {
  readonly prices: Prices | undefined;
  /** What its tokens come to. */
  readonly tokens: Atto | undefined;
  /** Of sound, as the upstream counts it. */
  readonly seconds: number | undefined;
  /** Missing where there was no reply, or none that tells anything. */
  readonly body: Json | undefined;
}

/** What the tokens of a reading cost by the list; undefined when the list has no price for them. */
export function costOfTokens(reading: Reading, prices: Prices, isReasoningExtra: boolean): Atto | undefined {
  const size = reading.inputTokens;
  const input = rateAt(prices.input, size);
  const output = rateAt(prices.output, size);
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = rateAt(prices.cacheRead, size) ?? input ?? 0n;
  const cacheWrite = rateAt(prices.cacheWrite, size) ?? input ?? 0n;
  const cached = Math.min(reading.cachedTokens, size);
  const written = Math.min(reading.cacheWriteTokens, size - cached);
  const produced = reading.outputTokens + (isReasoningExtra ? reading.reasoningTokens : 0);
  return (
    BigInt(size - cached - written) * (input ?? 0n) +
    BigInt(cached) * cacheRead +
    BigInt(written) * cacheWrite +
    BigInt(produced) * (output ?? 0n) +
    (prices.request ?? 0n)
  );
}

/** Whole units, rounded up: half a token is a token. */
export function costOfUnits(units: number, price: Atto): Atto {
  return BigInt(Math.ceil(units)) * price;
}

/** To the microsecond. */
export function costOfSeconds(seconds: number, perSecond: Atto): Atto {
  return (BigInt(Math.round(seconds * 1e6)) * perSecond + 999_999n) / 1_000_000n;
}
