import { type Atto, attosPerPico, picosPerDollar } from "../../credits/money.ts";
import { isObject, type Json } from "../json.ts";
import { tryCost } from "./prices.ts";

/** What an upstream says that a request took. */
export interface Reading {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** Seconds of audio, where that is what is billed. */
  seconds: number | undefined;
  /** A count was told that is none: what is missing is not free. */
  isUnreadable?: boolean;
  /** What the upstream takes for it, when it says so. */
  cost: Atto | undefined;
}

/** No single request costs a thousand dollars, and no model reads or writes sixteen million tokens in one (the longest context of
 *  2026 is ten million); whoever says so is wrong. */
const absurd: Atto = 1_000n * picosPerDollar * attosPerPico;
export const mostTokens = 2 ** 24;

/** Reads usage and cost from a whole reply or from one event of a stream; undefined when there is neither. Negative and
 *  nonsensical values count as not given, and a usage without any other as none: only a zero that is said is free. */
export function readUsage(body: Json): Reading | undefined {
  const usage = findUsage(body);
  const cost = gatewayCost(body) ?? (usage ? readCost(usage.cost) : undefined);
  const given = usage ? plainCounts(usage) : {};
  const seconds = isCount(given.seconds) ? given.seconds : undefined;
  if (cost === undefined && seconds === undefined && !countNames.some((name) => isCount(given[name]))) return undefined;
  const inputDetails = detailsOf(
    given.prompt_tokens_details ?? given.input_tokens_details ?? given.input_token_details,
  );
  const outputDetails = detailsOf(given.completion_tokens_details ?? given.output_tokens_details);
  // Anthropic counts what came from the cache, or went into it, beside the input.
  const besides = tokens(given.cache_read_input_tokens) + tokens(given.cache_creation_input_tokens);
  const isAnthropic = given.cache_read_input_tokens !== undefined && given.prompt_tokens === undefined;
  return {
    inputTokens:
      tokens(given.prompt_tokens ?? given.input_tokens ?? given.inputTokens ?? given.total_tokens) +
      (isAnthropic ? besides : 0),
    outputTokens: tokens(given.completion_tokens ?? given.output_tokens ?? given.outputTokens),
    cachedTokens: tokens(inputDetails.cached_tokens ?? given.cache_read_input_tokens),
    cacheWriteTokens: tokens(given.cache_creation_input_tokens ?? inputDetails.cache_write_tokens),
    reasoningTokens: tokens(outputDetails.reasoning_tokens),
    seconds,
    isUnreadable: countNames.some((name) => given[name] != null && !isCount(given[name])),
    cost,
  };
}

/** The AI SDK has its counts one level down, the whole beside its parts. */
function plainCounts(usage: Json): Json {
  const { inputTokens, outputTokens, ...rest } = usage;
  if (!isObject(inputTokens) || !isObject(outputTokens)) {
    return usage.tokens === undefined ? usage : { ...usage, inputTokens: usage.tokens };
  }
  return {
    ...rest,
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    input_tokens_details: { cached_tokens: inputTokens.cacheRead, cache_write_tokens: inputTokens.cacheWrite },
    output_tokens_details: { reasoning_tokens: outputTokens.reasoning },
  };
}

const countNames = [
  "prompt_tokens",
  "input_tokens",
  "inputTokens",
  "completion_tokens",
  "output_tokens",
  "outputTokens",
  "total_tokens",
];

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

/** Whether what it tells of tokens is all that there was. Who only tells how long something was tells nothing of them. */
export function tellsTokens({ isUnreadable, seconds, inputTokens, outputTokens }: Reading): boolean {
  return !isUnreadable && (seconds === undefined || inputTokens + outputTokens > 0);
}

/** Anthropic's streams tell the input at the beginning and the output at the end. */
export function mergeReadings(earlier: Reading | undefined, later: Reading): Reading {
  if (!earlier) return later;
  return {
    inputTokens: Math.max(earlier.inputTokens, later.inputTokens),
    outputTokens: Math.max(earlier.outputTokens, later.outputTokens),
    cachedTokens: Math.max(earlier.cachedTokens, later.cachedTokens),
    cacheWriteTokens: Math.max(earlier.cacheWriteTokens, later.cacheWriteTokens),
    reasoningTokens: Math.max(earlier.reasoningTokens, later.reasoningTokens),
    seconds: later.seconds ?? earlier.seconds,
    isUnreadable: earlier.isUnreadable || later.isUnreadable || false,
    cost: later.cost ?? earlier.cost,
  };
}

export function readCost(value: unknown): Atto | undefined {
  const cost = tryCost(value);
  return cost === undefined || cost < 0n || cost > absurd ? undefined : cost;
}

function findUsage(body: Json): Json | undefined {
  if (isObject(body.usage)) return body.usage;
  for (const name of ["response", "message"]) {
    const inner = body[name];
    if (isObject(inner) && isObject(inner.usage)) return inner.usage;
  }
  return undefined;
}

/** Vercel's own figure, which it puts beside the choice or at the top, in two spellings. */
function gatewayCost(body: Json): Atto | undefined {
  const places: unknown[] = [body, body.response, body.message, body.delta];
  if (Array.isArray(body.choices)) {
    for (const choice of body.choices) if (isObject(choice)) places.push(choice.message, choice.delta, choice);
  }
  for (const place of places) {
    if (!isObject(place)) continue;
    const metadata = place.provider_metadata ?? place.providerMetadata;
    const gateway = isObject(metadata) ? metadata.gateway : undefined;
    const cost = isObject(gateway) ? readCost(gateway.cost) : undefined;
    if (cost !== undefined) return cost;
  }
  return undefined;
}

function detailsOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** A count that fits the books: whole, not negative, not absurd. */
export function tokens(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.min(Math.floor(value), mostTokens) : 0;
}
