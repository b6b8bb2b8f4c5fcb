import { type Pico, toNumber } from "../../credits/money.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";

const metadataNames = ["provider_metadata", "providerMetadata"];
/** Words that a reply must hold before there can be anything to hide in it. */
export const billingWords = [...metadataNames, '"cost"', '"cost_details"', '"market_cost"'];

/** Replaces what the upstream took by what the customer pays, and removes how the upstream routed and billed the request.
 *  Changes the body in place and says whether it did. */
export function hideBilling(body: Json, charge: Pico | undefined): boolean {
  let isChanged = hideMetadata(body);
  for (const place of placesOf(body)) isChanged = hideUsage(place.usage, charge) || isChanged;
  return isChanged;
}

/** Beside a choice, a tool call, an item of output: wherever it stands. */
function hideMetadata(place: Json | unknown[]): boolean {
  let isChanged = false;
  for (const name in place) {
    const inner = (place as Json)[name];
    // Vectors are long and have no members.
    if (typeof inner === "number" && Array.isArray(place)) break;
    if (typeof inner !== "object" || inner === null) continue;
    if ("gateway" in inner && metadataNames.includes(name)) {
      delete inner.gateway;
      if (Object.keys(inner).length === 0) delete (place as Json)[name];
      isChanged = true;
    } else if (hideMetadata(inner as Json | unknown[])) isChanged = true;
  }
  return isChanged;
}

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
  if (text.includes("\\u00") || metadataNames.some((name) => text.includes(name))) return true;
  return placesOf(body).some(({ usage }) => isObject(usage) && usageSecrets.some((name) => name in usage));
}

const usageSecrets = ["cost_details", "market_cost", "is_byok"];

function hideUsage(usage: unknown, charge: Pico | undefined): boolean {
  if (!isObject(usage)) return false;
  let isChanged = false;
  for (const name of usageSecrets) {
    if (name in usage) {
      delete usage[name];
      isChanged = true;
    }
  }
  if ("cost" in usage) {
    if (charge === undefined) delete usage.cost;
    else usage.cost = toNumber(charge);
    isChanged = true;
  }
  return isChanged;
}

function placesOf(body: Json): Json[] {
  const places: unknown[] = [body, body.response, body.message];
  if (Array.isArray(body.choices)) {
    for (const choice of body.choices) if (isObject(choice)) places.push(choice, choice.message, choice.delta);
  }
  return places.filter(isObject);
}
