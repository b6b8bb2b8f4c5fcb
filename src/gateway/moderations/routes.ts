import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { estimateTokens } from "../charging/estimate.ts";
import { model, problemReplies } from "../fields.ts";
import { forwardTokens } from "../forwarding/forward-tokens.ts";
import type { Gateway } from "../gateway.ts";
import { localPrefix } from "../local/find-local.ts";

const moderationRequest = z.looseObject({ model, input: z.union([z.string(), z.array(z.any()).min(1)]) });
const moderationReply = z.looseObject({ id: z.string(), results: z.array(z.looseObject({})) });

export function addModerationRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/moderations",
    {
      config: { scope: "gateway:read" },
      schema: {
        summary: "Moderation, of upstreams that offer it",
        body: moderationRequest,
        response: { 200: moderationReply, ...problemReplies },
      },
    },
    (request, reply) => {
      if (request.body.model.startsWith(localPrefix)) {
        throw new Problem("model_not_found", "There are no moderation models in this process.");
      }
      const { rawBody } = request;
      return forwardTokens(gateway, request, reply, {
        endpoint: "moderations",
        isChat: false,
        // Nothing is written.
        estimate: (listed) => estimateTokens({ max_tokens: 0 }, rawBody.length, listed, ["max_tokens"]),
      });
    },
  );
}
