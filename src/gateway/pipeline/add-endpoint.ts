import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { traceHeaders } from "../../platform/http/trace-context.ts";
import { firstByWeight } from "../catalog/order-routes.ts";
import { localPrefix, problemReplies } from "../fields.ts";
import { type Recorder, recordAll } from "./copy-reply.ts";
import type { EndpointDescriptor } from "./endpoint.ts";
import type { ForwardedRequest, Gateway } from "./gateway.ts";
import { recordReply } from "./idempotency.ts";
import { Outlet } from "./outlet.ts";
import { contentOf, keepRawForm } from "./raw-form.ts";
import { run } from "./run.ts";
import { serveCached } from "./serve-cached.ts";

/** Opens the route of an endpoint. */
export async function addEndpoint<Wanted extends { model: string }>(
  app: HttpApp,
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
): Promise<void> {
  if (endpoint.takes !== "form") return addRoute(app, gateway, endpoint);
  await app.register(async (plain) => {
    keepRawForm(plain as unknown as HttpApp);
    addRoute(plain as unknown as HttpApp, gateway, endpoint);
  });
}

function addRoute<Wanted extends { model: string }>(
  app: HttpApp,
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
): void {
  const { path, summary, schema: body, errors, isHidden, takes } = endpoint;
  const config = { scope: "gateway:read", ...(errors ? { dialect: errors } : {}) };
  const schema = {
    summary,
    ...(isHidden ? { hide: true } : {}),
    ...(takes === "form" ? { consumes: ["multipart/form-data"] } : {}),
    body,
    response: { ...(endpoint.reply ? { 200: endpoint.reply } : {}), ...problemReplies },
  };
  app.post(path, { config, schema: schema as { body: typeof body } }, (request, reply) =>
    serve(gateway, endpoint, request as unknown as FastifyRequest & ForwardedRequest<Wanted>, reply as FastifyReply),
  );
}

/** With the reply that its Idempotency-Key has already got, or the cache has, by a model of this process, or by an upstream. */
export async function serve<Wanted extends { model: string }>(
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
  request: FastifyRequest & ForwardedRequest<Wanted>,
  reply: FastifyReply,
): Promise<never> {
  const { body: wanted } = request;
  // Where the model is in a header, the bytes do not say everything.
  const whole = () => (endpoint.headers ? Buffer.from(JSON.stringify(wanted)) : request.rawBody);
  const said = endpoint.takes === "form" ? () => contentOf(wanted) : whole;
  const [first, ...others] = placesOf(gateway, wanted.model);
  // A reply of one of several places is no other place's.
  const turn =
    first === "upstreams" && others.length === 0 ? gateway.cache.open(request, endpoint.name, said) : undefined;
  const recorder = gateway.replays.begin(request, reply, said);
  if (recorder === "replayed") return reply as never;
  if (turn?.found) {
    const context = { gateway, endpoint, request, outlet: new Outlet(reply, recorder), recorder };
    await serveCached(context, turn.found);
    return reply as never;
  }
  if (turn) reply.header("x-svc-cache", "miss");
  if (others.length === 0) {
    return serveAt(first, { gateway, endpoint, request, reply, recorder, cached: turn?.recorder });
  }
  // Whichever serves it writes to the same reply.
  if (recorder) recordReply(reply, recorder);
  for (const [at, place] of [first, ...others].entries()) {
    try {
      return await serveAt(place, { gateway, endpoint, request, reply, recorder: undefined });
    } catch (error) {
      const isTold = reply.sent || reply.raw.headersSent;
      if (at === others.length || isTold || request.signal.aborted || !mayServeElsewhere(error)) throw error;
    }
  }
  throw new Error("an alias has no models");
}

/** Where a model is served: by the upstreams together, or by one of this process. */
type Place = "upstreams" | { readonly local: string };

/** In which order they are asked. Upstreams are put in order among themselves. */
function placesOf({ routing, orderingFor }: Gateway, model: string): [Place, ...Place[]] {
  const alias = routing.aliases.get(model);
  if (!alias) return [model.startsWith(localPrefix) ? { local: model } : "upstreams"];
  const placeOf = (choice: string): Place => (choice.startsWith(localPrefix) ? { local: choice } : "upstreams");
  let choices = alias.models;
  if (alias.strategy === "weighted") choices = firstByWeight(choices, orderingFor("").random);
  const places = choices.map((choice) => placeOf(choice.model));
  // Nothing is cheaper than what is free.
  if (alias.strategy === "cheapest")
    places.sort((one, other) => Number(one === "upstreams") - Number(other === "upstreams"));
  return [...new Set(places)] as [Place, ...Place[]];
}

/** What is wrong with the caller's key or money is so everywhere. */
const aboutTheCaller = new Set(["insufficient_credits", "model_not_allowed", "missing_scope", "storage_down"]);

function mayServeElsewhere(error: unknown): boolean {
  return error instanceof Problem && !aboutTheCaller.has(error.kind);
}

interface Serving<Wanted extends { model: string }> {
  readonly gateway: Gateway;
  readonly endpoint: EndpointDescriptor<Wanted>;
  readonly request: FastifyRequest & ForwardedRequest<Wanted>;
  readonly reply: FastifyReply;
  readonly recorder: Recorder | undefined;
  /** Of the cache. */
  readonly cached?: Recorder | undefined;
}

async function serveAt<Wanted extends { model: string }>(place: Place, serving: Serving<Wanted>): Promise<never> {
  const { gateway, endpoint, request, reply, recorder, cached } = serving;
  if (place === "upstreams") {
    const trace = gateway.isTraced || request.headers.traceparent !== undefined ? traceHeaders(request) : {};
    const outlet = new Outlet(reply, recordAll([recorder, cached]));
    await run({ gateway, endpoint, request, reply, outlet, recorder, trace });
    return reply as never;
  }
  if (!endpoint.local) throw new Problem("model_not_found", `No model of this process is for ${endpoint.path}.`);
  if (recorder) recordReply(reply, recorder);
  return (await endpoint.local(gateway, request, reply, { ...request.body, model: place.local })) as never;
}
