import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import type { Gateway } from "../gateway.ts";
import { localPrefix } from "../local/find-local.ts";
import type { EndpointDescriptor, ForwardedRequest } from "./endpoint.ts";
import { forward } from "./forward.ts";
import { keepRawForm } from "./raw-form.ts";

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
  const config = {
    scope: "gateway:read",
    ...(errors ? { dialect: errors } : {}),
  };
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

/** By a model of this process or by an upstream. */
export function serve<Wanted extends { model: string }>(
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
  request: FastifyRequest & ForwardedRequest<Wanted>,
  reply: FastifyReply,
): Promise<never> | undefined {
  if (!request.body.model.startsWith(localPrefix)) {
    void forward(gateway, endpoint, request, reply);
    return undefined;
  }
  if (endpoint.local) return endpoint.local(gateway, request, reply, request.body) as Promise<never>;
  throw new Problem("model_not_found", `No model of this process is for ${endpoint.path}.`);
}
