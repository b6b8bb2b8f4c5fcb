import { formatDollars, parseDollars } from "../../credits/money.ts";
import { isObject, type Json } from "../../gateway/json.ts";
import type { GatewayModel } from "../contract/catalog.ts";

/** A record of the gateway's list, which every upstream writes in its own way, as the dashboard shows it. */
export function showModel(record: Json): GatewayModel {
  const id = text(record.id);
  const pricing = isObject(record.pricing) ? record.pricing : {};
  const architecture = isObject(record.architecture) ? record.architecture : {};
  return {
    id,
    name: text(record.name) || id,
    provider: text(record.owned_by) || (id.includes("/") ? id.split("/")[0]! : ""),
    type: text(record.type) || text(record.mode) || text(architecture.modality) || "language",
    description: text(record.description),
    contextWindow: count(record.context_window ?? record.context_length ?? record.max_input_tokens),
    maxOutputTokens: count(record.max_tokens ?? record.max_output_tokens),
    isLocal: id.startsWith("local/"),
    tags: Array.isArray(record.tags) ? record.tags.filter((tag): tag is string => typeof tag === "string") : [],
    inputPerMillionUsd: perMillion(pricing.input ?? pricing.prompt ?? pricing.input_cost_per_token),
    outputPerMillionUsd: perMillion(pricing.output ?? pricing.completion ?? pricing.output_cost_per_token),
    otherPrices: otherPrices(pricing),
  };
}

const perToken = new Set(["input", "output", "prompt", "completion", "input_cost_per_token", "output_cost_per_token"]);

/** Single numbers only: tiers and the like are in the API's own list. */
function otherPrices(pricing: Json): Record<string, string> {
  const entries = Object.entries(pricing).filter(
    ([name, value]) => !perToken.has(name) && isPrice(value) && Number(value) > 0,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function perMillion(price: unknown): string | null {
  if (!isPrice(price)) return null;
  return formatDollars(parseDollars(price) * 1_000_000n);
}

function isPrice(value: unknown): value is string | number {
  return (
    (typeof value === "number" || typeof value === "string") && /^\d+(\.\d*)?(e[+-]?\d{1,3})?$/i.test(String(value))
  );
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
