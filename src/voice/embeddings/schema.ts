import { z } from "zod";
import { fitCharacters } from "../../platform/characters.ts";

const mostItems = 64;
const mostCharacters = 32_000;

/** What somebody who sent neither is told. */
const notTexts = '="input" must be a text or a list of texts.';
const isText = (input: unknown) =>
  typeof input === "string" || (Array.isArray(input) && input.every((text) => typeof text === "string"));

const one = z.string().refine((text) => text.trim() !== "", "must not be empty");

/** OpenAI's clients name a model of the gateway, and get OpenAI's reply from it. */
const openAiFields = {
  model: z.string().optional().meta({ description: "A model of the gateway: the reply is then OpenAI's." }),
  encoding_format: z.enum(["float", "base64"]).optional().meta({ description: "As model: the reply is OpenAI's." }),
  dimensions: z.int().optional(),
  user: z.string().optional(),
};

export const embeddingsRequest = z
  .strictObject({
    input: z
      .union([one, z.array(one).min(1)], { error: (issue) => (isText(issue.input) ? undefined : notTexts) })
      .meta({ description: `A text, or up to ${mostItems} texts with ${mostCharacters} characters in total.` }),
    ...openAiFields,
  })
  .superRefine((request, context) => {
    if (isOpenAi(request)) return;
    const texts = [request.input].flat();
    const complain = (message: string) => context.addIssue({ code: "custom", path: ["input"], message });
    if (texts.length > mostItems) complain(`has ${texts.length} texts; ${mostItems} are the most in one request`);
    else if (!fitCharacters(texts, mostCharacters)) complain(`must have at most ${mostCharacters} characters in total`);
  });

export function isOpenAi({ model, encoding_format }: { model?: unknown; encoding_format?: unknown }): boolean {
  return model !== undefined || encoding_format !== undefined;
}

export const embeddingsReply = z.object({
  embeddings: z.array(z.array(z.number())),
  dimensions: z.int(),
  model: z.string(),
  usage: z.object({ input_tokens: z.int() }),
});
