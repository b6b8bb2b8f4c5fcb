import { createHash } from "node:crypto";
import { rateAt } from "../charging/prices.ts";
import type { Measures } from "../measures/measures.ts";
import type { Route } from "./catalog.ts";

/** How those who serve a model, or the models of an alias, are put in order. */
export const strategies = ["order", "weighted", "cheapest", "fastest", "sticky"] as const;
export type Strategy = (typeof strategies)[number];

/** Everybody who serves one model, and how often this model of an alias comes first. */
export interface Candidates {
  readonly weight: number;
  readonly routes: readonly Route[];
}

export interface Ordering {
  readonly measures: Measures;
  /** Who asks: what an upstream keeps of a prompt is of use to the same caller. */
  readonly asker: string;
  readonly random: () => number;
  /** Counts the requests that had a choice between several keys of one upstream. */
  nextTurn(): number;
}

/** The routes in the order in which they are asked. Those that a strategy cannot tell apart stay in theirs. */
export function orderRoutes(candidates: readonly Candidates[], strategy: Strategy, by: Ordering): readonly Route[] {
  const [first] = candidates;
  if (candidates.length === 1 && first!.routes.length < 2) return first!.routes;
  if (strategy === "weighted") {
    return firstByWeight(candidates, by.random).flatMap(({ routes }) =>
      takeTurns(firstByWeight(upstreamsOf(routes), by.random), by),
    );
  }
  const routes = takeTurns(
    candidates.flatMap((one) => upstreamsOf(one.routes)),
    by,
  );
  if (strategy === "cheapest") return sorted(routes, costOf);
  if (strategy === "fastest")
    return sorted(routes, ({ upstream, model }) => by.measures.of(upstream.name, model).firstToken.medianMs);
  // Rendezvous hashing: when one upstream leaves, only its callers move.
  if (strategy === "sticky") return sorted(routes, (route) => distance(by.asker, route));
  return routes;
}

/** The routes of one upstream, one for each of its keys. */
interface OfUpstream {
  readonly weight: number;
  readonly routes: Route[];
}

function upstreamsOf(routes: readonly Route[]): OfUpstream[] {
  const found: OfUpstream[] = [];
  for (const route of routes) {
    const last = found.at(-1);
    if (last?.routes.at(0)?.upstream.name === route.upstream.name) last.routes.push(route);
    else found.push({ weight: route.upstream.weight, routes: [route] });
  }
  return found;
}

/** Round robin over the keys of each upstream. */
function takeTurns(upstreams: readonly OfUpstream[], by: Ordering): Route[] {
  if (upstreams.every(({ routes }) => routes.length < 2)) return upstreams.flatMap(({ routes }) => routes);
  const turn = by.nextTurn();
  return upstreams.flatMap(({ routes }) => {
    const at = turn % routes.length;
    return [...routes.slice(at), ...routes.slice(0, at)];
  });
}

/** One is chosen by weight, the others follow in their order. */
export function firstByWeight<One extends { readonly weight: number }>(
  all: readonly One[],
  random: () => number,
): readonly One[] {
  let left = random() * all.reduce((sum, { weight }) => sum + weight, 0);
  for (const one of all) {
    left -= one.weight;
    if (left < 0) return [one, ...all.filter((other) => other !== one)];
  }
  return all;
}

function sorted(routes: readonly Route[], measure: (route: Route) => number | undefined): Route[] {
  return routes
    .map((route) => ({ route, value: measure(route) ?? Number.POSITIVE_INFINITY }))
    .sort((one, other) => (one.value < other.value ? -1 : one.value > other.value ? 1 : 0))
    .map(({ route }) => route);
}

/** A chat reads some three times as much as it writes (guess). */
const shareRead = 3n;

function costOf({ listed }: Route): number | undefined {
  const input = rateAt(listed?.prices?.input, 0);
  const output = rateAt(listed?.prices?.output, 0);
  if (input === undefined && output === undefined) return undefined;
  return Number((input ?? 0n) * shareRead + (output ?? 0n));
}

function distance(asker: string, { upstream, model }: Route): number {
  const said = JSON.stringify([asker, upstream.name, upstream.credential, model]);
  return createHash("sha256").update(said).digest().readUInt32BE(0);
}
