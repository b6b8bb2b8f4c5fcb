import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { describeEndpoints } from "./describe-endpoints.ts";
import { listModels } from "./list-models.ts";

const config = { scope: "gateway:read" };
const modelRecord = z.looseObject({ id: z.string() });
const endpointsSuffix = "/endpoints";
const modelList = z.object({
  object: z.literal("list"),
  data: z.array(modelRecord),
  total_count: z.int(),
  links: z.object({ next: z.null() }).meta({ description: "The list has one page." }),
});

export function addModelRoutes(app: HttpApp, gateway: Gateway): void {
  app.get(
    "/models",
    { config, schema: { summary: "Live catalog of models", response: { 200: modelList, ...problemReplies } } },
    async () => {
      const data = (await listModels(gateway)) as { id: string }[];
      return { object: "list" as const, data, total_count: data.length, links: { next: null } };
    },
  );
  // Model ids hold slashes; clients send them as they are or escaped.
  app.get(
    "/models/*",
    { config, schema: { summary: "One model", response: { 200: modelRecord, ...problemReplies } } },
    async (request) => {
      const id = (request.params as { "*": string })["*"];
      if (id.endsWith(endpointsSuffix)) return describeEndpoints(gateway, id.slice(0, -endpointsSuffix.length));
      const found = (await listModels(gateway)).find((model) => model.id === id);
      if (!found) throw new Problem("model_not_found", `There is no model "${id}". See GET /models.`);
      return found as { id: string };
    },
  );
}
