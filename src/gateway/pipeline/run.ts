import { Problem } from "../../platform/errors.ts";
import type { Meter } from "../charging/meter.ts";
import { isObject, type Json } from "../json.ts";
import { Routing } from "../upstreams/routing.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import { type Attempt, askNext, type Limits } from "./ask.ts";
import { openBody } from "./body.ts";
import type { RequestContext } from "./context.ts";
import { relayBytes } from "./relay-bytes.ts";
import { relayJson, relayOwnShape } from "./relay-json.ts";
import { relayStream, tellFailure } from "./relay-stream.ts";
import type { Replying } from "./replying.ts";
import { reserve } from "./reserve.ts";
import { alternativesOf, resolve } from "./resolve.ts";
import { bookAbandoned, settleUnheard } from "./settle.ts";

/**
 * The way of every request to an upstream: who serves its model, the worst case set aside, one upstream after another asked until there
 * is something in a reply, and that passed on and charged. Whatever fails before anything reached the caller costs nothing.
 */
export async function run<Wanted extends { model: string }>(context: RequestContext<Wanted>): Promise<void> {
  const { gateway, endpoint, request, outlet, recorder } = context;
  const { body: wanted, caller, signal } = request;
  const trail: Attempt[] = [];
  let meter: Meter | undefined;
  try {
    // Resolve: every upstream of every model that may answer.
    const { routes, listed } = await resolve(gateway, request, {
      model: wanted.model,
      user: (wanted as Json).user,
      alternatives: endpoint.takesAlternatives ? alternativesOf(wanted) : [],
    });

    // Reserve: what the dearest of them may cost at most.
    const estimate = endpoint.estimate(request, listed);
    const about = { endpoint: endpoint.name, model: wanted.model, upstream: routes[0]!.upstream.name };
    meter = await reserve(gateway, request, about, estimate);

    // Try: whoever is free, one after another.
    const body = await openBody(context, routes, meter.hold, estimate);
    const routing = new Routing(routes, { requestId: request.id, tenant: caller.workspace.id });
    const { about: metered } = meter;
    const isPatient = recorder !== undefined && routes.some(({ upstream }) => upstream.kind.billsOn);
    const asking = {
      gateway,
      routing,
      meter,
      calls: body,
      limits: limitsOf(context),
      // The next try of a caller who has gone finds the reply that an upstream bills for anyway, and is heard to the end.
      signal: isPatient ? new AbortController().signal : signal,
      onAbandoned: (route: Attempt["route"]) => bookAbandoned(context, route, metered),
    };
    for (;;) {
      const attempt = await askNext(asking, trail);

      // Relay: until it is over, or there turns out to be nothing in it.
      const replying = { context, attempt, meter, trail, body };
      const problem = await relay(replying);
      if (!problem) return;
      attempt.refuse(problem, { status: attempt.reply.status, wasSuccess: true });
    }
  } catch (error) {
    const asked = trail.at(-1);
    const isUnheard = asked?.outcome === "" && signal.aborted && error === signal.reason;
    if (isUnheard) settleUnheard(context, asked.route, meter!);
    meter?.release();
    recorder?.abandon();
    const shown = explain(error, endpoint.missing);
    if (!outlet.isStarted) throw shown;
    tellFailure(context, shown);
  } finally {
    for (const attempt of trail) attempt.release();
  }
}

/** Passes a reply on and charges it. Returns a problem when there is nothing in it, and then nothing of it has reached the caller. */
function relay<Wanted extends { model: string }>(replying: Replying<Wanted>): Promise<Problem | undefined> {
  const { endpoint, outlet } = replying.context;
  const { reply, route } = replying.attempt;
  const type = reply.header("content-type") ?? "";
  if (type.includes("text/event-stream") && !endpoint.ownShape?.(route.upstream)) return relayStream(replying);
  // The caller has been told that a stream comes.
  if (outlet.isStarted) return Promise.resolve(nothingInside("no stream"));
  if (endpoint.ownShape?.(route.upstream)) return relayOwnShape(replying);
  const isJson = endpoint.gives === undefined || (endpoint.gives === "text" && type.includes("json"));
  if (isJson) return relayJson(replying);
  if (type.includes("json") || type.includes("html")) return Promise.resolve(nothingInside("no audio"));
  return relayBytes(replying, type);
}

/** Where the endpoint says nothing, a reply that is no stream may take as long as a long chat (guess). */
const usualWholeMs = 5 * 60_000;

function limitsOf<Wanted extends { model: string }>({ gateway, request }: RequestContext<Wanted>): Limits {
  const { firstByteMs, firstTokenMs } = gateway;
  const isStream = isObject(request.body) && (request.body as Json).stream === true;
  return isStream ? { isStream, firstByteMs, firstTokenMs } : { isStream, wholeMs: usualWholeMs };
}

function explain(error: unknown, missing: string | undefined): unknown {
  if (missing === undefined || !(error instanceof Problem) || error.kind !== "not_found") return error;
  return new Problem("service_unavailable", missing, { cause: error });
}
