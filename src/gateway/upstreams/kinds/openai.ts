import type { ListedModel } from "../../charging/prices.ts";
import { readPrices } from "../../charging/prices.ts";
import type { Json } from "../../json.ts";
import { type Endpoint, listOf, type RealtimeSessions, type UpstreamKind } from "./kind.ts";

/** The paths of OpenAI's own API. */
export const openAiPaths: Partial<Record<Endpoint, string>> = {
  "chat/completions": "/chat/completions",
  responses: "/responses",
  messages: "/messages",
  completions: "/completions",
  moderations: "/moderations",
  embeddings: "/embeddings",
  "images/generations": "/images/generations",
  "images/edits": "/images/edits",
  "audio/speech": "/audio/speech",
  "audio/transcriptions": "/audio/transcriptions",
  "audio/translations": "/audio/translations",
  "videos/generations": "/videos/generations",
  rerank: "/rerank",
  "realtime/token": "/realtime/client_secrets",
};

export const openAiRealtime: RealtimeSessions = {
  body: ({ model, voice }) => ({
    session: { type: "realtime", model, ...(voice ? { audio: { output: { voice } } } : {}) },
  }),
  socketPath: (basePath, model) => `${basePath}/realtime?model=${encodeURIComponent(model)}`,
};

/** LiteLLM's, whose proxies are often not known for what they are. */
export const liteLlmCost = "x-litellm-response-cost";

/** Any server that speaks OpenAI's dialect: vLLM, Ollama, llama.cpp, OpenAI itself. Generation stops with the connection. */
export const openai: UpstreamKind = {
  name: "openai",
  paths: openAiPaths,
  catalogPaths: ["/models"],
  readCatalog: (reply) => listOf(reply).flatMap(toModel),
  billsOn: false,
  costHeader: liteLlmCost,
  isReasoningExtra: false,
  realtime: openAiRealtime,
};

export function toModel(record: Json): ListedModel[] {
  return typeof record.id === "string" ? [{ id: record.id, record, prices: readPrices(record.pricing) }] : [];
}
