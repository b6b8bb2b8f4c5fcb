import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import {
  aliasFields,
  routingFields,
  routingReply,
  upstreamFields,
  upstreamKeyFields,
} from "../../gateway/routing/schema.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import * as schema from "./schema.ts";

type Routing = z.output<typeof routingReply>;
type Run = <Reply>(request: FastifyRequest, command: string, input: object) => Promise<Reply>;

const { config, problem, problems } = schema;

/** Who serves which model of the gateway. */
export function addRoutingRoutes(app: HttpApp, run: Run): void {
  app.get(
    "/v1/routing",
    { config, schema: { summary: "Who serves which model", response: { 200: routingReply, ...problems } } },
    (request) => run<Routing>(request, "routing show", {}),
  );
  app.put(
    "/v1/routing",
    {
      config,
      schema: {
        summary: "Set the strategy",
        body: routingFields,
        response: { 200: routingReply, ...problems },
      },
    },
    (request) => run<Routing>(request, "routing set-strategy", request.body),
  );
  app.put(
    "/v1/upstreams/:name",
    {
      config,
      schema: {
        summary: "Add or change an upstream",
        params: schema.namedParams,
        body: upstreamFields,
        response: { 200: routingReply, 409: problem, ...problems },
      },
    },
    (request) => run<Routing>(request, "upstreams set", { ...request.body, ...request.params }),
  );
  app.delete(
    "/v1/upstreams/:name",
    {
      config,
      schema: {
        summary: "Remove an upstream and its keys",
        params: schema.namedParams,
        response: { 200: routingReply, ...problems },
      },
    },
    (request) => run<Routing>(request, "upstreams remove", request.params),
  );
  app.post(
    "/v1/upstreams/:name/keys",
    {
      config,
      schema: {
        summary: "Add a key of an upstream",
        params: schema.namedParams,
        body: upstreamKeyFields,
        response: { 201: schema.addedKey, 409: problem, ...problems },
      },
    },
    async (request, reply) => {
      const { name: upstream } = request.params;
      return reply.code(201).send(await run(request, "upstreams add-key", { ...request.body, upstream }));
    },
  );
  app.delete(
    "/v1/upstream-keys/:id",
    {
      config,
      schema: {
        summary: "Remove a key of an upstream",
        params: schema.keyParams,
        response: { 200: schema.removedReply, ...problems },
      },
    },
    (request) => run(request, "upstreams remove-key", request.params),
  );
  app.put(
    "/v1/aliases/:name",
    {
      config,
      schema: {
        summary: "Let a name stand for models",
        params: schema.namedParams,
        body: aliasFields,
        response: { 200: routingReply, ...problems },
      },
    },
    (request) => run<Routing>(request, "aliases set", { ...request.body, ...request.params }),
  );
  app.delete(
    "/v1/aliases/:name",
    {
      config,
      schema: {
        summary: "Remove an alias",
        params: schema.namedParams,
        response: { 200: routingReply, ...problems },
      },
    },
    (request) => run<Routing>(request, "aliases remove", request.params),
  );
}
