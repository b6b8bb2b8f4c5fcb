import { costOfUnits } from "../charging/cost.ts";
import { estimateTokens, estimateUnits } from "../charging/estimate.ts";
import { highest } from "../charging/prices.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import { isObject, type Json } from "../json.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import { type RerankWanted, rerankReply, rerankRequest } from "./schema.ts";
import { serveLocalRerank } from "./serve-local.ts";

/** Providers bill a search of up to a hundred documents as one unit. */
const documentsPerUnit = 100;

export const rerank: EndpointDescriptor<RerankWanted> = {
  name: "rerank",
  path: "/rerank",
  summary: "Reranking",
  schema: rerankRequest,
  reply: rerankReply,
  takesAlternatives: true,
  local: serveLocalRerank,
  estimate({ body, rawBody }, listed) {
    const prices = listed.map((one) => one?.prices);
    const perUnit = highest([undefined, ...prices.map((one) => one?.request)]);
    if (perUnit === undefined && prices.some((one) => one?.input)) {
      return estimateTokens({ max_tokens: 0 }, rawBody.length, listed, ["max_tokens"]);
    }
    return estimateUnits(unitsOf(body), perUnit, undefined, 0);
  },
  price(wanted, { prices }) {
    if (prices?.request === undefined || prices.input) return undefined;
    return { cost: costOfUnits(unitsOf(wanted), prices.request), source: "units" };
  },
  inputTokens: requestTokens,
  adapt: withTokens,
};

/** Cohere's client puts its own version in front. */
export const rerankForCohere: EndpointDescriptor<RerankWanted> = { ...rerank, path: "/v2/rerank", isHidden: true };

function unitsOf({ documents }: RerankWanted): number {
  return Math.ceil(documents.length / documentsPerUnit);
}

/** Rerankers bill searches and often count no tokens; the contract has them, so they are counted here. */
function withTokens(body: Json, wanted: RerankWanted): Json | undefined {
  if (isObject(body.usage) && typeof body.usage.total_tokens === "number") return undefined;
  return { ...body, usage: { ...(isObject(body.usage) ? body.usage : {}), total_tokens: countTokens(wanted) } };
}

/** About four bytes a token: the query once, and every document. */
function countTokens({ query, documents }: RerankWanted): number {
  const texts = [query, ...documents.map((one) => (typeof one === "string" ? one : JSON.stringify(one)))];
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);
}
