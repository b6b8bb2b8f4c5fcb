import { z } from "zod";
import { shortText, ttlSeconds } from "../fields.ts";

export const sessionRequest = z.object({
  voice: z.string().optional(),
  language: z.string().optional(),
  tone_preset: z.string().optional(),
  style_text: shortText(4000).optional(),
  temperature: z.number().min(0).max(2).optional(),
  persona_id: z.string().startsWith("p_").optional(),
  mode: z.enum(["assistant", "external"]).default("assistant"),
  ttl_seconds: ttlSeconds,
});

export const sessionReply = z.object({
  session_id: z.string(),
  token: z.string(),
  expires_at: z.string(),
  expires_in: z.int(),
  url: z.string(),
  ice_servers: z.array(
    z.object({
      urls: z.union([z.string(), z.array(z.string())]),
      username: z.string().optional(),
      credential: z.string().optional(),
    }),
  ),
  settings: z.object({ voice: z.string(), language: z.string() }),
  model: z.string(),
});
