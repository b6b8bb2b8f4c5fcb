import { z } from "zod";
import { fileField, formBoolean, formNumber } from "../../platform/http/form.ts";
import { tokenUsage, uploadBytes } from "../fields.ts";

export const dubForm = z.strictObject({
  file: fileField(uploadBytes, "mp3, m4a, wav, webm or mp4, up to 25 MB. Judged by its content, not by its name."),
  target_language: z.string().min(1).meta({ description: "Language code of the catalog." }),
  source_language: z.string().default("auto").meta({ description: "Code, or auto to detect it." }),
  voice: z
    .string()
    .optional()
    .meta({ description: "A voice of the target language, or a persona: p_... Ignored when preserve_voice is true." }),
  speed: formNumber.pipe(z.number().min(0.5).max(2)).default(1),
  preserve_voice: formBoolean.default(false).meta({
    description: "Speaks with the voice of the recording, cloned for this request only.",
  }),
  timing: formBoolean.default(false).meta({ description: "Each sentence begins when it began in the source." }),
  format: z
    .enum(["wav", "mp3", "srt", "vtt"])
    .optional()
    .meta({ description: "wav (default) or mp3; of subtitles srt (default) or vtt." }),
  output: z
    .enum(["audio", "subtitles"])
    .default("audio")
    .meta({ description: "subtitles: the translation with the times of the source, as a file, and no audio." }),
  keep_background: formBoolean.default(false).meta({
    description: "Keeps what is heard between the words of the source quietly under the voice.",
  }),
});

export const dubReply = z.object({
  audio: z.string().meta({ description: "base64" }),
  format: z.string(),
  sampleRate: z.int(),
  durationMs: z.int(),
  sourceText: z.string(),
  translation: z.string(),
  sourceLanguage: z.string(),
  targetLanguage: z.string(),
  targetLanguageCode: z.string(),
  detectedLanguage: z.string(),
  truncated: z.boolean().meta({
    description: "Whether only the part up to the last whole sentence within 3000 characters was dubbed.",
  }),
  timing: z.boolean(),
  preserveVoice: z.boolean(),
  match: z
    .enum(["voice", "nearest"])
    .optional()
    .meta({ description: "With preserve_voice: whether the very voice speaks, or the trained one that is nearest." }),
  speakers: z.int().meta({ description: "How many people were told apart; each has a voice of their own." }),
  segments: z.array(
    z.object({
      sourceStartMs: z.int(),
      sourceEndMs: z.int(),
      startMs: z.int(),
      endMs: z.int(),
      stretch: z.number().meta({ description: "How much faster than the voice would have spoken by itself." }),
      speaker: z.int().meta({ description: "0 is whoever speaks first." }),
      sourceText: z.string(),
      text: z.string(),
    }),
  ),
  usage: tokenUsage,
});
