import { Problem } from "../../platform/errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Route } from "../models/catalog.ts";
import { isObject, type Json, type ListedModel } from "../upstreams/kinds/kind.ts";

/** What a request names. */
export interface Named {
  readonly model: string;
  /** The model may be one of the operator's names for several. */
  readonly takesAliases?: boolean | undefined;
  /** Further models, to be asked when the first fails, by us or by the upstream: the dearest decides how much is held. */
  readonly alternatives?: readonly string[];
}

export interface Found {
  readonly routes: readonly Route[];
  /** What catalogs say about every model that may answer. */
  readonly listed: readonly (ListedModel | undefined)[];
}

/** Who serves the model. At once where the catalog is fresh, which is nearly always. */
export function findRoutes(gateway: Gateway, { model, alternatives, takesAliases }: Named): Found | Promise<Found> {
  const meant = takesAliases ? gateway.aliases.resolve(model) : undefined;
  if (meant) return findMeant(gateway, model, meant);
  const routes = gateway.catalog.routesFor(model);
  if (routes instanceof Promise || (alternatives && alternatives.length > 0))
    return findAllRoutes(gateway, routes, alternatives ?? []);
  return { routes, listed: routes.map(({ listed }) => listed) };
}

async function findAllRoutes(
  gateway: Gateway,
  first: Route[] | Promise<Route[]>,
  alternatives: readonly string[],
): Promise<Found> {
  const routes = await first;
  const all = [...routes];
  const asked = [...routes];
  for (const model of new Set(alternatives)) {
    const others = await knownRoutes(gateway, model);
    all.push(...others);
    if (model === routes[0]!.model) continue;
    asked.push(...others.filter(({ upstream }) => !upstream.kind.choosesModels));
  }
  return { routes: asked, listed: all.map(({ listed }) => listed) };
}

/** Every upstream of every model that the name stands for. */
async function findMeant(gateway: Gateway, alias: string, models: readonly string[]): Promise<Found> {
  const routes: Route[] = [];
  for (const model of models) routes.push(...(await knownRoutes(gateway, model)));
  if (routes.length === 0)
    throw new Problem("model_not_found", `None of the models that "${alias}" stands for is there.`);
  return { routes, listed: routes.map(({ listed }) => listed) };
}

/** None for a model that nobody has: the upstream skips it, too. */
async function knownRoutes(gateway: Gateway, model: string): Promise<Route[]> {
  try {
    return await gateway.catalog.routesFor(model);
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
