import { z } from "zod";
import { model } from "../fields.ts";

export const videoRequest = z.looseObject({
  model,
  prompt: z.string().min(1),
  duration: z.int().min(1).max(600).nullish().meta({ description: "Seconds." }),
  aspectRatio: z
    .string()
    .regex(/^\d{1,4}:\d{1,4}$/, "must be <w>:<h>")
    .nullish(),
  generateAudio: z.boolean().nullish(),
  n: z.int().min(1).max(10).nullish(),
});
export type VideoWanted = z.output<typeof videoRequest>;

export const videoStates = ["queued", "running", "completed", "failed"] as const;

export const videoJob = z.looseObject({
  id: z.string(),
  object: z.literal("video.generation"),
  status: z.enum(videoStates),
});
