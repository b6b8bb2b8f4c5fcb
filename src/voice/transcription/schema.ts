import { z } from "zod";
import { fileField } from "../../platform/http/form.ts";
import { uploadBytes } from "../fields.ts";

export const transcribeForm = z.object({
  file: fileField(uploadBytes, "mp3, m4a, wav, webm or mp4, up to 25 MB."),
  language: z.string().default("auto").meta({ description: "Code, or auto to detect it." }),
});

export const transcript = z.object({
  text: z.string(),
  language: z.string(),
  durationMs: z.int(),
  model: z.string(),
});
