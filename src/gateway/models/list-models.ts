import { isObject, type Json } from "../json.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { describeLocal } from "./describe-local.ts";
import { markUpPrices } from "./mark-up-prices.ts";

/** The upstreams' models with our prices, after those of this process. */
export async function listModels(gateway: Gateway): Promise<Json[]> {
  const local = gateway.local.list().map(describeLocal);
  let listed: Awaited<ReturnType<typeof gateway.catalog.list>>;
  try {
    listed = await gateway.catalog.list();
  } catch (error) {
    // Without any catalog the models of this process are still there.
    if (local.length > 0) return local;
    throw error;
  }
  return [...local, ...listed.map(({ record }) => withMarkup(record) as Json)];
}

/** Some records also tell the prices of each of a model's providers. */
export function withMarkup(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMarkup);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === "pricing" ? markUpPrices(inner) : withMarkup(inner)]),
  );
}
