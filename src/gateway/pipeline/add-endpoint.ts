import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { traceHeaders } from "../../platform/http/trace-context.ts";
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
  const isLocal = wanted.model.startsWith(localPrefix);
  const turn = isLocal ? undefined : gateway.cache.open(request, endpoint.name, said);
  const recorder = gateway.replays.begin(request, reply, said);
  if (recorder === "replayed") return reply as never;
  if (isLocal) return serveLocal(gateway, endpoint, request, reply, recorder);
  if (turn?.found) {
    const context = { gateway, endpoint, request, outlet: new Outlet(reply, recorder), recorder };
    await serveCached(context, turn.found);
    return reply as never;
  }
  const outlet = new Outlet(reply, recordAll([recorder, turn?.recorder]));
  if (turn) reply.header("x-svc-cache", "miss");
  const trace = gateway.isTraced || request.headers.traceparent !== undefined ? traceHeaders(request) : {};
  await run({ gateway, endpoint, request, reply, outlet, recorder, trace });
  return reply as never;
}

async function serveLocal<Wanted extends { model: string }>(
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
  request: FastifyRequest & ForwardedRequest<Wanted>,
  reply: FastifyReply,
  recorder: Recorder | undefined,
): Promise<never> {
  if (recorder) recordReply(reply, recorder);
  if (endpoint.local) return (await endpoint.local(gateway, request, reply, request.body)) as never;
  throw new Problem("model_not_found", `No model of this process is for ${endpoint.path}.`);
}
