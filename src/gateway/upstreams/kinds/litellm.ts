import type { ListedModel } from "../../charging/prices.ts";
import { readPrices } from "../../charging/prices.ts";
import { isObject, type Json } from "../../json.ts";
import { listOf, type UpstreamKind } from "./kind.ts";
import { liteLlmCost, openAiPaths, openAiRealtime, toModel } from "./openai.ts";

/** LiteLLM proxy. The cost is in a header for whole replies and on the last chunk of streams. */
export const litellm: UpstreamKind = {
  name: "litellm",
  isAt: (hostname) => hostname.includes("litellm"),
  paths: openAiPaths,
  // Prices come from the second, which some installations do not let every key see.
  catalogPaths: ["/models", "/model/info"],
  readCatalog: (reply) => listOf(reply).flatMap((record) => (record.model_info ? readInfo(record) : toModel(record))),
  billsOn: true,
  costHeader: liteLlmCost,
  isReasoningExtra: false,
  realtime: openAiRealtime,
  forbids: (name) => forbidden.has(name) || forbiddenFamilies.test(name),
};

/** LiteLLM lets a request say which account pays, where it goes, and even at which price. */
const forbidden = new Set([
  "api_key",
  "api_base",
  "base_url",
  "api_version",
  "custom_llm_provider",
  "deployment_url",
  "extra_body",
  "extra_headers",
  "fallbacks",
  "headers",
  "litellm_credential_name",
  "litellm_metadata",
  "metadata",
  "mock_response",
  "model_info",
  "model_list",
  "organization",
  "s3_endpoint_url",
  "sagemaker_base_url",
  "tags",
  "user_config",
]);
const forbiddenFamilies = /_cost_|_cost$|^(aws|azure|vertex|langfuse|langsmith)_/;

function readInfo(record: Json): ListedModel[] {
  const id = record.model_name;
  if (typeof id !== "string" || !isObject(record.model_info)) return [];
  const info = record.model_info;
  const pricing = Object.fromEntries(
    Object.entries(info).filter(([name, value]) => /cost/.test(name) && (typeof value === "number" || value === "0")),
  );
  const shown = {
    id,
    object: "model",
    owned_by: String(info.litellm_provider ?? ""),
    ...(typeof info.max_input_tokens === "number" ? { context_window: info.max_input_tokens } : {}),
    ...(typeof info.max_output_tokens === "number" ? { max_tokens: info.max_output_tokens } : {}),
    ...(typeof info.mode === "string" ? { type: info.mode } : {}),
    pricing,
  };
  return [{ id, record: shown, prices: readPrices(pricing) }];
}
