import { z } from "zod";
import { model } from "../fields.ts";

const input = z.union([z.string(), z.array(z.any()).min(1)]).meta({ description: "A text, texts, or tokens." });
export const embeddingRequest = z.looseObject({
  model,
  input,
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z.int().min(1).nullish(),
});
export const embeddingReply = z.looseObject({
  object: z.literal("list"),
  data: z.array(
    z.looseObject({
      object: z.string().optional(),
      index: z.int().optional(),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .meta({ description: "A string with encoding_format base64." }),
    }),
  ),
  model: z.string(),
});
