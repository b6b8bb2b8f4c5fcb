import { z } from "zod";
import { shortText, speed, writtenText } from "../fields.ts";

export const speechRequest = z.strictObject({
  text: writtenText(3000).meta({
    description:
      "Up to 3000 characters, in the script of the chosen language. A pronunciation can be given as [word](/ipa/). A text that begins with <speak> is SSML: break, emphasis, prosody, say-as, sub, phoneme, p, s.",
  }),
  language: z.string().optional().meta({ description: "Language code; selects the engine. Default en-us." }),
  voice: z.string().optional().meta({ description: "Voice id. Default: the language's first voice." }),
  speed: speed.default(1),
  format: z
    .enum(["wav", "mp3", "pcm", "opus"])
    .default("wav")
    .meta({ description: "pcm is 16-bit little-endian mono, opus comes in Ogg." }),
  persona_id: z.string().optional().meta({ description: "A saved persona; fields given here win over the persona's." }),
  tone_preset: z.string().optional().meta({ description: "How it is said: one of the tones of docs/personas.md." }),
  style_text: shortText(4000)
    .optional()
    .meta({ description: 'How it is said, in words: "slowly, with a deep voice".' }),
  stream: z.boolean().default(false).meta({
    description: "Send audio while it is synthesized. The length is then unknown, so X-Svc-Duration-Ms is absent.",
  }),
});

export type SpeechBody = z.infer<typeof speechRequest>;

export const voiceCatalog = z.object({
  languages: z.array(
    z.object({
      code: z.string(),
      label: z.string(),
      engine: z.enum(["engine_a", "engine_b"]),
      voices: z.array(z.object({ id: z.string(), label: z.string() })),
      heard: z.enum(["yes", "preview", "no"]).meta({
        description: "Whether speech in this language is recognised. A preview may have every third word wrong.",
      }),
      heardJudgedBy: z.enum(["recordings", "own voices", "published", "operator"]).optional().meta({
        description:
          "What that was judged by: recordings of people, our own voices heard back, figures of the model's authors, or whoever added a recogniser.",
      }),
      translates: z.boolean().meta({ description: "Whether /v1/translate can put English into this language." }),
    }),
  ),
});
