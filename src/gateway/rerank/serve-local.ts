import type { FastifyReply, FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { findLocal } from "../local/find-local.ts";
import { meterLocal, settleLocal } from "../local/meter-local.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import type { RerankWanted } from "./schema.ts";

export async function serveLocalRerank(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: RerankWanted,
): Promise<void> {
  const model = findLocal(gateway, wanted.model, "reranking")!;
  const documents = wanted.documents.map((one, index) => {
    const text = typeof one === "string" ? one : one.text;
    if (typeof text !== "string") throw new Problem("invalid_request", `"documents.${index}" must be a text.`);
    return text;
  });
  const meter = await meterLocal(gateway, request, reply, "rerank", model.id);
  try {
    const turn = { key: turnOf(request.caller), flow: request.id };
    const { scores, tokens } = await model.score({ ...turn, query: wanted.query, documents }, request.signal);
    settleLocal(meter, tokens, 0);
    const results = scores
      .map((relevance_score, index) => ({ index, relevance_score }))
      .sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
      .slice(0, wanted.top_n ?? scores.length);
    return reply.send({ id: newId("rerank-"), model: model.id, results, usage: { total_tokens: tokens } });
  } finally {
    meter.release();
  }
}
