import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { inDialect } from "../chat-completions/endpoints.ts";
import { embeddings } from "../embeddings/endpoint.ts";
import { embedLocally } from "../embeddings/serve-local.ts";
import { model, problemReplies } from "../fields.ts";
import { isObject, type Json } from "../json.ts";
import { listModels } from "../models/list-models.ts";
import { serve } from "../pipeline/add-endpoint.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { languageDialect } from "./language-dialect.ts";

const config = { scope: "gateway:read" };

const languageRequest = z.looseObject({
  prompt: z.array(z.looseObject({ role: z.string() })).min(1),
  maxOutputTokens: z.int().min(0).nullish(),
});
const embeddingRequest = z.looseObject({ values: z.array(z.string()).min(1) });
const embeddingReply = z.object({
  embeddings: z.array(z.array(z.number())),
  usage: z.object({ tokens: z.int() }).optional(),
});
const anyReply = z.looseObject({});
const modelsReply = z.object({ models: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

const languageModel = inDialect<z.output<typeof languageRequest> & { model: string }>(languageDialect, {
  path: "/ai/language-model",
  summary: "A language model, as the AI SDK's gateway provider asks for it",
  schema: languageRequest.extend({ model }),
  outputLimits: ["maxOutputTokens"],
});
const embeddingModel: typeof embeddings = {
  ...embeddings,
  adapt: (answer) => readEmbeddings(answer) as unknown as Json,
  local: async (gateway, request, reply, wanted) => readEmbeddings(await embedLocally(gateway, request, reply, wanted)),
};

/** What the AI SDK's own gateway provider asks for, so that plain "provider/model" names work with a changed base address. */
export function addAiSdkRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/ai/language-model",
    {
      config,
      schema: {
        summary: languageModel.summary,
        body: languageRequest,
        response: { 200: anyReply, ...problemReplies },
      },
    },
    (request, reply) => {
      const model = headerOf(request, "ai-language-model-id");
      const stream = headerOf(request, "ai-language-model-streaming", "false") === "true";
      return serve(gateway, languageModel, restate(request, { ...request.body, model, stream }), reply);
    },
  );
  app.post(
    "/ai/embedding-model",
    {
      config,
      schema: {
        summary: "Embeddings, as the AI SDK's gateway provider asks for them",
        body: embeddingRequest,
        response: { 200: embeddingReply, ...problemReplies },
      },
    },
    (request, reply) => {
      const body = {
        model: headerOf(request, "ai-model-id"),
        input: request.body.values,
        encoding_format: "float" as const,
      };
      return serve(gateway, embeddingModel, restate(request, body), reply);
    },
  );
  app.get(
    "/ai/config",
    {
      config,
      schema: {
        summary: "The catalog, as the AI SDK's gateway provider asks for it",
        response: { 200: modelsReply, ...problemReplies },
      },
    },
    async ({ caller }) => ({ models: (await listModels(gateway, caller.models)).map(describe) }),
  );
}

/** The same request with another body. */
function restate<Body extends Json>(request: FastifyRequest, body: Body): FastifyRequest & { readonly body: Body } {
  return Object.create(request, { body: { value: body }, rawBody: { value: Buffer.from(JSON.stringify(body)) } });
}

function headerOf({ headers }: FastifyRequest, name: string, usual?: string): string {
  const value = headers[name] ?? usual;
  if (typeof value === "string" && value !== "") return value;
  throw new Problem("invalid_request", `The header ${name} is missing.`);
}

function readEmbeddings({ data, usage }: Json): z.output<typeof embeddingReply> {
  const embeddings = (Array.isArray(data) ? data : []).filter(isObject).map(({ embedding }) => embedding as number[]);
  const tokens = isObject(usage) ? usage.prompt_tokens : undefined;
  return { embeddings, ...(typeof tokens === "number" ? { usage: { tokens } } : {}) };
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
