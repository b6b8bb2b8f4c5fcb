import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { fileField, formNumber } from "../../platform/http/form.ts";
import { countTokens } from "../charging/count-tokens.ts";
import { type Estimate, estimateUnits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import { highest, imagePrice } from "../charging/prices.ts";
import { model, problemReplies } from "../fields.ts";
import { forwardTokens } from "../forwarding/forward-tokens.ts";
import { contentOf, formsFor, keepRawForm } from "../forwarding/raw-form.ts";
import { respondJson } from "../forwarding/respond-json.ts";
import { beginRequest, type Plan } from "../forwarding/start-request.ts";
import type { Gateway } from "../gateway.ts";
import { localPrefix } from "../local/find-local.ts";
import type { Json, ListedModel } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf } from "../upstreams/upstream.ts";

const imageRequest = z.looseObject({
  model,
  prompt: z.string().min(1),
  size: z
    .string()
    .regex(/^(\d{1,5}x\d{1,5}|auto)$/, "must be <width>x<height>")
    .nullish(),
  n: z.int().min(1).max(100).nullish(),
});
const picture = fileField(25_000_000, "A picture.").meta({ type: "string", format: "binary" });
const editForm = z.looseObject({
  model,
  prompt: z.string().min(1),
  image: picture.optional(),
  "image[]": z.union([picture, z.array(picture)]).optional(),
  mask: picture.optional(),
  n: formNumber.pipe(z.int().min(1).max(100)).optional(),
});
const imageReply = z.looseObject({
  created: z.int(),
  data: z.array(z.looseObject({ b64_json: z.string().optional(), url: z.string().optional() })),
});

export async function addImageRoutes(app: HttpApp, gateway: Gateway): Promise<void> {
  await addEditRoute(app, gateway);
  app.post(
    "/images/generations",
    {
      config: { scope: "gateway:read" },
      schema: { summary: "Image generation", body: imageRequest, response: { 200: imageReply, ...problemReplies } },
    },
    (request, reply) => {
      refuseLocal(request.body.model);
      const count = request.body.n ?? 1;
      return forwardTokens(gateway, request, reply, {
        endpoint: "images/generations",
        isChat: false,
        estimate: (listed) => estimateImages(listed, count, request.body, request.rawBody.length),
        settleUnheard: (meter) => void settleImages(meter, count, request.body),
        settle(meter, body) {
          return settleImages(meter, Array.isArray(body.data) ? body.data.length : count, request.body);
        },
      });
    },
  );
}

/** Pictures with a text that says what to change, as a form. */
async function addEditRoute(app: HttpApp, gateway: Gateway): Promise<void> {
  await app.register(async (plain) => {
    const scoped = plain as unknown as HttpApp;
    keepRawForm(scoped);
    scoped.post(
      "/images/edits",
      {
        config: { scope: "gateway:read" },
        schema: {
          summary: "Changing images",
          consumes: ["multipart/form-data"],
          body: editForm,
          response: { 200: imageReply, ...problemReplies },
        } as { body: typeof editForm },
      },
      async (request, reply) => {
        const wanted = request.body;
        refuseLocal(wanted.model);
        const count = wanted.n ?? 1;
        const formFor = await formsFor(gateway, request, wanted);
        const recorder = gateway.replays.begin(request, reply, contentOf(wanted));
        if (recorder === "replayed") return reply;
        const onFailure = (error: unknown) => {
          recorder?.abandon();
          reply.send(error);
        };
        const inputTokens = () => countTokens(wanted.prompt);
        const plan: Plan = {
          endpoint: "images/edits",
          model: wanted.model,
          isRepeatable: recorder !== undefined,
          settleUnheard: (meter) => void settleImages(meter, count, wanted),
          estimate: (listed) => estimateImages(listed, count, wanted, request.rawBody.length),
          callFor({ upstream }) {
            const path = pathOf(upstream, "images/edits");
            return path === undefined ? undefined : callUpstream(upstream, { path, ...formFor(upstream) });
          },
        };
        beginRequest(gateway, request, plan, {
          onStarted(started) {
            const settle = (meter: Meter, body: Json) =>
              settleImages(meter, Array.isArray(body.data) ? body.data.length : count, wanted);
            respondJson(gateway, reply, started, { inputTokens, recorder, settle, onFailure });
          },
          onFailure,
        });
        return reply;
      },
    );
  });
}

function refuseLocal(model: string): void {
  if (model.startsWith(localPrefix)) {
    throw new Problem("model_not_found", "There are no image models in this process.");
  }
}

function estimateImages(
  listed: readonly (ListedModel | undefined)[],
  count: number,
  wanted: Record<string, unknown>,
  bytes: number,
): Estimate {
  const prices = listed.map((one) => one?.prices);
  const perImage = highest([undefined, ...prices.map((one) => one && imagePrice(one, wanted))]);
  return estimateUnits(count, perImage, prices.find(Boolean), bytes);
}

function settleImages(meter: Meter, count: number, wanted: Record<string, unknown>): boolean {
  const price = meter.prices && imagePrice(meter.prices, wanted);
  if (price === undefined) return false;
  meter.settle(BigInt(count) * price, "units");
  return true;
}
