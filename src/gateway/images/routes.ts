import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { estimateUnits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import { highest, imagePrice } from "../charging/prices.ts";
import { model, problemReplies } from "../fields.ts";
import { forwardTokens } from "../forwarding/forward-tokens.ts";
import type { Gateway } from "../gateway.ts";
import { localPrefix } from "../local/find-local.ts";

const imageRequest = z.looseObject({
  model,
  prompt: z.string().min(1),
  size: z
    .string()
    .regex(/^(\d{1,5}x\d{1,5}|auto)$/, "must be <width>x<height>")
    .nullish(),
  n: z.int().min(1).max(100).nullish(),
});
const imageReply = z.looseObject({
  created: z.int(),
  data: z.array(z.looseObject({ b64_json: z.string().optional(), url: z.string().optional() })),
});

export function addImageRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/images/generations",
    {
      config: { scope: "gateway:read" },
      schema: { summary: "Image generation", body: imageRequest, response: { 200: imageReply, ...problemReplies } },
    },
    (request, reply) => {
      if (request.body.model.startsWith(localPrefix)) {
        throw new Problem("model_not_found", "There are no image models in this process.");
      }
      const count = request.body.n ?? 1;
      return forwardTokens(gateway, request, reply, {
        endpoint: "images/generations",
        isChat: false,
        estimate: (listed) => {
          const prices = listed.map((one) => one?.prices);
          const perImage = highest([undefined, ...prices.map((one) => one && imagePrice(one, request.body))]);
          return estimateUnits(count, perImage, prices.find(Boolean), request.rawBody.length);
        },
        settleUnheard: (meter) => void settleImages(meter, count, request.body),
        settle(meter, body) {
          return settleImages(meter, Array.isArray(body.data) ? body.data.length : count, request.body);
        },
      });
    },
  );
}

function settleImages(meter: Meter, count: number, wanted: Record<string, unknown>): boolean {
  const price = meter.prices && imagePrice(meter.prices, wanted);
  if (price === undefined) return false;
  meter.settle(BigInt(count) * price, "units");
  return true;
}
