import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";

const day = z.iso.date();
const reportQuery = z.object({
  start_date: day.optional(),
  end_date: day.optional(),
  group_by: z.enum(["day", "model", "provider"]).default("day"),
});

export function addReportRoutes(app: HttpApp): void {
  app.get(
    "/report",
    {
      config: { scope: "gateway:read" },
      schema: { summary: "Spend report", querystring: reportQuery, response: { ...problemReplies } },
    },
    async () => {
      throw new Problem("service_unavailable", "Spend reports are not part of this version yet.");
    },
  );
}
