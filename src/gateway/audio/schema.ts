import { z } from "zod";
import { fileField } from "../../platform/http/form.ts";
import { model } from "../fields.ts";

export const speechFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
export type SpeechFormat = (typeof speechFormats)[number];

export const speechTypes: Readonly<Record<SpeechFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

export const speechRequest = z.looseObject({
  model,
  input: z.string().min(1).meta({ description: "Text to speak." }),
  voice: z
    .union([z.string(), z.looseObject({})])
    .nullish()
    .meta({ description: "alloy, echo, fable, onyx, nova, shimmer, or one of the model's own." }),
  response_format: z.enum(speechFormats).nullish(),
  speed: z.number().min(0.25).max(4).nullish(),
});
export type SpeechWanted = z.output<typeof speechRequest>;

const largestAudio = 25_000_000;
const transcriptFormats = ["json", "text", "srt", "verbose_json", "vtt", "diarized_json"] as const;

const granularities = z.array(z.string());

export const transcriptionForm = z.looseObject({
  file: fileField(largestAudio, "").meta({ description: "Audio, up to 25 MB.", type: "string", format: "binary" }),
  model,
  language: z.string().optional(),
  response_format: z.enum(transcriptFormats).default("json"),
  "timestamp_granularities[]": granularities.optional(),
  timestamp_granularities: z.preprocess((value) => [value].flat(), granularities).optional(),
});
export type TranscriptionWanted = z.output<typeof transcriptionForm>;

export const transcriptReply = z.looseObject({ text: z.string() });
