import { type Hold, InsufficientCredits } from "../../credits/books.ts";
import { Problem } from "../../platform/errors.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { type Estimate, tellWhatFits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import type { Gateway } from "../gateway.ts";
import type { Counts } from "../measures/measures.ts";
import type { Route } from "../models/catalog.ts";
import { Attempts } from "../upstreams/attempts.ts";
import type { Endpoint, ListedModel } from "../upstreams/kinds/kind.ts";
import type { LiveReply } from "../upstreams/live-reply.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { checkModel } from "./check-rules.ts";
import { findRoutes, type Named } from "./find-routes.ts";
import { HangUp, patient } from "./hang-up.ts";
import { openMeter, type PayingRequest } from "./open-meter.ts";

/** What one request needs of its upstreams. */
export interface Plan extends Named {
  readonly endpoint: Endpoint;
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

/** Finds who serves the model and sets the worst case aside. */
export async function openAsking(gateway: Gateway, request: PayingRequest, plan: Plan): Promise<Asking> {
  // The upstream may answer with any of them.
  for (const model of plan.alternatives ?? []) checkModel(request.caller.models, model);
  const found = findRoutes(gateway, plan);
  // A promise for what is nearly always known would cost every request more than finding it.
  const { routes, listed } = found instanceof Promise ? await found : found;
  if (!gateway.servesUnpriced && !listed.every((model) => model?.prices)) {
    throw new Problem("service_unavailable", `The model "${plan.model}" has no price here, so it is not served.`);
  }
  const estimate = plan.estimate(listed);
  try {
    const opening = openMeter(gateway, request, plan, estimate, routes[0]!.upstream.name);
    const meter = opening instanceof Promise ? await opening : opening;
    return new Asking(gateway, request, plan, routes, estimate, meter);
  } catch (error) {
    throw explainRefusal(error, estimate);
  }
}

/** Asks for one request, with money held for it, until something in a reply is worth passing on. */
export class Asking {
  readonly #plan: Plan;
  readonly #meter: Meter;
  readonly #hangUp: HangUp;
  readonly #stopsWithCaller: boolean;
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
    this.#meter = meter;
    this.#hangUp = new HangUp(request.response);
    this.#stopsWithCaller = !plan.isRepeatable || routes.every(({ upstream }) => stopsAtOnce(upstream));
    this.#attempts = new Attempts({
      targets: routes,
      callFor: (route) => {
        this.#begin(route, gateway.measures.of(route.upstream.name, route.model));
        return plan.callFor(route, meter.hold, estimate);
      },
      anotherWay: (route) => plan.anotherWay?.(route, meter.hold, estimate),
      signal: this.#stopsWithCaller ? this.#hangUp : patient,
      log: gateway.log,
    });
  }

  /** The next reply that claims success. Throws when nobody can serve the request, or the caller has gone. */
  async next(): Promise<Started> {
    const { target: route, live } = await this.#attempts.next();
    const counts = this.#meter.counts!;
    counts.answers += 1;
    counts.headMs += performance.now() - this.#askedAtMs;
    return {
      route,
      live,
      meter: this.#meter,
      hangUp: this.#hangUp,
      stopsWithCaller: this.#stopsWithCaller,
      settleUnheard: () => this.#settleUnheard(),
    };
  }

  /** There is something in the reply. */
  accept(): void {
    const counts = this.#meter.counts!;
    counts.contents += 1;
    counts.contentMs += performance.now() - this.#askedAtMs;
    this.#attempts.accept();
  }

  /** There is not. Nothing of it may have reached the client. Throws when no other upstream would do better. */
  refuse(problem: Problem): void {
    this.#meter.forget();
    this.#attempts.refuse(problem);
  }

  /** Nothing will reach the client. It costs nothing, unless the caller hung up on an upstream that bills on. */
  fail(error: unknown): void {
    if (this.#hangUp.aborted && error === this.#hangUp.reason) this.#settleUnheard();
    this.#meter.release();
  }

  #begin(route: Route, counts: Counts): void {
    const meter = this.#meter;
    if (this.#asked && meter.counts) meter.counts.fallOvers += 1;
    this.#asked = route;
    this.#askedAtMs = performance.now();
    meter.counts = counts;
    meter.servedBy(route.upstream.name, route.listed?.prices, route.upstream.kind.isReasoningExtra, route.model);
  }

  #settleUnheard(): void {
    if (this.#asked && !stopsAtOnce(this.#asked.upstream)) this.#plan.settleUnheard?.(this.#meter);
    this.#meter.release();
  }
}

/** Asks, for those who look at the reply themselves. */
export async function startRequest(gateway: Gateway, request: PayingRequest, plan: Plan): Promise<Started> {
  const asking = await openAsking(gateway, request, plan);
  try {
    const started = await asking.next();
    asking.accept();
    return started;
  } catch (error) {
    asking.fail(error);
    throw error;
  }
}

/** It stops with the connection, and bills what it has produced by then. */
function stopsAtOnce({ kind }: Upstream): boolean {
  return kind.afterHangUp === "cancel";
}

function explainRefusal(error: unknown, estimate: Estimate): unknown {
  if (!(error instanceof InsufficientCredits)) return error;
  return new InsufficientCredits(error.message + tellWhatFits(estimate, error.available), error.available);
}
