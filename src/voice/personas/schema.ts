import { z } from "zod";
import { fileField } from "../../platform/http/form.ts";
import { shortText, uploadBytes, writtenText } from "../fields.ts";

const name = writtenText(80);
const styleText = shortText(4000);

export const newPersona = z.object({
  kind: z.enum(["engine_a", "clone"]).default("engine_a"),
  name,
  base_voice: z.string().optional(),
  tone_preset: z.string().optional(),
  style_text: styleText.optional(),
  language: z.string().default("en-us"),
});

export const newClone = newPersona.extend({
  kind: z.enum(["engine_a", "clone"]).default("clone"),
  file: fileField(uploadBytes, "3 to 40 seconds of clean speech."),
});

export const personaChange = z.object({
  name: name.optional(),
  base_voice: z.string().optional(),
  tone_preset: z.string().nullable().optional(),
  style_text: styleText.nullable().optional(),
  language: z.string().optional(),
});

export const personaPath = z.object({ id: z.string() });

export const personaPage = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
});

export const persona = z.object({
  id: z.string(),
  name: z.string(),
  engine: z.string(),
  kind: z.enum(["engine_a", "clone"]),
  baseVoice: z.string().nullable(),
  refText: z.string().nullable(),
  durationMs: z.int().nullable(),
  tonePreset: z.string().nullable(),
  styleText: z.string().nullable(),
  language: z.string(),
  status: z.enum(["processing", "ready", "failed"]),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
