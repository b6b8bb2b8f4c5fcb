import { z } from "zod";
import { fileField, formNumber } from "../../platform/http/form.ts";
import { costOfUnits, type Known, type Price } from "../charging/cost.ts";
import { countTokens } from "../charging/count-tokens.ts";
import { type Estimate, estimateUnits } from "../charging/estimate.ts";
import type { ListedModel } from "../charging/prices.ts";
import { highest, imagePrice } from "../charging/prices.ts";
import { model } from "../fields.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import type { ForwardedRequest } from "../pipeline/gateway.ts";

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

interface ImagesWanted {
  model: string;
  prompt: string;
  n?: number | null | undefined;
}

/** Images have a price each, by size and quality where the catalog says so. */
const billing = {
  reply: imageReply,
  estimate({ body, rawBody }: ForwardedRequest<ImagesWanted>, listed: readonly (ListedModel | undefined)[]): Estimate {
    const prices = listed.map((one) => one?.prices);
    const perImage = highest([undefined, ...prices.map((one) => one && imagePrice(one, { ...body }))]);
    return estimateUnits(body.n ?? 1, perImage, prices.find(Boolean), rawBody.length);
  },
  price(wanted: ImagesWanted, { prices, body }: Known): Price | undefined {
    const price = prices && imagePrice(prices, { ...wanted });
    if (price === undefined) return undefined;
    const made = body?.data ?? body?.images;
    const count = Array.isArray(made) ? made.length : (wanted.n ?? 1);
    return { cost: costOfUnits(count, price), source: "units" };
  },
  inputTokens: ({ prompt }: ImagesWanted) => countTokens(prompt),
};

export const imageGenerations: EndpointDescriptor<z.output<typeof imageRequest>> = {
  ...billing,
  name: "images/generations",
  path: "/images/generations",
  summary: "Image generation",
  schema: imageRequest,
  takesAliases: true,
};

/** Pictures with a text that says what to change, as a form. */
export const imageEdits: EndpointDescriptor<z.output<typeof editForm>> = {
  ...billing,
  name: "images/edits",
  path: "/images/edits",
  summary: "Changing images",
  schema: editForm,
  takes: "form",
};
