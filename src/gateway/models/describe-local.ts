import type { LocalModel } from "../../ports/local-models.ts";
import type { Json } from "../json.ts";

/** When this version's models came together. */
const created = 1_790_000_000;

function chatParameters(callsTools: boolean): string[] {
  const common = ["max_tokens", "temperature", "top_p", "seed", "stop", "response_format"];
  return callsTools ? [...common, "tools", "tool_choice"] : common;
}

const modalities: Record<LocalModel["type"], { input: string[]; output: string[] }> = {
  language: { input: ["text"], output: ["text"] },
  embedding: { input: ["text"], output: ["embedding"] },
  speech: { input: ["text"], output: ["audio"] },
  transcription: { input: ["audio"], output: ["text"] },
  reranking: { input: ["text"], output: ["score"] },
};

/** A model of this process, in the words of the upstreams' catalogs: Vercel's, and OpenRouter's, whose client refuses a list in which
 *  any record lacks a field. Its price is zero. */
export function describeLocal(model: LocalModel): Json {
  const { input, output } = modalities[model.type];
  const isChat = model.type === "language";
  const contextTokens = isChat ? model.contextTokens : null;
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
    pricing: { input: "0", output: "0", prompt: "0", completion: "0" },
    canonical_slug: model.id,
    context_length: contextTokens,
    architecture: { modality: `${input}->${output}`, input_modalities: input, output_modalities: output },
    top_provider: {
      context_length: contextTokens,
      max_completion_tokens: isChat ? model.maxOutputTokens : null,
      is_moderated: false,
    },
    supported_parameters: isChat ? chatParameters(model.callsTools) : [],
    default_parameters: null,
    per_request_limits: null,
    supported_voices: null,
    links: { details: `/models/${model.id}/endpoints` },
  };
}
