import { z } from "zod";
import { fileField, formBoolean, formNumber } from "../../platform/http/form.ts";
import { tokenUsage, uploadBytes } from "../fields.ts";

export const dubForm = z.object({
  file: fileField(uploadBytes, "mp3, m4a, wav, webm or mp4, up to 25 MB."),
  target_language: z.string().min(1),
  source_language: z.string().default("auto"),
  voice: z.string().optional().meta({ description: "Ignored when preserve_voice is true." }),
  speed: formNumber.pipe(z.number().min(0.5).max(2)).default(1),
  preserve_voice: formBoolean.default(false),
  timing: formBoolean.default(false),
  format: z.enum(["wav", "mp3"]).default("wav"),
});

export const dubReply = z.object({
  audio: z.string(),
  format: z.string(),
  sampleRate: z.int(),
  durationMs: z.int(),
  sourceText: z.string(),
  translation: z.string(),
  sourceLanguage: z.string(),
  targetLanguage: z.string(),
  targetLanguageCode: z.string(),
  detectedLanguage: z.string(),
  truncated: z.boolean(),
  timing: z.boolean(),
  preserveVoice: z.boolean(),
  usage: tokenUsage,
});
