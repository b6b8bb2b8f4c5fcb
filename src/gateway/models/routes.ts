import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";

const config = { scope: "gateway:read" };
const modelList = z.object({ object: z.literal("list"), data: z.array(z.looseObject({ id: z.string() })) });

export function addModelRoutes(app: HttpApp): void {
  app.get(
    "/models",
    { config, schema: { summary: "Live catalog of models", response: { 200: modelList, ...problemReplies } } },
    async () => {
      throw new Problem("gateway_unavailable", "No upstream gateway is configured. Set SVC_GATEWAY_UPSTREAM_URL.");
    },
  );
  app.get("/models/*", { config, schema: { summary: "One model", response: { ...problemReplies } } }, async () => {
    throw new Problem("gateway_unavailable", "No upstream gateway is configured. Set SVC_GATEWAY_UPSTREAM_URL.");
  });
}
