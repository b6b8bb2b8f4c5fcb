import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { estimateTokens, estimateUnits } from "../charging/estimate.ts";
import { highest } from "../charging/prices.ts";
import { problemReplies } from "../fields.ts";
import { forwardTokens } from "../forwarding/forward-tokens.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { type RerankWanted, rerankReply, rerankRequest } from "./schema.ts";
import { serveLocalRerank } from "./serve-local.ts";

/** Providers bill a search of up to a hundred documents as one unit. */
const documentsPerUnit = 100;

export function addRerankRoutes(app: HttpApp, gateway: Gateway): void {
  // Cohere's client puts its own version in front.
  for (const path of ["/rerank", "/v2/rerank"]) {
    const schema = {
      summary: "Reranking",
      ...(path === "/rerank" ? {} : { hide: true }),
      body: rerankRequest,
      response: { 200: rerankReply, ...problemReplies },
    };
    app.post(path, { config: { scope: "gateway:read" }, schema }, (request, reply) =>
      rerank(gateway, request, reply, request.body),
    );
  }
}

function rerank(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: RerankWanted,
): Promise<void> | void {
  const local = findLocal(gateway, wanted.model, "reranking");
  if (local) return serveLocalRerank(gateway, local, request, reply, wanted);
  const units = Math.ceil(wanted.documents.length / documentsPerUnit);
  return forwardTokens(gateway, request, reply, {
    endpoint: "rerank",
    isChat: false,
    estimate(listed) {
      const prices = listed.map((one) => one?.prices);
      const perUnit = highest([undefined, ...prices.map((one) => one?.request)]);
      if (perUnit === undefined && prices.some((one) => one?.input)) {
        return estimateTokens({ max_tokens: 0 }, request.rawBody.length, listed, ["max_tokens"]);
      }
      return estimateUnits(units, perUnit, undefined, 0);
    },
    settle(meter) {
      const price = meter.prices?.request;
      if (price === undefined || meter.prices?.input) return false;
      meter.settle(BigInt(units) * price, "units");
      return true;
    },
    adapt: (body) => withTokens(body, wanted),
  });
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
