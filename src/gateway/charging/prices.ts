import { type Atto, parseCost } from "../../credits/money.ts";
import type { Json } from "../json.ts";

/** One entry of an upstream's catalog. */
export interface ListedModel {
  readonly id: string;
  /** As the upstream sends it. */
  readonly record: Json;
  readonly prices: Prices | undefined;
}

/** A price per unit that may depend on how long the prompt is. */
export interface Rate {
  flat?: Atto;
  tiers: readonly { cost: Atto; min: number; max: number }[];
}

/** What a provider takes, before the markup. What is not named is not known. */
export interface Prices {
  /** Per token. */
  input?: Rate;
  output?: Rate;
  cacheRead?: Rate;
  cacheWrite?: Rate;
  /** Per request, image, character of speech, second of audio or video, session. */
  request?: Atto;
  image?: Atto;
  /** By what the picture is like; the highest of them is `image`. */
  images?: readonly ImagePrice[];
  character?: Atto;
  second?: Atto;
  videoSecond?: Atto;
  videoToken?: Atto;
  session?: Atto;
}

/** Of pictures of one size, quality or style, whichever it names. */
export interface ImagePrice {
  readonly cost: Atto;
  readonly traits: Readonly<Record<string, string>>;
}

type Pricing = Record<string, unknown>;

/** Understands the `pricing` objects of Vercel AI Gateway, OpenRouter and LiteLLM, whose key names do not overlap. Where
 *  several prices are possible (region, resolution) the highest counts: this is for holds, and for upstreams that do not
 *  report what a request cost. */
export function readPrices(pricing: unknown): Prices | undefined {
  if (typeof pricing !== "object" || pricing === null) return undefined;
  const given = pricing as Pricing;
  const prices: Prices = {};
  assign(prices, "input", rateOf(given, ["input", "prompt", "input_cost_per_token"], "input_tiers"));
  assign(prices, "output", rateOf(given, ["output", "completion", "output_cost_per_token"], "output_tiers"));
  assign(
    prices,
    "cacheRead",
    rateOf(given, ["input_cache_read", "cache_read_input_token_cost"], "input_cache_read_tiers"),
  );
  assign(
    prices,
    "cacheWrite",
    rateOf(given, ["input_cache_write", "cache_creation_input_token_cost"], "input_cache_write_tiers"),
  );
  assign(prices, "request", priceOf(given, ["request", "input_cost_per_query"]));
  assign(
    prices,
    "image",
    highest([
      priceOf(given, ["image", "output_cost_per_image", "input_cost_per_image"]),
      ...entriesOf(given.image_dimension_quality_pricing).map((entry) => priceOf(entry, ["cost"])),
    ]),
  );
  assign(prices, "images", imagePricesOf(given.image_dimension_quality_pricing));
  assign(prices, "character", priceOf(given, ["speech_input_character_cost", "input_cost_per_character"]));
  assign(
    prices,
    "second",
    priceOf(given, [
      "transcription_duration_cost_per_second",
      "input_cost_per_second",
      "input_cost_per_audio_per_second",
    ]),
  );
  assign(
    prices,
    "videoSecond",
    highest([
      priceOf(given, ["output_cost_per_second", "output_cost_per_video_per_second"]),
      ...entriesOf(given.video_duration_pricing).map((entry) => priceOf(entry, ["cost_per_second"])),
    ]),
  );
  assign(prices, "session", priceOf(given, ["realtime_session_duration_cost_per_second"]));
  return Object.keys(prices).length > 0 ? prices : undefined;
}

const imageTraits = ["size", "quality", "style", "operation"];

function imagePricesOf(value: unknown): ImagePrice[] | undefined {
  const listed = entriesOf(value).flatMap((entry) => {
    const cost = priceOf(entry, ["cost"]);
    const traits = imageTraits.flatMap((name) => (typeof entry[name] === "string" ? [[name, entry[name]]] : []));
    return cost === undefined ? [] : [{ cost, traits: Object.fromEntries(traits) }];
  });
  return listed.length > 0 ? listed : undefined;
}

/** What a picture costs that is asked for like this: the highest of the prices that do not name something else. */
export function imagePrice({ image, images }: Prices, wanted: Pricing): Atto | undefined {
  const fitting = (images ?? []).filter(({ traits }) =>
    imageTraits.every(
      (name) => traits[name] === undefined || typeof wanted[name] !== "string" || traits[name] === wanted[name],
    ),
  );
  return highest([undefined, ...fitting.map(({ cost }) => cost)]) ?? image;
}

/** The price of one unit in a request of `size` prompt tokens. */
export function rateAt(rate: Rate | undefined, size: number): Atto | undefined {
  if (!rate) return undefined;
  const tier = rate.tiers.find(({ min, max }) => size >= min && size < max);
  return tier?.cost ?? rate.flat ?? rate.tiers.at(-1)?.cost;
}

export function highestRate(rate: Rate | undefined): Atto | undefined {
  return rate ? highest([rate.flat, ...rate.tiers.map(({ cost }) => cost)]) : undefined;
}

export function highest(amounts: readonly (Atto | undefined)[]): Atto | undefined {
  return amounts.reduce((most, amount) =>
    amount !== undefined && (most === undefined || amount > most) ? amount : most,
  );
}

function assign<Name extends keyof Prices>(prices: Prices, name: Name, value: Prices[Name] | undefined): void {
  if (value !== undefined) prices[name] = value;
}

function rateOf(pricing: Pricing, names: string[], tiersName: string): Rate | undefined {
  const regional = Object.values((pricing.regional ?? {}) as Record<string, Pricing>);
  const flat = highest([priceOf(pricing, names), ...regional.map((region) => priceOf(region, names))]);
  const tiers = entriesOf(pricing[tiersName]).flatMap((tier) => {
    const cost = priceOf(tier, ["cost"]);
    return cost === undefined ? [] : [{ cost, min: numberOf(tier.min, 0), max: numberOf(tier.max, Infinity) }];
  });
  if (flat === undefined && tiers.length === 0) return undefined;
  return { ...(flat === undefined ? {} : { flat }), tiers };
}

function priceOf(pricing: Pricing, names: string[]): Atto | undefined {
  for (const name of names) {
    const price = tryCost(pricing[name]);
    // OpenRouter writes -1 where the price depends on where the request ends up.
    if (price !== undefined && price >= 0n) return price;
  }
  return undefined;
}

/** Undefined for anything that is not an amount of money. */
export function tryCost(value: unknown): Atto | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  try {
    return parseCost(value);
  } catch {
    return undefined;
  }
}

function entriesOf(value: unknown): Pricing[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : [];
}

function numberOf(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
