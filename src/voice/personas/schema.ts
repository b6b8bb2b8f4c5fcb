import { z } from "zod";
import { fileField } from "../../platform/http/form.ts";
import { shortText, storable, uploadBytes, writtenText } from "../fields.ts";

const name = z.string().transform(storable).pipe(writtenText(80));
const styleText = z.string().transform(storable).pipe(shortText(4000));
const consent = z
  .string()
  .transform(storable)
  .pipe(shortText(500))
  .meta({ description: "Who agreed to their voice being cloned, and how you know." });

export const newPersona = z.strictObject({
  kind: z.enum(["engine_a", "clone"]).default("engine_a"),
  name,
  base_voice: z.string().nullish().meta({ description: "Voice id to bundle; default: the language's first voice." }),
  tone_preset: z.string().nullish().meta({ description: "One of the tones of docs/personas.md." }),
  style_text: styleText.nullish(),
  language: z.string().default("en-us"),
});

export const newClone = newPersona.extend({
  kind: z.enum(["engine_a", "clone"]).default("clone"),
  file: fileField(uploadBytes, "3 to 40 seconds of clean speech of one person.").optional(),
  consent: consent.optional(),
});

export const clonePreview = z.strictObject({
  file: fileField(uploadBytes, "3 to 40 seconds of clean speech of one person; nothing of it is stored."),
  text: writtenText(500).meta({ description: "What the voice is to say, up to 500 characters." }),
  language: z.string().default("en-us"),
  tone_preset: z.string().optional(),
  style_text: styleText.optional(),
  format: z.enum(["wav", "mp3", "pcm", "opus"]).default("wav"),
});

export const personaChange = z.strictObject({
  name: name.optional(),
  base_voice: z.string().nullable().optional(),
  tone_preset: z.string().nullable().optional(),
  style_text: styleText.nullable().optional(),
  language: z.string().optional(),
});

export const personaPath = z.object({ id: z.string() });

export const personaPage = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
});

export const persona = z.object({
  id: z.string(),
  name: z.string(),
  engine: z.enum(["engine_a", "engine_b"]),
  kind: z.enum(["engine_a", "clone"]),
  baseVoice: z.string().nullable(),
  refText: z.string().nullable().meta({ description: "What is said in a clone's clip." }),
  refTextReason: z.string().optional().meta({ description: "Why a clone has no refText." }),
  durationMs: z.int().nullable().meta({ description: "Length of a clone's clip." }),
  tonePreset: z.string().nullable(),
  styleText: z.string().nullable(),
  language: z.string(),
  status: z.enum(["processing", "ready", "failed"]),
  statusReason: z.string().optional().meta({ description: "Why it failed." }),
  match: z.enum(["voice", "nearest"]).optional().meta({
    description:
      "Clones: voice where the persona's language is spoken with the very voice, nearest where the trained voice that is nearest speaks, with its pitch and timbre matched.",
  }),
  consent: z
    .object({ by: z.string(), at: z.string() })
    .optional()
    .meta({ description: "Clones: who agreed, as it was sent, and when it was sent." }),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});

export const removedPersona = z.object({ id: z.string(), deleted: z.literal(true) });
