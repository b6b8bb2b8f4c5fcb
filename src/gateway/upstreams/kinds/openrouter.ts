import type { UpstreamKind } from "./kind.ts";
import { listOf } from "./kind.ts";
import { openAiPaths, openAiRealtime, toModel } from "./openai.ts";

const { "realtime/token": _realtime, "audio/translations": _translations, ...paths } = openAiPaths;

/** OpenRouter. Usage and cost come with every reply; an aborted generation is looked up by its id. */
export const openrouter: UpstreamKind = {
  name: "openrouter",
  isAt: (hostname) => /(^|\.)openrouter\.ai$/.test(hostname),
  paths: { ...paths, "images/generations": "/images", "videos/generations": "/videos" },
  catalogPaths: ["/models", "/embeddings/models", "/images/models", "/videos/models"],
  readCatalog: (reply) =>
    listOf(reply).flatMap((record) => {
      const [provider] = typeof record.id === "string" ? record.id.split("/") : [];
      return toModel({ object: "model", ...(provider ? { owned_by: provider } : {}), ...record });
    }),
  choosesModels: true,
  takesReasoning: true,
  billsOn: true,
  generationPath: (id) => `/generation?id=${encodeURIComponent(id)}`,
  isReasoningExtra: false,
  realtime: openAiRealtime,
  alwaysTellsUsage: true,
  forbids: (name) => name === "user_key" || name === "byok",
};
