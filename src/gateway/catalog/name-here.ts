import { type ListedModel, readPrices } from "../charging/prices.ts";
import { isObject, type Json } from "../json.ts";
import { listedByProvider } from "../upstreams/price-list.ts";
import { ownName, type Upstream } from "../upstreams/upstream.ts";
import { matchesModel } from "./match-model.ts";

/** A model of an upstream's list as it is called here, at the prices that count here. */
export function nameHere(upstream: Upstream, model: ListedModel): ListedModel {
  const { prefix } = upstream;
  const id = prefix === undefined || model.id.startsWith(`${prefix}/`) ? model.id : `${prefix}/${model.id}`;
  const named = id === model.id ? model : { ...model, id, record: { ...model.record, id } };
  return withPrices(upstream, id, named) ?? named;
}

/** The operator's prices stand in for those of the catalog, one by one; where it has none those of the provider's list do. */
export function withPrices(
  upstream: Upstream,
  model: string,
  listed: ListedModel | undefined,
): ListedModel | undefined {
  const { prices, provider } = upstream;
  const isKnown = provider === undefined || listed?.prices !== undefined;
  const told = isKnown ? undefined : listedByProvider(provider, ownName(upstream, model));
  const pattern = Object.keys(prices).find((one) => matchesModel([one], model));
  if (pattern === undefined && !told) return listed;
  const record = { id: model, object: "model", ...told, ...listed?.record };
  const known = isObject(listed?.record.pricing) ? listed.record.pricing : (told?.pricing as Json | undefined);
  const pricing = { ...known, ...(pattern === undefined ? {} : (prices[pattern] as Json)) };
  return { id: listed?.id ?? model, record: { ...record, pricing }, prices: readPrices(pricing) };
}
