import { listOf, type UpstreamKind } from "./kind.ts";
import { openAiRealtime, toModel } from "./openai.ts";

/** Anthropic's own API: messages as they come. Generation stops with the connection. */
export const anthropic: UpstreamKind = {
  name: "anthropic",
  isAt: (hostname) => hostname === "api.anthropic.com",
  paths: { messages: "/messages" },
  catalogPaths: ["/models?limit=1000"],
  readCatalog: (reply) =>
    listOf(reply).flatMap(({ id, display_name: name }) =>
      toModel({ id, object: "model", owned_by: "anthropic", ...(typeof name === "string" ? { name } : {}) }),
    ),
  headersFor: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  billsOn: false,
  isReasoningExtra: false,
  realtime: openAiRealtime,
  alwaysTellsUsage: true,
};
