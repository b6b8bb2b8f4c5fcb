import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { ListedModel } from "../charging/prices.ts";
import type { Json } from "../json.ts";
import { callUpstream, fetchWhole, type Upstream } from "../upstreams/upstream.ts";
import { matchesModel } from "./match-model.ts";
import { nameHere, withPrices } from "./name-here.ts";

/** An upstream that may serve a model, with what its catalog says about it. */
export interface Route {
  readonly upstream: Upstream;
  readonly model: string;
  /** Undefined where the upstream does not list it: then only asking it will tell. */
  readonly listed: ListedModel | undefined;
}

export interface Catalog {
  /** In the order of the upstreams. Throws `gateway_unavailable` without upstreams and `model_not_found` when none has it. */
  routesFor(model: string): Promise<Route[]>;
  /** Every model once, as its first upstream describes it. Stale when the upstream is down. */
  list(): Promise<ListedModel[]>;
  /** What each upstream's catalog said last, by the upstream's address: for the next catalog, when the upstreams change. */
  readonly lists: ReadonlyMap<string, ListedModel[][]>;
}

const freshMs = 60_000;
const retryMs = 5_000;
const patienceMs = 10_000;
/** A quarter of a second is little for a list (guess). */
const unnoticedMs = 250;
const largestCatalog = 32_000_000;
/** Ids of requests come from outside; what they were found to be is remembered for so many. */
const mostRemembered = 5_000;

export function createCatalog(
  upstreams: readonly Upstream[],
  clock: Clock,
  log: Log,
  former?: Catalog["lists"],
): Catalog {
  const byName = new Map<string, Upstream[]>();
  for (const upstream of upstreams) byName.set(upstream.name, [...(byName.get(upstream.name) ?? []), upstream]);
  const isSole = byName.size === 1;
  const shelves = [...byName.values()].map((ofOne) => createShelf(ofOne, { isSole, clock, log, former }));

  async function routesFor(model: string): Promise<Route[]> {
    if (shelves.length === 0) throw hasProvider(model) ? noUpstream() : unknownModel(model);
    for (const shelf of shelves) if (!shelf.isFresh()) return routesAfterRefresh(model);
    const routes = shelves.length === 1 ? shelves[0]!.routeFor(model) : routesNow(model);
    return routes.length > 0 ? routes : routesAfterRefresh(model);
  }

  function routesNow(model: string): Route[] {
    return shelves.flatMap((shelf) => shelf.routeFor(model));
  }

  async function routesAfterRefresh(model: string): Promise<Route[]> {
    // Who already knows something need not wait for news; who knows nothing must.
    const refreshes = shelves.map((shelf) => shelf.refresh());
    await Promise.all(shelves.map((shelf, index) => (shelf.isKnown() ? undefined : refreshes[index])));
    let routes = routesNow(model);
    if (routes.length === 0) {
      await Promise.all(refreshes);
      routes = routesNow(model);
    }
    // Whoever never told its list may have the model.
    if (routes.length === 0) throw shelves.find((shelf) => !shelf.isKnown())?.problem() ?? unknownModel(model);
    return routes;
  }

  return {
    routesFor,
    get lists() {
      return new Map(shelves.flatMap((shelf) => (shelf.isKnown() ? [[shelf.address, shelf.lists] as const] : [])));
    },
    async list() {
      // Who already knows something waits for news only as long as nobody notices.
      await Promise.all(shelves.map((shelf) => (shelf.isKnown() ? shortly(shelf.refresh()) : shelf.refresh())));
      const all = new Map<string, ListedModel>();
      for (const shelf of shelves) {
        for (const model of shelf.models()) if (!all.has(model.id)) all.set(model.id, model);
      }
      const failed = shelves.find((shelf) => !shelf.isKnown());
      if (all.size === 0 && failed) throw failed.problem();
      return [...all.values()];
    },
  };
}

async function shortly(refresh: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, unnoticedMs);
  });
  await Promise.race([refresh, waited]);
  clearTimeout(timer);
}

/** Whether an upstream could know the name: `provider/model`, and not one of this server's own. */
function hasProvider(model: string): boolean {
  return model.includes("/") && !model.startsWith("local/");
}

function unknownModel(model: string): Problem {
  return new Problem("model_not_found", `There is no model "${model}". See GET /models.`);
}

export function noUpstream(): Problem {
  return new Problem(
    "gateway_unavailable",
    "No upstream gateway is configured for this model. Set SVC_GATEWAY_UPSTREAM_URL, or use a local/ model.",
  );
}

interface Shelving {
  readonly isSole: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly former: Catalog["lists"] | undefined;
}

