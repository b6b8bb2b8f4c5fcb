import { Problem } from "../../platform/errors.ts";
import type { Alias } from "../catalog/aliases.ts";
import type { Route } from "../catalog/catalog.ts";
import { matchesModel } from "../catalog/match-model.ts";
import { type Candidates, orderRoutes } from "../catalog/order-routes.ts";
import type { ListedModel } from "../charging/prices.ts";
import { localPrefix } from "../fields.ts";
import { isObject, type Json } from "../json.ts";
import type { Gateway, Payer } from "./gateway.ts";

/** What a request names. */
export interface Named {
  /** A model, or one of the operator's names for several. */
  readonly model: string;
  /** The end user of the caller, where it says one. */
  readonly user?: unknown;
  /** Further models, to be asked when the first fails, by us or by the upstream: the dearest decides how much is held. */
  readonly alternatives?: readonly string[];
}

export interface Found {
  readonly routes: readonly Route[];
  /** What catalogs say about every model that may answer. */
  readonly listed: readonly (ListedModel | undefined)[];
}

/** Who serves the model, and what it may cost at most is known by all that may answer. */
export async function resolve(gateway: Gateway, { caller }: Payer, named: Named): Promise<Found> {
  const { model, alternatives = [], user } = named;
  // The upstream may answer with any of them.
  for (const alternative of alternatives) checkModel(caller.models, alternative);
  const alias = gateway.routing.aliases.get(model);
  const asker = `${caller.workspace.id} ${typeof user === "string" ? user : caller.keyId}`;
  const { routes, listed } = alias
    ? await findMeant(gateway, alias, asker)
    : await findRoutes(gateway, model, { alternatives, asker });
  // A gateway tells what a request cost in the end, a provider does not.
  const served = routes.filter((route) => !route.upstream.provider || route.listed?.prices);
  if (served.length === 0 || (!gateway.servesUnpriced && !listed.every((one) => one?.prices))) {
    throw new Problem("service_unavailable", `The model "${model}" has no price here, so it is not served.`);
  }
  return { routes: served, listed };
}

/** Refuses a model that the key is not meant for. */
export function checkModel(patterns: readonly string[] | null | undefined, model: string): void {
  if (patterns == null || matchesModel(patterns, model)) return;
  throw new Problem("model_not_allowed", `This key may not use "${model}". Its models: ${patterns.join(", ")}.`);
}

async function findRoutes(
  gateway: Gateway,
  model: string,
  { alternatives, asker }: { alternatives: readonly string[]; asker: string },
): Promise<Found> {
  const { catalog, strategy } = gateway.routing;
  const order = (routes: readonly Route[]) =>
    routes.length < 2 ? routes : orderRoutes([{ weight: 1, routes }], strategy, gateway.orderingFor(asker));
  const routes = order(await catalog.routesFor(model));
  if (alternatives.length === 0) return { routes, listed: routes.map(({ listed }) => listed) };
  const all = [...routes];
  const asked = [...routes];
  for (const alternative of new Set(alternatives)) {
    const others = order(await knownRoutes(gateway, alternative));
    all.push(...others);
    if (alternative === model) continue;
    asked.push(...others.filter(({ upstream }) => !upstream.kind.choosesModels));
  }
  return { routes: asked, listed: all.map(({ listed }) => listed) };
}

/** Every upstream of every model that the name stands for. */
async function findMeant(gateway: Gateway, { name, models, strategy }: Alias, asker: string): Promise<Found> {
  const candidates: Candidates[] = [];
  for (const { model, weight } of models) {
    // Those of this process are asked on a way of their own.
    if (!model.startsWith(localPrefix)) candidates.push({ weight, routes: await knownRoutes(gateway, model) });
  }
  const routes = orderRoutes(candidates, strategy, gateway.orderingFor(asker));
  if (routes.length === 0)
    throw new Problem("model_not_found", `None of the models that "${name}" stands for is there.`);
  return { routes, listed: routes.map(({ listed }) => listed) };
}

/** None for a model that nobody has: the upstream skips it, too. */
async function knownRoutes(gateway: Gateway, model: string): Promise<Route[]> {
  try {
    return await gateway.routing.catalog.routesFor(model);
  } catch (error) {
    if (error instanceof Problem && error.kind === "model_not_found") return [];
    throw error;
  }
}

const none: readonly string[] = [];
/** Each is looked up in every catalog; no upstream tries more than a handful. */
const mostAlternatives = 32;

/** The other models that a request names for when the first cannot serve it, in either of the places that upstreams know. */
export function alternativesOf({ models, providerOptions }: Json): readonly string[] {
  if (models === undefined && providerOptions === undefined) return none;
  const options = isObject(providerOptions) && isObject(providerOptions.gateway) ? providerOptions.gateway : {};
  const named = [models, options.models].flat().filter((model) => typeof model === "string");
  if (named.length > mostAlternatives) {
    throw new Problem("invalid_request", `"models" may name at most ${mostAlternatives} models.`);
  }
  return named;
}
