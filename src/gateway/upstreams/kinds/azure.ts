import type { UpstreamKind } from "./kind.ts";
import { openAiPaths, openAiRealtime } from "./openai.ts";

const { messages: _messages, rerank: _rerank, moderations: _moderations, ...paths } = openAiPaths;

/** Azure OpenAI by its v1 address (https://RESOURCE.openai.azure.com/openai/v1). Its models are deployments, and its list has what one
 *  could deploy: what is served is what the row names. */
export const azure: UpstreamKind = {
  name: "azure",
  isAt: (hostname) => hostname.endsWith(".openai.azure.com"),
  paths,
  catalogPaths: [],
  readCatalog: () => [],
  headersFor: (key) => ({ "api-key": key }),
  billsOn: false,
  isReasoningExtra: false,
  realtime: openAiRealtime,
};
