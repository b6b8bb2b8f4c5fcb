import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { AdminContext } from "../commands/admin-command.ts";
import { runAdminCommand } from "../commands/admin-commands.ts";
import { addRoutingRoutes } from "./routing-routes.ts";
import * as schema from "./schema.ts";

type Workspace = z.output<typeof schema.workspaceReply>;
type ApiKey = z.output<typeof schema.keyReply>;
type UsageRow = z.output<typeof schema.usageReply>["usage"][number];

const { config, problem, problems } = schema;

/** The account commands over HTTP. Each route runs the command of the command line, so that both have one set of rules. */
export function addAdminRoutes(app: HttpApp, context: AdminContext): void {
  const run = async <Reply>({ caller, ip }: FastifyRequest, command: string, input: object) =>
    plain<Reply>(await runAdminCommand(command, input, { ...context, by: { byKey: caller.keyId, address: ip } }));

  app.get(
    "/v1/workspaces",
    { config, schema: { summary: "List workspaces", response: { 200: schema.workspacesReply, ...problems } } },
    async (request) => ({ workspaces: await run<Workspace[]>(request, "workspaces list", {}) }),
  );
  app.post(
    "/v1/workspaces",
    {
      config,
      schema: {
        summary: "Create a workspace",
        body: schema.newWorkspace,
        response: { 201: schema.workspaceReply, 409: problem, ...problems },
      },
    },
    async (request, reply) => reply.code(201).send(await run(request, "workspaces create", request.body)),
  );
  app.patch(
    "/v1/workspaces/:workspace",
    {
      config,
      schema: {
        summary: "Change a workspace's plans",
        params: schema.workspaceParams,
        body: schema.planChange,
        response: { 200: schema.workspaceReply, ...problems },
      },
    },
    (request) => {
      const { gatewayPlan: gateway, extractionPlan: extraction, extractionPerHour } = request.body;
      const change = { name: request.params.workspace, gateway, extraction, extractionPerHour };
      return run(request, "workspaces set-plan", change);
    },
  );

  app.get(
    "/v1/workspaces/:workspace/keys",
    {
      config,
      schema: {
        summary: "List a workspace's keys",
        params: schema.workspaceParams,
        response: { 200: schema.keysReply, ...problems },
      },
    },
    async (request) => ({ keys: await run<ApiKey[]>(request, "keys list", request.params) }),
  );
  app.post(
    "/v1/workspaces/:workspace/keys",
    {
      config,
      schema: {
        summary: "Create a key",
        params: schema.workspaceParams,
        body: schema.newKey,
        response: { 201: schema.createdKey, ...problems },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await run(request, "keys create", { ...request.body, ...request.params })),
  );
  app.delete(
    "/v1/keys/:id",
    {
      config,
      schema: {
        summary: "Revoke a key",
        params: schema.keyParams,
        response: { 200: schema.revokedReply, ...problems },
      },
    },
    (request) => run(request, "keys revoke", request.params),
  );

  app.get(
    "/v1/workspaces/:workspace/credits",
    {
      config,
      schema: {
        summary: "A workspace's balance",
        params: schema.workspaceParams,
        response: { 200: schema.balanceReply, ...problems },
      },
    },
    (request) => run(request, "credits balance", request.params),
  );
  app.post(
    "/v1/workspaces/:workspace/credits",
    {
      config,
      schema: {
        summary: "Add credits to a workspace",
        params: schema.workspaceParams,
        headers: schema.grantHeaders,
        body: schema.grant,
        response: { 200: schema.balanceReply, 409: problem, ...problems },
      },
    },
    (request) => {
      const reference = request.headers["idempotency-key"];
      return run(request, "credits grant", { ...request.body, ...request.params, reference });
    },
  );
  addRoutingRoutes(app, run);
  app.get(
    "/v1/usage",
    {
      config,
      schema: {
        summary: "Requests per day, workspace and route",
        querystring: schema.usageQuery,
        response: { 200: schema.usageReply, ...problems },
      },
    },
    async (request) => ({ usage: await run<UsageRow[]>(request, "usage", request.query) }),
  );

  // The dashboard's pages answer for every other address under /admin.
  app.get("/v1/*", { config: { scope: "open" }, schema: { hide: true } as object }, async (request) => {
    throw new Problem("not_found", `There is nothing at ${request.url.split("?")[0]}. See /admin/docs.`);
  });
}

/** What a command returns is what it prints as JSON: dates are text. */
function plain<Reply>(result: unknown): Reply {
  return JSON.parse(JSON.stringify(result)) as Reply;
}
