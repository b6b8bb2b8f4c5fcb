import { z } from "zod";
import { estimateTokens } from "../charging/estimate.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import { model } from "../fields.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";

const moderationRequest = z.looseObject({ model, input: z.union([z.string(), z.array(z.any()).min(1)]) });

export const moderations: EndpointDescriptor<z.output<typeof moderationRequest>> = {
  name: "moderations",
  path: "/moderations",
  summary: "Moderation, of upstreams that offer it",
  schema: moderationRequest,
  reply: z.looseObject({ id: z.string(), results: z.array(z.looseObject({})) }),
  takesAlternatives: true,
  // Nothing is written.
  estimate: ({ rawBody }, listed) => estimateTokens({ max_tokens: 0 }, rawBody.length, listed, ["max_tokens"]),
  inputTokens: requestTokens,
};
