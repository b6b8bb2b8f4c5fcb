import type { Hold } from "../../credits/books.ts";
import { InsufficientCredits } from "../../credits/refuse.ts";
import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { type Estimate, tellWhatFits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import type { Gateway } from "../gateway.ts";
import type { Counts, Measures } from "../measures/measures.ts";
import type { Route } from "../models/catalog.ts";
import { type Answer, Attempts, type Sending } from "../upstreams/attempts.ts";
import type { Endpoint, ListedModel } from "../upstreams/kinds/kind.ts";
import type { LiveReply, StopSignal } from "../upstreams/live-reply.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { checkModel } from "./check-rules.ts";
import { type Found, findRoutes, type Named } from "./find-routes.ts";
import { HangUp, patient } from "./hang-up.ts";
import { openMeter, type PayingRequest } from "./open-meter.ts";

/** What one request needs of its upstreams. */
export interface Plan extends Named {
  readonly endpoint: Endpoint;
  estimate(listed: readonly (ListedModel | undefined)[]): Estimate;
  readonly calls: Calling;
  /** Its Idempotency-Key brings the caller back to the reply, so an upstream that bills on goes on. */
  readonly isRepeatable?: boolean | undefined;
  /** What to charge when the caller hangs up before the reply, and the upstream bills on. Nothing where it is missing. */
  settleUnheard?(meter: Meter): void;
}

export interface Calling {
  /** How to ask this upstream; undefined when it does not offer the endpoint. */
  callFor(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined;
  /** How else to ask an upstream that does not know the endpoint's path. */
  anotherWay?(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined;
}

/** An upstream's reply that claims success, and what belongs to it. */
export interface Started {
  readonly route: Route;
  readonly live: LiveReply;
  readonly meter: Meter;
  readonly hangUp: HangUp;
  /** Whether the upstream is to stop when the caller hangs up. */
  readonly stopsWithCaller: boolean;
  /** The caller hung up before there was anything: charges what the upstream bills all the same. */
  settleUnheard(): void;
}

/** Finds who serves the model and sets the worst case aside: at once where all of it is known, which is nearly always. A promise
 *  for that would cost every request more than finding it. */
export function openAsking(gateway: Gateway, request: PayingRequest, plan: Plan): Asking | Promise<Asking> {
  // The upstream may answer with any of them.
  for (const model of plan.alternatives ?? []) checkModel(request.caller.models, model);
  const found = findRoutes(gateway, plan);
  if (found instanceof Promise) return found.then((known) => openOver(gateway, request, plan, known));
  return openOver(gateway, request, plan, found);
}

function openOver(
  gateway: Gateway,
  request: PayingRequest,
  plan: Plan,
  { routes, listed }: Found,
): Asking | Promise<Asking> {
  if (!gateway.servesUnpriced && !listed.every((model) => model?.prices)) {
    throw new Problem("service_unavailable", `The model "${plan.model}" has no price here, so it is not served.`);
  }
  const estimate = plan.estimate(listed);
  const open = (meter: Meter) => new Asking(gateway, request, plan, routes, estimate, meter);
  try {
    const opening = openMeter(gateway, request, plan, estimate, routes[0]!.upstream.name);
    if (!(opening instanceof Promise)) return open(opening);
    return opening.then(open, (error) => {
      throw explainRefusal(error, estimate);
    });
  } catch (error) {
    throw explainRefusal(error, estimate);
  }
}

/** Asks for one request, with money held for it, until something in a reply is worth passing on. */
export class Asking implements Started, Sending<Route> {
  readonly meter: Meter;
  readonly hangUp: HangUp;
  readonly stopsWithCaller: boolean;
  readonly targets: readonly Route[];
  readonly signal: StopSignal;
  readonly log: Log;
  /** Of the last reply. */
  route!: Route;
  live!: LiveReply;
  readonly #plan: Plan;
  readonly #estimate: Estimate;
  readonly #measures: Measures;
  readonly #attempts: Attempts<Route>;
  #asked: Route | undefined;
  #askedAtMs = 0;

  constructor(
    gateway: Gateway,
    request: PayingRequest,
    plan: Plan,
    routes: readonly Route[],
    estimate: Estimate,
    meter: Meter,
  ) {
    this.#plan = plan;
    this.#estimate = estimate;
    this.#measures = gateway.measures;
    this.meter = meter;
    this.hangUp = new HangUp(request.response);
    this.stopsWithCaller = !plan.isRepeatable || routes.every(({ upstream }) => stopsAtOnce(upstream));
    this.targets = routes;
    this.signal = this.stopsWithCaller ? this.hangUp : patient;
    this.log = gateway.log;
    this.#attempts = new Attempts(this);
  }

  callFor(route: Route): UpstreamCall | undefined {
    this.#begin(route, this.#measures.of(route.upstream.name, route.model));
    return this.#plan.calls.callFor(route, this.meter.hold, this.#estimate);
  }

  anotherWay(route: Route): UpstreamCall | undefined {
    return this.#plan.calls.anotherWay?.(route, this.meter.hold, this.#estimate);
  }

  /** The next reply that claims success, to be told to `start`. Throws when nobody can serve the request, or the caller has gone. */
  next(): Promise<Answer<Route>> {
    return this.#attempts.next();
  }

  start({ target, live }: Answer<Route>): Started {
    this.route = target;
    this.live = live;
    const counts = this.meter.counts!;
    counts.answers += 1;
    counts.headMs += performance.now() - this.#askedAtMs;
    return this;
  }

  /** There is something in the reply. */
  accept(): void {
    const counts = this.meter.counts!;
    counts.contents += 1;
    counts.contentMs += performance.now() - this.#askedAtMs;
    this.#attempts.accept();
  }

  /** There is not. Nothing of it may have reached the client. Throws when no other upstream would do better. */
  refuse(problem: Problem): void {
    this.meter.forget();
    this.#attempts.refuse(problem);
  }

  /** Nothing will reach the client. It costs nothing, unless the caller hung up on an upstream that bills on. */
  fail(error: unknown): void {
    if (this.hangUp.aborted && error === this.hangUp.reason) this.settleUnheard();
    this.meter.release();
  }

  #begin(route: Route, counts: Counts): void {
    const meter = this.meter;
    if (this.#asked && meter.counts) meter.counts.fallOvers += 1;
    this.#asked = route;
    this.#askedAtMs = performance.now();
    meter.counts = counts;
    meter.servedBy(route.upstream.name, route.listed?.prices, route.upstream.kind.isReasoningExtra, route.model);
  }

  settleUnheard(): void {
    if (this.#asked && !stopsAtOnce(this.#asked.upstream)) this.#plan.settleUnheard?.(this.meter);
    this.meter.release();
  }
}

/** Asks, for those who look at the reply themselves. */
export async function startRequest(gateway: Gateway, request: PayingRequest, plan: Plan): Promise<Started> {
  const asking = await openAsking(gateway, request, plan);
  try {
    const started = asking.start(await asking.next());
    asking.accept();
    return started;
  } catch (error) {
    asking.fail(error);
    throw error;
  }
}

/** It stops with the connection, and bills what it has produced by then. */
function stopsAtOnce({ kind }: Upstream): boolean {
  return !kind.billsOn;
}

function explainRefusal(error: unknown, estimate: Estimate): unknown {
  if (!(error instanceof InsufficientCredits)) return error;
  const { message, available, retryAfterSeconds } = error;
  return new InsufficientCredits(message + tellWhatFits(estimate, available), available, retryAfterSeconds);
}
