import { z } from "zod";
import type { Books } from "../../credits/books.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { Queries } from "../../ports/database.ts";
import { problemReplies } from "../fields.ts";
import { summarizeSpend } from "./summarize.ts";
import { wantsCsv } from "./write-csv.ts";
import { writeReport, writeReportCsv } from "./write-report.ts";

// The calendar has no year 0.
const day = z.iso
  .date()
  .refine((given) => given >= "0001-01-01", "must be a date, such as 2026-01-31")
  .meta({ description: "YYYY-MM-DD, UTC, inclusive." });
const reportQuery = z.object({
  start_date: day.optional(),
  end_date: day.optional(),
  group_by: z.enum(["day", "model", "provider", "key", "tag"]).default("day"),
});

const sums = {
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number(),
  svc_cost_usd: z.number(),
  requests: z.int(),
};
const report = z.object({
  object: z.literal("report"),
  group_by: z.string(),
  data: z.array(z.object({ period: z.string(), model: z.string(), provider: z.string(), ...sums })),
  totals: z.object(sums),
});

export function addReportRoutes(app: HttpApp, queries: Queries, books: Books): void {
  app.get(
    "/report",
    {
      config: { scope: "gateway:read" },
      schema: {
        summary: "Spend report; as CSV with `Accept: text/csv`",
        querystring: reportQuery,
        response: { 200: report, ...problemReplies },
      },
    },
    async (request, reply) => {
      const { start_date: from, end_date: to, group_by } = request.query;
      if (from && to && from > to) {
        throw new Problem("invalid_request", `"start_date" (${from}) is after "end_date" (${to}).`);
      }
      await books.flush();
      const rows = await summarizeSpend(queries, {
        workspaceId: request.caller.workspace.id,
        groupBy: group_by,
        from,
        to,
      });
      if (wantsCsv(request.headers.accept)) {
        reply.type("text/csv; charset=utf-8");
        return reply.send(writeReportCsv(rows) as never);
      }
      reply.type("application/json; charset=utf-8");
      return reply.send(writeReport(group_by, rows) as never);
    },
  );
}
