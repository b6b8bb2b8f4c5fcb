import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import { findLocal } from "../local/find-local.ts";
import { meterLocal, settleLocal } from "../local/meter-local.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { toBase64 } from "./encode-vectors.ts";
import type { embeddingRequest } from "./schema.ts";

const mostTexts = 2048;

/** Embeds with a model of this process, in OpenAI's shape. */
export async function embedLocally(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: z.output<typeof embeddingRequest>,
) {
  const model = findLocal(gateway, wanted.model, "embedding")!;
  const texts = [wanted.input].flat();
  if (!texts.every((text): text is string => typeof text === "string" && text !== "")) {
    throw new Problem("invalid_request", '"input" must be a text or a list of texts, none of them empty.');
  }
  if (texts.length > mostTexts) throw new Problem("invalid_request", `"input" must have at most ${mostTexts} items.`);
  if (wanted.dimensions && model.dimensions && wanted.dimensions !== model.dimensions) {
    throw new Problem("invalid_request", `"dimensions" must be ${model.dimensions} for ${model.id}.`);
  }
  const meter = await meterLocal(gateway, request, reply, "embeddings", model.id);
  try {
    const turn = { key: turnOf(request.caller), flow: request.id };
    const { vectors, tokens } = await model.embed({ ...turn, texts }, request.signal);
    settleLocal(meter, tokens, 0);
    return {
      object: "list" as const,
      data: vectors.map((vector, index) => ({
        object: "embedding",
        index,
        embedding: wanted.encoding_format === "base64" ? toBase64(vector) : Array.from(vector),
      })),
      model: model.id,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
  } finally {
    meter.release();
  }
}
