import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { model as modelName, problemReplies } from "../fields.ts";
import { isObject, type Json } from "../json.ts";
import { listModels } from "../models/list-models.ts";
import { serve } from "../pipeline/add-endpoint.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import type { ForwardedRequest, Gateway } from "../pipeline/gateway.ts";
import { bodies, embeddingModel, embeddingReply, imageModel, imageReply, languageModel } from "./endpoints.ts";

const config = { scope: "gateway:read" };
const modelsReply = z.object({ models: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** What the AI SDK's own gateway provider asks for, so that plain "provider/model" names work with a changed base address. */
export function addAiSdkRoutes(app: HttpApp, gateway: Gateway): void {
  addModelKind(app, gateway, languageModel, { body: bodies.language, reply: z.looseObject({}) });
  addModelKind(app, gateway, embeddingModel, { body: bodies.embedding, reply: embeddingReply });
  addModelKind(app, gateway, imageModel, { body: bodies.image, reply: imageReply });
  app.get(
    "/ai/config",
    {
      config,
      schema: {
        summary: "The catalog, as the AI SDK's gateway provider asks for it",
        response: { 200: modelsReply, ...problemReplies },
      },
    },
    async () => ({ models: (await listModels(gateway)).map(describe) }),
  );
}

function addModelKind<Wanted extends { model: string }>(
  app: HttpApp,
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
  { body, reply: replied }: { body: z.ZodType; reply: z.ZodType },
): void {
  const { path, summary } = endpoint;
  const schema = { summary, body, response: { 200: replied, ...problemReplies } };
  app.post(path, { config, schema: schema as { body: typeof body } }, (request, reply) =>
    serve(gateway, endpoint, withModel<Wanted>(request as FastifyRequest), reply as FastifyReply),
  );
}

/** The same request, with what its headers say beside what its body does. The bytes stay the caller's own. */
function withModel<Wanted>(request: FastifyRequest): FastifyRequest & ForwardedRequest<Wanted> {
  const { headers } = request;
  const { data: model } = modelName.safeParse(headers["ai-language-model-id"] ?? headers["ai-model-id"]);
  if (model === undefined) {
    throw new Problem("invalid_request", "The header ai-language-model-id or ai-model-id must name a model.");
  }
  const stream = headers["ai-language-model-streaming"] === "true";
  return Object.create(request, { body: { value: { ...(request.body as Json), model, stream } } });
}

function describe({ id, name, description, pricing, type, owned_by: provider }: Json) {
  const { input, output } = isObject(pricing) ? pricing : {};
  const hasPrices = typeof input === "string" && typeof output === "string";
  return {
    id: String(id),
    name: typeof name === "string" ? name : String(id),
    ...(typeof description === "string" ? { description } : {}),
    ...(hasPrices ? { pricing: { input, output } } : {}),
    specification: { specificationVersion: "v3", provider: String(provider ?? ""), modelId: String(id) },
    ...(typeof type === "string" ? { modelType: type } : {}),
  };
}
