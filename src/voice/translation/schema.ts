import { z } from "zod";
import { tokenUsage, writtenText } from "../fields.ts";

export const translateRequest = z.strictObject({
  text: writtenText(3000),
  target_language: z.string().min(1).meta({ description: "Language code." }),
  source_language: z.string().default("auto").meta({ description: "Code, or auto to detect it." }),
});

export const translation = z.object({
  source: z.string(),
  translation: z.string(),
  sourceLanguage: z.string(),
  targetLanguage: z.string(),
  targetLanguageCode: z.string(),
  model: z.string().meta({
    description: "svc-translate-1, and after a slash what translated: translator, apertium or a server's model.",
  }),
  quality: z
    .literal("preview")
    .optional()
    .meta({ description: "Present where the translation is good for the gist only, or was never measured." }),
  usage: tokenUsage,
});
