import type { FastifyRequest } from "fastify";
import type { UsageDetails } from "../../accounts/usage/record.ts";
import type { Hold } from "../../credits/books.ts";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import type { Estimate } from "../charging/estimate.ts";
import { Meter, providerOf } from "../charging/meter.ts";
import type { Gateway } from "../gateway.ts";
import type { Route } from "../models/catalog.ts";
import type { Endpoint, Json, ListedModel } from "../upstreams/kinds/kind.ts";
import type { LiveReply } from "../upstreams/live-reply.ts";
import { send } from "../upstreams/send.ts";
import { HangUp, patient } from "./hang-up.ts";

export interface Plan {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** Further models that the upstream may choose from: the dearest decides how much is held. */
  readonly alternatives?: readonly string[];
  estimate(listed: readonly (ListedModel | undefined)[]): Estimate;
  /** How to ask this upstream; undefined when it does not offer the endpoint. */
  callFor(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined;
}

export interface Started {
  readonly route: Route;
  readonly live: LiveReply;
  readonly meter: Meter;
}

/** Finds who serves the model, sets the worst case aside, and asks. Whatever fails here costs nothing. */
export async function startRequest(gateway: Gateway, request: FastifyRequest, plan: Plan): Promise<Started> {
  const found = gateway.catalog.routesFor(plan.model);
  const routes = found instanceof Promise ? await found : found;
  const listed = routes.map((route) => route.listed);
  if (plan.alternatives) {
    for (const model of plan.alternatives) {
      listed.push(...(await gateway.catalog.routesFor(model)).map((route) => route.listed));
    }
  }
  if (!gateway.servesUnpriced && !listed.every((model) => model?.prices)) {
    throw new Problem("service_unavailable", `The model "${plan.model}" has no price here, so it is not served.`);
  }
  const estimate = plan.estimate(listed);
  const meter = await openMeter(gateway, request, plan, estimate, routes[0]!.upstream.name);
  try {
    const stopsWithClient = routes.every(({ upstream }) => upstream.kind.afterHangUp === "cancel");
    const signal = stopsWithClient ? new HangUp(request.response) : patient;
    const { target, live } = await send(
      routes,
      (route) => plan.callFor(route, meter.hold, estimate),
      signal,
      gateway.log,
    );
    meter.servedBy(target.upstream.name, target.listed?.prices, target.upstream.kind.isReasoningExtra);
    return { route: target, live, meter };
  } catch (error) {
    meter.release();
    throw error;
  }
}

/** Who pays, and where the tokens are noted. */
export interface Payer {
  readonly usage: UsageDetails;
  readonly caller: { readonly keyId: string; readonly workspace: { readonly id: string } };
}

/** Sets money aside for a request of this caller. */
export async function openMeter(
  gateway: Gateway,
  request: Payer,
  { endpoint, model }: { endpoint: Endpoint; model: string },
  { wanted, least }: Estimate,
  upstream: string,
): Promise<Meter> {
  request.usage.model = model;
  const { workspace, keyId } = request.caller;
  const about = { keyId, endpoint, model, provider: providerOf(model), upstream };
  const reserved = gateway.books.reserve({ id: nextRequestId(), workspaceId: workspace.id, wanted, least });
  const hold = reserved instanceof Promise ? await reserved : reserved;
  return new Meter({ books: gateway.books, hold, log: gateway.log, about, usage: request.usage });
}

/** The other models that a request names for when the first cannot serve it. */
export function alternativesOf(body: Json): string[] {
  const named = Array.isArray(body.models) ? body.models : [];
  return named.filter((model): model is string => typeof model === "string");
}

/** Random once per run and counted from there: no two are the same, and none costs more than an addition. */
const runId = newId("gr_", 14);
let requests = 0;
function nextRequestId(): string {
  requests += 1;
  return `${runId}${requests.toString(36)}`;
}
