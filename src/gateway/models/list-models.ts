import type { Alias } from "../catalog/aliases.ts";
import { matchesModel } from "../catalog/match-model.ts";
import { isObject, type Json } from "../json.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { created, describeLocal } from "./describe-local.ts";
import { markUpPrices } from "./mark-up-prices.ts";

/** All that a key may use: the operator's names, the models of this process, and the upstreams' with our prices. */
export async function listModels(gateway: Gateway, patterns?: readonly string[] | null): Promise<Json[]> {
  const models = await listAll(gateway);
  const byId = new Map(models.map((model) => [model.id, model]));
  const aliases = [...gateway.routing.aliases.values()].map((alias) => describeAlias(alias, byId));
  const taken = gateway.routing.aliases;
  const all = [...aliases, ...models.filter(({ id }) => !taken.has(String(id)))];
  return patterns == null ? all : all.filter(({ id }) => matchesModel(patterns, String(id)));
}

/** What its first model is like; at that one's price only where there is no other. */
function describeAlias({ name, models }: Alias, known: ReadonlyMap<unknown, Json>): Json {
  const first = models.map(({ model }) => known.get(model)).find(Boolean);
  const { pricing, endpoints: _, ...rest } = first ?? { object: "model", created };
  return {
    ...rest,
    id: name,
    owned_by: "alias",
    ...(pricing !== undefined && models.length === 1 ? { pricing } : {}),
    models: models.map(({ model }) => model),
  };
}

async function listAll(gateway: Gateway): Promise<Json[]> {
  const local = gateway.local.list().map(describeLocal);
  let listed: Awaited<ReturnType<typeof gateway.routing.catalog.list>>;
  try {
    listed = await gateway.routing.catalog.list();
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
