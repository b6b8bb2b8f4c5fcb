import { z } from "zod";
import { fitCharacters } from "../../platform/characters.ts";

const mostItems = 64;
const mostCharacters = 32_000;

const one = z.string().refine((text) => text.trim() !== "", "must not be empty");

export const embeddingsRequest = z.object({
  input: z
    .union([one, z.array(one).min(1).max(mostItems)])
    .refine(
      (input) => fitCharacters([input].flat(), mostCharacters),
      `must have at most ${mostCharacters} characters in total`,
    )
    .meta({ description: `A text, or up to ${mostItems} texts with ${mostCharacters} characters in total.` }),
});

export const embeddingsReply = z.object({
  embeddings: z.array(z.array(z.number())),
  dimensions: z.int(),
  model: z.string(),
  usage: z.object({ input_tokens: z.int() }),
});
