import { z } from "zod";
import type { Books } from "../../credits/books.ts";
import { toNumber } from "../../credits/money.ts";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { Queries } from "../../ports/database.ts";
import { problemReplies } from "../fields.ts";
import { wantsCsv, writeCsv } from "../report/write-csv.ts";
import { findRequest, findRequests, type LoggedRequest } from "./find-requests.ts";

const mostRows = 1_000;

const logged = z.object({
  id: z.string().nullable(),
  created_at: z.string(),
  key_id: z.string(),
  tag: z.string(),
  endpoint: z.string(),
  model: z.string(),
  provider: z.string(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number(),
  svc_cost_usd: z.number(),
  cost_source: z.enum(["measured", "estimated", "cached"]),
});

/** What single requests cost: one by its id, and the log of the last days. */
export function addRequestRoutes(app: HttpApp, queries: Queries, books: Books, clock: Clock): void {
  app.get(
    "/generation",
    {
      config: { scope: "gateway:read" },
      schema: {
        summary: "What one request cost",
        querystring: z.object({
          id: z.string().min(1).max(200).meta({ description: "X-Svc-Generation-Id of the reply." }),
        }),
        response: { 200: z.object({ data: logged }), ...problemReplies },
      },
    },
    async (request) => {
      await books.flush();
      const { id } = request.query;
      const found = await findRequest(queries, { workspaceId: request.caller.workspace.id, id }, clock.now());
      if (!found) throw new Problem("not_found", `No request "${id}" was charged in the last 30 days.`);
      return { data: show(found) };
    },
  );
  app.get(
    "/requests",
    {
      config: { scope: "gateway:read" },
      schema: {
        summary: "The charged requests of the last 30 days, the latest first; as CSV with `Accept: text/csv`",
        querystring: z.object({
          limit: z.coerce.number().int().min(1).max(mostRows).default(100),
          cursor: z.string().max(40).optional().meta({ description: "`next_cursor` of the page before." }),
          before: z.iso.datetime().optional().meta({ description: "Only those before this moment." }),
        }),
        response: {
          200: z.object({ object: z.literal("list"), data: z.array(logged), next_cursor: z.string().nullable() }),
          ...problemReplies,
        },
      },
    },
    async (request, reply) => {
      await books.flush();
      const { limit, cursor, before } = request.query;
      const { id: workspaceId } = request.caller.workspace;
      const query = { workspaceId, limit, cursor, before: before ? new Date(before) : undefined };
      const { requests, nextCursor } = await findRequests(queries, query, clock.now());
      const data = requests.map(show);
      if (!wantsCsv(request.headers.accept)) return { object: "list" as const, data, next_cursor: nextCursor };
      const names = Object.keys(logged.shape) as (keyof (typeof data)[number])[];
      reply.type("text/csv; charset=utf-8");
      return reply.send(
        writeCsv(
          names,
          data.map((row) => names.map((name) => row[name])),
        ) as never,
      );
    },
  );
}

function show({ at, inputTokens, outputTokens, cost, charge, keyId, costSource, ...rest }: LoggedRequest) {
  return {
    ...rest,
    created_at: at.toISOString(),
    key_id: keyId,
    input_tokens: Number(inputTokens),
    output_tokens: Number(outputTokens),
    cost_usd: toNumber(cost),
    svc_cost_usd: toNumber(charge),
    cost_source: costSource,
  };
}
