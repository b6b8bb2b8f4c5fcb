import { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import { anthropicErrors } from "../dialects/anthropic-errors.ts";
import { problemReplies } from "../fields.ts";
import { countRequest } from "./schema.ts";

export function addTokenCountRoute(app: HttpApp): void {
  app.post(
    "/messages/count_tokens",
    {
      config: { scope: "gateway:read", dialect: anthropicErrors },
      schema: {
        summary: "How many tokens a message of Anthropic's dialect has, counted here and within a tenth",
        body: countRequest,
        response: { 200: z.object({ input_tokens: z.int() }), ...problemReplies },
      },
    },
    async (request) => ({ input_tokens: requestTokens(request.body) }),
  );
}