/** What is known of one upstream's catalog, which its first key is good for. */
function createShelf(keys: readonly Upstream[], { isSole, clock, log, former }: Shelving) {
  const upstream = keys[0]!;
  const address = `${upstream.kind.name} ${upstream.client.origin}${upstream.basePath}`;
  const known = former?.get(address);
  let models: Map<string, ListedModel> | undefined;
  let isComplete = false;
  /** What each path said last. */
  const lists: ListedModel[][] = known ?? upstream.kind.catalogPaths.map(() => []);
  let nextAtMs = 0;
  let refreshing: Promise<void> | undefined;
  let failure: Problem | undefined;
  const remembered = new Map<string, Route[]>();
  if (known) arrange();

  function refresh(): Promise<void> {
    if (clock.now() < nextAtMs) return Promise.resolve();
    refreshing ??= load().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function load(): Promise<void> {
    try {
      const loading = upstream.kind.catalogPaths.map(async (path, at) => {
        lists[at] = upstream.kind.readCatalog(await fetchJson(upstream, path));
      });
      const [first] = await Promise.allSettled(loading);
      if (first?.status === "rejected") throw first.reason;
      arrange();
      failure = undefined;
      nextAtMs = clock.now() + freshMs;
    } catch (error) {
      // What was known is still the best there is.
      failure =
        error instanceof Problem ? error : new Problem("upstream_failed", "The upstream gateway cannot be reached.");
      nextAtMs = clock.now() + retryMs;
      log.warn({ upstream: upstream.name, error: (error as Error).message }, "the model catalog cannot be refreshed");
    }
  }

  function arrange(): void {
    const found = new Map<string, ListedModel>();
    const { allowed } = upstream;
    // The later lists only add to the first.
    for (const theirs of lists.flat()) {
      const model = nameHere(upstream, theirs);
      if (allowed && !matchesModel(allowed, model.id)) continue;
      const before = found.get(model.id);
      const merged = before && { id: model.id, record: { ...before.record, ...model.record } };
      found.set(model.id, merged ? { ...merged, prices: model.prices ?? before.prices } : model);
    }
    // Without a list, what the operator names is all that is known.
    const named = upstream.kind.catalogPaths.length === 0 ? upstream.models.filter((one) => !one.includes("*")) : [];
    for (const id of named) found.set(id, withPrices(upstream, id, undefined) ?? bare(id));
    models = found;
    // Gateways list every "provider/model" they have; a plain server may know its models by more names than it lists.
    isComplete = upstream.prefix === undefined && [...found.keys()].some((id) => id.includes("/"));
    remembered.clear();
  }

  function serves(model: string, listed: ListedModel | undefined): boolean {
    const { allowed, prefix, models: patterns } = upstream;
    if (allowed && !matchesModel(allowed, model)) return false;
    if (prefix !== undefined && !model.startsWith(`${prefix}/`)) return false;
    return listed !== undefined || matchesModel(patterns, model) || (isSole && !isComplete);
  }

  function routeFor(model: string): Route[] {
    const before = remembered.get(model);
    if (before) return before;
    // LiteLLM asks several models at once when they stand there with commas between, and answers what nobody could charge.
    const isSeveral = model.includes(",") && !models?.has(model);
    const listed = models && !isSeveral ? findListed(models, model) : undefined;
    const priced = withPrices(upstream, model, listed);
    const routes =
      !isSeveral && serves(model, listed) ? keys.map((one) => ({ upstream: one, model, listed: priced })) : [];
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(model, routes);
    return routes;
  }

  return {
    address,
    lists,
    isFresh: () => models !== undefined && clock.now() < nextAtMs,
    isKnown: () => models !== undefined,
    models: () => models?.values() ?? [],
    problem: () => failure ?? noUpstream(),
    refresh,
    routeFor,
  };
}

/** By its id; else by what upstreams let one add to or leave off an id: "model:variant", "model" for "model:latest", and
 *  catalogs that list "provider/*". */
function findListed(models: Map<string, ListedModel>, model: string): ListedModel | undefined {
  const plain = model.replace(/:[^:/]*$/, "");
  const provider = model.split("/")[0];
  return (
    models.get(model) ??
    models.get(plain) ??
    models.get(`${model}:latest`) ??
    models.get(`${provider}/*`) ??
    models.get("*")
  );
}

function bare(id: string): ListedModel {
  return { id, record: { id, object: "model" }, prices: undefined };
}

async function fetchJson(upstream: Upstream, path: string): Promise<unknown> {
  const call = callUpstream(upstream, { method: "GET", path: upstream.basePath + path });
  const options = { signal: AbortSignal.timeout(patienceMs), limit: largestCatalog };
  const { status, body } = await fetchWhole(upstream, call, options);
  if (status === 404 || status === 405) return { data: [] };
  if (status === 401 || status === 402 || status === 403) {
    throw new Problem("gateway_unavailable", "The gateway's credential is not accepted by its upstream.");
  }
  if (status !== 200) throw new Error(`status ${status}`);
  return JSON.parse(body.toString("utf8")) as Json;
}
