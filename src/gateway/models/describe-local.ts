import type { LocalModel } from "../../ports/local-models.ts";
import type { Json } from "../json.ts";

/** When this version's models came together. */
export const created = 1_790_000_000;

const modalities: Record<LocalModel["type"], { input: string[]; output: string[] }> = {
  language: { input: ["text"], output: ["text"] },
  embedding: { input: ["text"], output: ["embedding"] },
  speech: { input: ["text"], output: ["audio"] },
  transcription: { input: ["audio"], output: ["text"] },
  reranking: { input: ["text"], output: ["score"] },
};

/** A model of this process, in the words of the upstreams' catalogs. Its price is zero. */
export function describeLocal(model: LocalModel): Json {
  return {
    id: model.id,
    object: "model",
    created,
    owned_by: "local",
    name: model.name,
    description: model.description,
    type: model.type,
    modalities: modalities[model.type],
    ...(model.type === "language" ? { context_window: model.contextTokens, max_tokens: model.maxOutputTokens } : {}),
    ...(model.type === "embedding" && model.dimensions ? { dimensions: model.dimensions } : {}),
    pricing: { input: "0", output: "0" },
  };
}
