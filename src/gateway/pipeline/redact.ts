import { type Pico, toNumber } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import { type Dialect as ErrorDialect, renderProblem } from "../../platform/http/dialect.ts";
import { isObject, type Json } from "../json.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { problemInside, withoutTraces } from "../upstreams/upstream-problem.ts";
import { editJson } from "./edit-json.ts";

const metadataNames = ["provider_metadata", "providerMetadata"];
/** Words that a reply must hold before there can be anything to hide in it. One pattern finds them in a fifth of the time that
 *  looking for one after another takes. */
export const billingWords = /provider_metadata|providerMetadata|"cost"|"cost_details"|"market_cost"/;

export interface Shown {
  /** Takes usage out altogether. */
  readonly hidesUsage?: boolean;
  /** Adds the cost to a usage that has none. */
  readonly tellsCost?: boolean;
}

/** Replaces what the upstream took by what the customer pays, and removes how the upstream routed and billed the request; every
 *  other byte stays. */
export function hideBilling(
  text: string,
  body: unknown,
  charge: Pico | undefined,
  { hidesUsage = false, tellsCost = false }: Shown = {},
): string {
  return editJson(text, body, (path, value) => {
    const name = path.at(-1)!;
    if (hidesUsage && path.length === 1 && name === "usage") return { remove: true };
    if (tellsCost && charge !== undefined && isUsage(path) && isObject(value) && value.cost === undefined) {
      return { append: `"cost":${toNumber(charge)}` };
    }
    if (metadataNames.includes(String(name)) && isObject(value) && "gateway" in value) {
      return Object.keys(value).length === 1 ? { remove: true } : undefined;
    }
    const outer = path.at(-2);
    if (name === "gateway" && metadataNames.includes(String(outer))) return { remove: true };
    if (outer !== "usage" || !isUsagePlace(path)) return undefined;
    if (usageSecrets.includes(String(name))) return { remove: true };
    if (name !== "cost") return "skip";
    return charge === undefined ? { remove: true } : { replace: String(toNumber(charge)) };
  });
}

/** What the whole reply took, in the dialects' places for it. */
function isUsage(path: readonly (string | number)[]): boolean {
  const [outer, inner] = path;
  return path.length === 1 ? outer === "usage" : inner === "usage" && path.length === 2 && wholeReplies.has(outer);
}
const wholeReplies = new Set<string | number | undefined>(["response", "message"]);

/** Of the reply, a response or message in it, or a choice and what it says. */
function isUsagePlace(path: readonly (string | number)[]): boolean {
  const place = path.slice(0, -2).filter((name) => typeof name === "string");
  return place.every((name) => usagePlaces.has(name));
}
const usagePlaces = new Set(["response", "message", "choices", "delta"]);

/** The same for the common case that a reply's only secret is `usage.cost`, without writing the whole reply anew; undefined in
 *  any other case. Quotes inside strings are escaped, so what reads `"cost":` is a member's name. */
export function replaceCost(bytes: Buffer, text: string, body: Json, charge: Pico | undefined): Buffer | undefined {
  if (charge === undefined || !isObject(body.usage) || typeof body.usage.cost !== "number") return undefined;
  const first = text.indexOf(costName);
  if (first < 0 || text.includes(costName, first + 1) || hasOtherSecrets(text, body)) return undefined;
  costMember.lastIndex = first;
  const member = costMember.exec(text)?.[0];
  if (!member) return undefined;
  // As long as every character is a byte, it stands at the same place in both.
  const at = text.length === bytes.length ? first : bytes.indexOf(costName);
  const replaced = Buffer.from(`"cost":${toNumber(charge)}`, "latin1");
  return Buffer.concat([bytes.subarray(0, at), replaced, bytes.subarray(at + member.length)]);
}

const costName = '"cost"';
const costMember = /"cost"\s*:\s*-?\d[\d.eE+-]*/y;

function hasOtherSecrets(text: string, body: Json): boolean {
  // An escaped letter could spell a secret's name differently.
  if (text.includes("\\u00")) return true;
  // Both names begin so.
  if (text.includes('"provider') && metadataNames.some((name) => text.includes(name))) return true;
  return placesOf(body).some(({ usage }) => isObject(usage) && usageSecrets.some((name) => name in usage));
}

const usageSecrets = ["cost_details", "market_cost", "is_byok"];

function placesOf(body: Json): Json[] {
  const places: unknown[] = [body, body.response, body.message];
  if (Array.isArray(body.choices)) {
    for (const choice of body.choices) if (isObject(choice)) places.push(choice, choice.message, choice.delta);
  }
  return places.filter(isObject);
}

/** Where errors stand beside what was made: of the whole or of one choice. */
export function failuresIn(body: Json): Json[] | undefined {
  const choices = Array.isArray(body.choices) ? body.choices : [];
  const isFailed = (place: unknown) => isObject(place) && place.error != null;
  return isFailed(body) || choices.some(isFailed) ? [body, ...choices].filter(isFailed) : undefined;
}

/** Without what would tell where they come from. */
export function rewordErrors(upstream: Upstream, places: Json[]): boolean {
  let isChanged = false;
  for (const place of places) {
    const { error } = place;
    if (isObject(error) && typeof error.message === "string") error.message = withoutTraces(error.message, upstream);
    else if (typeof error === "string") place.error = withoutTraces(error, upstream);
    else continue;
    isChanged = true;
  }
  return isChanged;
}

/** An event that says that something went wrong, in our words; undefined for any other. */
export function rewordEvent(
  event: Json,
  upstream: Upstream,
  errors: ErrorDialect,
): { event: Json; problem: Problem } | undefined {
  if (isObject(event.error) || typeof event.error === "string") {
    const given = isObject(event.error) ? event.error.message : event.error;
    const message = typeof given === "string" ? withoutTraces(given, upstream) : "The upstream gateway failed.";
    const told = renderProblem(errors, new Problem("upstream_failed", message)).body as Json;
    const problem = problemInside(upstream, event);
    // OpenRouter ends the choice with the same event.
    if (event.choices !== undefined) return { event: { ...event, ...told }, problem };
    return { event: { ...(typeof event.type === "string" ? { type: event.type } : {}), ...told }, problem };
  }
  const reword = (failure: Json) => {
    const { message } = failure;
    return typeof message === "string" ? { ...failure, message: withoutTraces(message, upstream) } : failure;
  };
  // The responses' dialect says it without a member of its own, or deeper.
  if (event.type === "error") return { event: reword(event), problem: problemInside(upstream, { error: event }) };
  const { response } = event;
  if (!isObject(response) || !isObject(response.error)) return undefined;
  const { error } = response;
  return {
    event: { ...event, response: { ...response, error: reword(error) } },
    problem: problemInside(upstream, { error }),
  };
}
