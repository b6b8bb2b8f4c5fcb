import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { describeLocal } from "./describe-local.ts";
import { markUpPrices } from "./mark-up-prices.ts";

const config = { scope: "gateway:read" };
const modelRecord = z.looseObject({ id: z.string() });
const modelList = z.object({ object: z.literal("list"), data: z.array(modelRecord) });

export function addModelRoutes(app: HttpApp, gateway: Gateway): void {
  app.get(
    "/models",
    { config, schema: { summary: "Live catalog of models", response: { 200: modelList, ...problemReplies } } },
    async () => ({ object: "list" as const, data: (await listModels(gateway)) as { id: string }[] }),
  );
  // Model ids hold slashes; clients send them as they are or escaped.
  app.get(
    "/models/*",
    { config, schema: { summary: "One model", response: { 200: modelRecord, ...problemReplies } } },
    async (request) => {
      const id = (request.params as { "*": string })["*"];
      const found = (await listModels(gateway)).find((model) => model.id === id);
      if (!found) throw new Problem("model_not_found", `There is no model "${id}". See GET /models.`);
      return found as { id: string };
    },
  );
}

/** The upstreams' models with our prices, after those of this process. */
async function listModels(gateway: Gateway): Promise<Json[]> {
  const local = gateway.local.list().map(describeLocal);
  let listed: Awaited<ReturnType<typeof gateway.catalog.list>>;
  try {
    listed = await gateway.catalog.list();
  } catch (error) {
    // Without any catalog the models of this process are still there.
    if (local.length > 0) return local;
    throw error;
  }
  return [...local, ...listed.map(({ record }) => withMarkup(record) as Json)];
}

/** Some records also tell the prices of each of a model's providers. */
function withMarkup(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMarkup);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === "pricing" ? markUpPrices(inner) : withMarkup(inner)]),
  );
}
