import type { FastifyRequest } from "fastify";
import type { UsageDetails } from "../../accounts/usage/record.ts";
import { type Hold, InsufficientCredits } from "../../credits/books.ts";
import type { KeyBudget, KeyBudgets } from "../../credits/key-budgets.ts";
import { formatDollars, type Pico } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import { countIds } from "../../platform/ids.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { type Estimate, tellWhatFits } from "../charging/estimate.ts";
import { Meter, providerOf } from "../charging/meter.ts";
import type { Gateway } from "../gateway.ts";
import type { Route } from "../models/catalog.ts";
import { type Endpoint, isObject, type Json, type ListedModel } from "../upstreams/kinds/kind.ts";
import type { LiveReply } from "../upstreams/live-reply.ts";
import { send } from "../upstreams/send.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import { checkModel } from "./check-rules.ts";
import { HangUp, patient } from "./hang-up.ts";
import { proceed } from "./proceed.ts";

export interface Plan {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** The model may be one of the operator's names for several; `callFor` then sends the route's. */
  readonly takesAliases?: boolean;
  /** Further models that the upstream may choose from: the dearest decides how much is held. */
  readonly alternatives?: readonly string[];
  estimate(listed: readonly (ListedModel | undefined)[]): Estimate;
  /** How to ask this upstream; undefined when it does not offer the endpoint. */
  callFor(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined;
  /** How else to ask an upstream that does not know the endpoint's path. */
  anotherWay?(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined;
  /** Its Idempotency-Key brings the caller back to the reply, so an upstream that bills on goes on. */
  readonly isRepeatable?: boolean | undefined;
  /** What to charge when the caller hangs up before the reply, and the upstream bills on. Nothing where it is missing. */
  settleUnheard?(meter: Meter): void;
}

export interface Started {
  readonly route: Route;
  readonly live: LiveReply;
  readonly meter: Meter;
  readonly hangUp: HangUp;
  /** There is something in the reply. */
  accept(): void;
  /** There is not. Asks the next upstream, which calls `onStarted` again; nothing may have reached the client. */
  refuse(problem: Problem): void;
  /** The caller hung up before there was anything: charges what the upstream bills all the same. */
  settleUnheard(): void;
  /** Whether the upstream is to stop when the caller hangs up. */
  readonly stopsWithCaller: boolean;
}

/** What must be known of a request to ask for it and to charge it. */
export type PayingRequest = Payer & Pick<FastifyRequest, "response">;

/** Who waits for an upstream to take a request. */
export interface StartAwaiter {
  /** Called again for each upstream whose reply was refused. */
  onStarted(started: Started): void;
  /** Nothing is held any more. */
  onFailure(error: unknown): void;
}

/** Finds who serves the model, sets the worst case aside, and asks. Whatever fails here costs nothing. With a fresh catalog and
 *  room in the lease, which is nearly always, it waits for nothing but the upstream. */
export function beginRequest(gateway: Gateway, request: PayingRequest, plan: Plan, awaiter: StartAwaiter): void {
  proceed(
    () => {
      // The upstream may answer with any of them.
      for (const model of plan.alternatives ?? none) checkModel(request.caller.models, model);
      return findRoutes(gateway, plan);
    },
    ({ routes, listed }) => {
      if (!gateway.servesUnpriced && !listed.every((model) => model?.prices)) {
        throw new Problem("service_unavailable", `The model "${plan.model}" has no price here, so it is not served.`);
      }
      const estimate = plan.estimate(listed);
      proceed(
        () => openMeter(gateway, request, plan, estimate, routes[0]!.upstream.name),
        (meter) => ask(routes, estimate, meter),
        (error) => awaiter.onFailure(explainRefusal(error, estimate)),
      );
    },
    awaiter.onFailure,
  );

  function ask(routes: readonly Route[], estimate: Estimate, meter: Meter): void {
    const fail = (error: unknown) => {
      meter.release();
      awaiter.onFailure(error);
    };
    const hangUp = new HangUp(request.response);
    const stopsWithCaller = !plan.isRepeatable || routes.every(({ upstream }) => stopsAtOnce(upstream));
    let asked: Route | undefined;
    let askedAtMs = 0;
    const settleUnheard = () => {
      if (asked && !stopsAtOnce(asked.upstream)) plan.settleUnheard?.(meter);
      meter.release();
    };
    const attempt = () =>
      send({
        targets: routes,
        callFor(route) {
          if (asked && meter.counts) meter.counts.fallOvers += 1;
          asked = route;
          askedAtMs = performance.now();
          meter.counts = gateway.measures.of(route.upstream.name, route.model);
          meter.servedBy(route.upstream.name, route.listed?.prices, route.upstream.kind.isReasoningExtra, route.model);
          return plan.callFor(route, meter.hold, estimate);
        },
        anotherWay: (route) => plan.anotherWay?.(route, meter.hold, estimate),
        signal: stopsWithCaller ? hangUp : patient,
        log: gateway.log,
        onAnswer(route, live, verdict) {
          const counts = meter.counts!;
          counts.answers += 1;
          counts.headMs += performance.now() - askedAtMs;
          const accept = () => {
            counts.contents += 1;
            counts.contentMs += performance.now() - askedAtMs;
            verdict.accept();
          };
          const refuse = (problem: Problem) => {
            meter.forget();
            verdict.refuse(problem);
          };
          const started = { route, live, meter, hangUp, accept, refuse, settleUnheard, stopsWithCaller };
          proceed(() => started, awaiter.onStarted, fail);
        },
        onFailure(error) {
          if (hangUp.aborted && stopsWithCaller) settleUnheard();
          fail(error);
        },
      });
    proceed(attempt, () => {}, fail);
  }
}

/** The same for those who are in no hurry. */
export function startRequest(gateway: Gateway, request: PayingRequest, plan: Plan): Promise<Started> {
  return new Promise((resolve, reject) => {
    const onStarted = (started: Started) => {
      started.accept();
      resolve(started);
    };
    beginRequest(gateway, request, plan, { onStarted, onFailure: reject });
  });
}

/** For replies of another kind than was asked for. */
export function refuseReply({ live, refuse }: Started, what: string): void {
  live.abort();
  refuse(nothingInside(what));
}

/** It stops with the connection, and bills what it has produced by then. */
function stopsAtOnce({ kind }: Upstream): boolean {
  return kind.afterHangUp === "cancel";
}

function explainRefusal(error: unknown, estimate: Estimate): unknown {
  if (!(error instanceof InsufficientCredits)) return error;
  return new InsufficientCredits(error.message + tellWhatFits(estimate, error.available), error.available);
}

interface Found {
  readonly routes: readonly Route[];
  /** What catalogs say about every model that may answer. */
  readonly listed: readonly (ListedModel | undefined)[];
}

function findRoutes(gateway: Gateway, { model, alternatives, takesAliases }: Plan): Found | Promise<Found> {
  const meant = takesAliases ? gateway.aliases.resolve(model) : undefined;
  if (meant) return findMeant(gateway, model, meant);
  const routes = gateway.catalog.routesFor(model);
  if (routes instanceof Promise || alternatives) return findAllRoutes(gateway, routes, alternatives ?? []);
  return { routes, listed: routes.map(({ listed }) => listed) };
}

async function findAllRoutes(
  gateway: Gateway,
  first: Route[] | Promise<Route[]>,
  alternatives: readonly string[],
): Promise<Found> {
  const routes = await first;
  const all = [...routes];
  for (const model of alternatives) all.push(...(await knownRoutes(gateway, model)));
  return { routes, listed: all.map(({ listed }) => listed) };
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

/** Who pays, and where the tokens are noted. */
export interface Payer {
  readonly usage: UsageDetails;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly caller: {
    readonly keyId: string;
    /** What the key may cost in a day and in a month; null has no limit. */
    readonly dailyLimit?: Pico | null;
    readonly monthlyLimit?: Pico | null;
    readonly tokensPerMinute?: number | null;
    readonly models?: readonly string[] | null;
    readonly workspace: { readonly id: string };
  };
}

/** Checks the key's rules and sets money aside for a request of this caller. */
export function openMeter(
  gateway: Gateway,
  request: Payer,
  about: About,
  estimate: Pick<Estimate, "wanted" | "least">,
  upstream: string,
): Meter | Promise<Meter> {
  const { models, dailyLimit, monthlyLimit, tokensPerMinute } = request.caller;
  checkModel(models, about.model);
  if (tokensPerMinute != null) gateway.tokenWindows.admit(request.caller.keyId, tokensPerMinute);
  if (dailyLimit == null && monthlyLimit == null && tokensPerMinute == null) {
    return openHeld(gateway, request, about, estimate, upstream);
  }
  return openWithin(gateway, request, about, estimate, upstream);
}

/** What the key's day and month have left bounds the hold, and gets back what the request does not cost. */
async function openWithin(
  gateway: Gateway,
  request: Payer,
  about: About,
  { wanted, least }: Pick<Estimate, "wanted" | "least">,
  upstream: string,
): Promise<Meter> {
  const { keyId: id, dailyLimit, monthlyLimit, tokensPerMinute } = request.caller;
  const budgets: KeyBudget[] = [];
  const end = (charged: Pico) => {
    for (const budget of budgets) budget.end(charged);
  };
  let bounded = wanted;
  const bound = async (from: KeyBudgets, limit: Pico | null | undefined) => {
    if (limit == null) return;
    const budget = await from.take({ id, limit }, bounded, least);
    budgets.push(budget);
    bounded = budget.wanted;
  };
  try {
    await bound(gateway.dailyBudgets, dailyLimit);
    await bound(gateway.monthlyBudgets, monthlyLimit);
    const meter = await openHeld(gateway, request, about, { wanted: bounded, least }, upstream);
    const { usage } = request;
    meter.onEnd = (charged) => {
      end(charged);
      if (tokensPerMinute != null) gateway.tokenWindows.add(id, (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
    };
    return meter;
  } catch (error) {
    end(0n);
    throw error;
  }
}

interface About {
  readonly endpoint: Endpoint;
  readonly model: string;
}

function openHeld(
  gateway: Gateway,
  request: Payer,
  { endpoint, model }: About,
  { wanted, least }: Pick<Estimate, "wanted" | "least">,
  upstream: string,
): Meter | Promise<Meter> {
  const { books, log } = gateway;
  const { usage, caller } = request;
  usage.model = model;
  const tag = tagOf(request.headers?.["x-svc-tag"]);
  const about = { keyId: caller.keyId, endpoint, model, provider: providerOf(model), upstream, tag };
  const reserved = books.reserve({ id: nextRequestId(), workspaceId: caller.workspace.id, wanted, least });
  if (reserved instanceof Promise) return reserved.then((hold) => new Meter({ books, hold, log, about, usage }));
  return new Meter({ books, hold: reserved, log, about, usage });
}

/** By what a caller wants to group its costs. A name, not a text: it stays in the records. */
function tagOf(given: string | string[] | undefined): string {
  if (given === undefined || given === "") return "";
  if (typeof given === "string" && /^[\w.:/@-]{1,64}$/.test(given)) return given;
  throw new Problem("invalid_request", "X-Svc-Tag must have 1 to 64 letters, digits or any of . _ : / @ -");
}

/** What a reply says about its price. */
export function costHeaders({ charged, hold }: Meter): Record<string, string> {
  const id = { "x-svc-generation-id": hold.id };
  return charged === undefined ? id : { ...id, "x-svc-cost-usd": formatDollars(charged) };
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

const nextRequestId = countIds("gr_");
