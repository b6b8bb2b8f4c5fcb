import { z } from "zod";
import { model } from "../fields.ts";

export const rerankRequest = z.looseObject({
  model,
  query: z.string().min(1),
  documents: z
    .array(z.union([z.string(), z.looseObject({})]))
    .min(1)
    .max(10_000),
  top_n: z.int().min(1).nullish(),
});
export type RerankWanted = z.output<typeof rerankRequest>;

export const rerankReply = z.looseObject({
  results: z.array(z.looseObject({ index: z.int(), relevance_score: z.number() })),
  usage: z.looseObject({ total_tokens: z.int() }),
});
