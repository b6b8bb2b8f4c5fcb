import { z } from "zod";
import { inDialect } from "../chat-completions/endpoints.ts";
import { objectsIn, optional, refusal, textIn } from "../dialects/dialect.ts";
import type { Translation } from "../dialects/translate.ts";
import { embeddings } from "../embeddings/endpoint.ts";
import { embedLocally } from "../embeddings/serve-local.ts";
import { imageGenerations } from "../images/endpoints.ts";
import { isObject, type Json } from "../json.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import type { ForwardedRequest } from "../pipeline/gateway.ts";
import { languageDialect } from "./language-dialect.ts";

/** The model is named in a header, and how its answer is to come. */
type Named<Body> = Body & { model: string; stream?: boolean };

const languageRequest = z.looseObject({
  prompt: z.array(z.looseObject({ role: z.string() })).min(1),
  maxOutputTokens: z.int().min(0).nullish(),
});
const embeddingRequest = z.looseObject({ values: z.array(z.string()).min(1) });
const imageRequest = z.looseObject({
  prompt: z.string(),
  n: z.int().min(1).max(100).nullish(),
  size: z.string().nullish(),
});
export const embeddingReply = z.looseObject({
  embeddings: z.array(z.array(z.number())),
  usage: z.looseObject({ tokens: z.int() }).optional(),
});
export const imageReply = z.looseObject({ images: z.array(z.string()) });
export const bodies = { language: languageRequest, embedding: embeddingRequest, image: imageRequest };

/** As the AI SDK's own gateway provider writes them. */
function protocolHeaders(kind: "language" | "embedding" | "image", model: string, { headers }: ForwardedRequest) {
  const version = `ai-${kind}-model-specification-version`;
  return {
    "ai-gateway-protocol-version": "0.0.1",
    [version]: textIn(headers[version]) || "3",
    [kind === "language" ? "ai-language-model-id" : "ai-model-id"]: model,
  };
}

export const languageModel = inDialect<Named<z.output<typeof languageRequest>>>(languageDialect, {
  path: "/ai/language-model",
  summary: "A language model, as the AI SDK's gateway provider asks for it",
  schema: languageRequest as never,
  headers: (model, request) => ({
    ...protocolHeaders("language", model, request as ForwardedRequest),
    "ai-language-model-streaming": String(request.body.stream === true),
  }),
});

type EmbeddingWanted = Named<z.output<typeof embeddingRequest>>;

const asEmbeddings: Translation = {
  endpoint: "embeddings",
  outputLimits: [],
  request: ({ model, values }) => ({ model, input: values, encoding_format: "float" }),
  reply: readEmbeddings,
};

export const embeddingModel: EndpointDescriptor<EmbeddingWanted> = {
  name: "embedding-model",
  path: "/ai/embedding-model",
  summary: "Embeddings, as the AI SDK's gateway provider asks for them",
  schema: embeddingRequest as never,
  takesAliases: true,
  translations: [asEmbeddings],
  headers: (model, request) => protocolHeaders("embedding", model, request as ForwardedRequest),
  estimate: (request, listed) => embeddings.estimate(request as never, listed),
  inputTokens: ({ model, values }) => embeddings.inputTokens({ model, input: values }),
  async local(gateway, request, reply, { model, values }) {
    return readEmbeddings(await embedLocally(gateway, request, reply, { model, input: values }));
  },
};

function readEmbeddings({ data, usage }: Json): Json {
  const tokens = isObject(usage) ? usage.prompt_tokens : undefined;
  return {
    embeddings: objectsIn(data).map(({ embedding }) => embedding),
    ...(typeof tokens === "number" ? { usage: { tokens } } : {}),
  };
}

const asImages: Translation = {
  endpoint: "images/generations",
  outputLimits: [],
  request({ model, prompt, n, size, seed, aspectRatio, files, mask, providerOptions }) {
    if (files != null || mask != null) throw refusal("files", "this model makes pictures of words only");
    // These always send the picture itself, and refuse to be asked for it.
    const format = /gpt-image/.test(textIn(model)) ? undefined : "b64_json";
    const wanted = {
      model,
      prompt,
      n,
      size,
      seed,
      aspect_ratio: aspectRatio,
      response_format: format,
      providerOptions,
    };
    return optional(wanted);
  },
  reply({ data, usage }) {
    const {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: totalTokens,
    } = isObject(usage) ? usage : {};
    const counts = optional({ inputTokens, outputTokens, totalTokens });
    return {
      images: objectsIn(data).flatMap(({ b64_json: image }) => (typeof image === "string" ? [image] : [])),
      warnings: [],
      ...(Object.keys(counts).length > 0 ? { usage: counts } : {}),
    };
  },
};

export const imageModel: EndpointDescriptor<Named<z.output<typeof imageRequest>>> = {
  ...(imageGenerations as unknown as EndpointDescriptor<Named<z.output<typeof imageRequest>>>),
  name: "image-model",
  path: "/ai/image-model",
  summary: "Images, as the AI SDK's gateway provider asks for them",
  schema: imageRequest as never,
  translations: [asImages],
  headers: (model, request) => protocolHeaders("image", model, request as ForwardedRequest),
};
