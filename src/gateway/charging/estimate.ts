import { type Atto, addMarkup, attosPerPico, formatDollars, type Pico } from "../../credits/money.ts";
import { isObject, type Json } from "../json.ts";
import { costOfUnits } from "./cost.ts";
import { mostInputTokens } from "./input-tokens.ts";
import type { ListedModel } from "./prices.ts";
import { highest, highestRate, type Prices } from "./prices.ts";

/** What a request may cost, with the markup. */
export interface Estimate {
  wanted: Pico;
  /** With less there is no point in starting. */
  least: Pico;
  /** Set when the output may be cut to what the balance affords: what the input costs, and each token of output. */
  shrinkable?: { input: Atto; perToken: Atto };
  /** The same for a request with a limit of its own, which is never changed: to tell what would fit. */
  parts?: { input: Atto; perToken: Atto };
}

/** For models whose price nobody tells: the hold assumes the price of a large model. */
const assumedInput: Atto = 5_000_000n * attosPerPico;
const assumedOutput: Atto = 25_000_000n * attosPerPico;
const assumedUnit: Atto = 250_000_000_000n * attosPerPico;
const usualOutputTokens = 8_192;
const shortestOutputTokens = 16;

/** The worst case of a request that reads and writes tokens. `limits` are the names by which its dialect limits the output. */
export function estimateTokens(
  body: Json,
  bytes: number,
  listed: readonly (ListedModel | undefined)[],
  limits: readonly string[],
): Estimate {
  const rates = listed.length === 1 && listed[0] ? ratesOfOne(listed[0]) : ratesOf(listed);
  const input = BigInt(mostInputTokens(body, bytes, listed));
  const asked = askedOutputTokens(body, limits);
  const most = asked ?? rates.mostOutput;
  const choices = typeof body.n === "number" && body.n > 1 ? BigInt(Math.min(Math.floor(body.n), 128)) : 1n;
  if (!rates.isPriced) return unpriced(input * assumedInput + BigInt(most) * choices * assumedOutput);
  const inputCost = input * rates.input + rates.request;
  const perToken = rates.output * choices;
  const wanted = atLeastOne(addMarkup(inputCost + BigInt(most) * perToken));
  const parts = { input: inputCost, perToken };
  if (perToken === 0n) return { wanted, least: wanted };
  if (asked !== undefined) return { wanted, least: wanted, parts };
  const shortest = BigInt(Math.min(most, shortestOutputTokens));
  return {
    wanted,
    least: atLeastOne(addMarkup(inputCost + shortest * perToken)),
    shrinkable: parts,
    parts,
  };
}

/** What a caller may do about a balance that does not cover a request. */
export function tellWhatFits({ parts }: Estimate, available: Pico): string {
  if (!parts || available <= 0n) return "";
  const tokens = affordableTokens(available, parts);
  return tokens > 0
    ? ` It pays for up to ${tokens} tokens of output.`
    : ` What the request reads alone may cost $${formatDollars(addMarkup(parts.input))}.`;
}

/** The highest that any of several models may take, per token and per request. */
interface Rates {
  isPriced: boolean;
  input: Atto;
  output: Atto;
  request: Atto;
  mostOutput: number;
}

function ratesOf(listed: readonly (ListedModel | undefined)[]): Rates {
  const prices = pricesOf(listed);
  const dearest = (amounts: (Atto | undefined)[]) => highest([undefined, ...amounts]) ?? 0n;
  return {
    isPriced: prices.length > 0,
    input: dearest(prices.flatMap((p) => [highestRate(p.input), highestRate(p.cacheWrite)])),
    output: dearest(prices.map((p) => highestRate(p.output))),
    request: dearest(prices.map((p) => p.request)),
    mostOutput: modelOutputTokens(listed),
  };
}

/** Of the models that were asked for: the catalog makes new ones when it is read again. */
const known = new WeakMap<ListedModel, Rates>();
function ratesOfOne(model: ListedModel): Rates {
  let rates = known.get(model);
  if (!rates) {
    rates = ratesOf([model]);
    known.set(model, rates);
  }
  return rates;
}

/** How many tokens of output a hold pays for. */
export function affordableTokens(hold: Pico, { input, perToken }: { input: Atto; perToken: Atto }): number {
  return Number(((hold * attosPerPico * 5n) / 6n - input) / perToken);
}

/** The worst case of a request that is billed by what it makes (images, characters, seconds), or by tokens of which it reads
 *  `inputTokens`. */
export function estimateUnits(
  units: number,
  price: Atto | undefined,
  tokenPrices: Prices | undefined,
  inputTokens: number,
): Estimate {
  const count = Math.max(1, Math.ceil(units));
  if (price !== undefined) {
    const wanted = atLeastOne(addMarkup(costOfUnits(count, price)));
    return { wanted, least: wanted };
  }
  if (tokenPrices?.input || tokenPrices?.output) {
    // A picture or a minute of sound is some thousands of tokens.
    const input = costOfUnits(inputTokens, highestRate(tokenPrices.input) ?? 0n);
    const output = costOfUnits(10_000 * count, highestRate(tokenPrices.output) ?? 0n);
    const wanted = atLeastOne(addMarkup(input + output));
    return { wanted, least: wanted };
  }
  return unpriced(assumedUnit);
}

function unpriced(cost: Atto): Estimate {
  return { wanted: addMarkup(cost), least: 1n };
}

/** Even what is free needs a balance above zero. */
function atLeastOne(amount: Pico): Pico {
  return amount > 0n ? amount : 1n;
}

function pricesOf(listed: readonly (ListedModel | undefined)[]): Prices[] {
  return listed.flatMap((model) => (model?.prices ? [model.prices] : []));
}

/** The highest of several: nobody knows which of them the upstream heeds. */
function askedOutputTokens(body: Json, limits: readonly string[]): number | undefined {
  let asked: number | undefined;
  for (const name of limits) {
    const value = body[name];
    if (typeof value === "number" && value >= (asked ?? 0)) asked = Math.ceil(value);
  }
  return asked;
}

function modelOutputTokens(listed: readonly (ListedModel | undefined)[]): number {
  const known = listed.flatMap((model) => {
    const { max_tokens: own, top_provider: top } = model?.record ?? {};
    const most = own ?? (isObject(top) ? top.max_completion_tokens : undefined);
    return typeof most === "number" && most > 0 ? [most] : [];
  });
  return known.length > 0 ? Math.max(...known) : usualOutputTokens;
}
