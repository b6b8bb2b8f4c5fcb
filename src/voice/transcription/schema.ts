import { z } from "zod";
import { fileField, formNumber } from "../../platform/http/form.ts";
import { uploadBytes } from "../fields.ts";

const file = fileField(uploadBytes, "mp3, m4a, wav, webm or mp4, up to 25 MB. Judged by its content, not by its name.");

export const transcribeForm = z.strictObject({
  file,
  language: z.string().default("auto").meta({ description: "Code, or auto to detect it." }),
  timestamps: z.enum(["segment", "word"]).optional().meta({
    description: "Adds segments with their times to the reply; word adds words, whose times are approximate.",
  }),
  response_format: z
    .enum(["json", "text", "srt", "vtt"])
    .default("json")
    .meta({ description: "json (default), plain text, or subtitles." }),
});

const timedWord = z.object({ word: z.string(), startMs: z.int(), endMs: z.int() });

export const transcript = z.object({
  text: z.string(),
  language: z.string().meta({ description: "A language code, or und when it is none that is known." }),
  durationMs: z.int(),
  model: z.string(),
  confidence: z.number().meta({ description: "0 to 1, over all that was heard; 0 where nothing was." }),
  segments: z
    .array(
      z.object({
        startMs: z.int(),
        endMs: z.int(),
        text: z.string(),
        language: z.string(),
        confidence: z.number(),
        words: z.array(timedWord).optional().meta({ description: "Times of words are approximate." }),
      }),
    )
    .optional()
    .meta({ description: "With `timestamps` only." }),
});

const granularities = z.array(z.enum(["segment", "word"]));

/** What OpenAI's clients send; fields that change nothing here are taken and ignored. */
export const openAiTranscribeForm = z.object({
  file,
  model: z.string().optional().meta({ description: "Accepted and ignored: there is one transcription model." }),
  language: z.string().optional(),
  response_format: z.enum(["json", "text", "srt", "vtt", "verbose_json"]).default("json"),
  "timestamp_granularities[]": granularities.optional(),
  timestamp_granularities: z.preprocess((value) => [value].flat(), granularities).optional(),
  prompt: z.string().optional(),
  temperature: formNumber.optional(),
  stream: z.string().optional(),
});

export const openAiTranscript = z.object({ text: z.string() });
