import { type ListedModel, readPrices } from "../charging/prices.ts";
import { isObject, type Json } from "../json.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { matchesModel } from "./match-model.ts";

/** A model of an upstream's list as it is called here, at the prices that count here. */
export function nameHere(upstream: Upstream, model: ListedModel): ListedModel {
  const { prefix } = upstream;
  const id = prefix === undefined || model.id.startsWith(`${prefix}/`) ? model.id : `${prefix}/${model.id}`;
  const named = id === model.id ? model : { ...model, id, record: { ...model.record, id } };
  return withPrices(upstream, id, named) ?? named;
}

/** The operator's prices stand in for those of the catalog, one by one. */
export function withPrices(
  { prices }: Upstream,
  model: string,
  listed: ListedModel | undefined,
): ListedModel | undefined {
  const pattern = Object.keys(prices).find((one) => matchesModel([one], model));
  if (pattern === undefined) return listed;
  const known = isObject(listed?.record.pricing) ? listed.record.pricing : {};
  const pricing = { ...known, ...(prices[pattern] as Json) };
  const record = { ...(listed?.record ?? { id: model, object: "model" }), pricing };
  return { id: listed?.id ?? model, record, prices: readPrices(pricing) };
}
