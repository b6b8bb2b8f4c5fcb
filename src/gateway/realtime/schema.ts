import { z } from "zod";
import { model } from "../fields.ts";

export const tokenRequest = z.looseObject({ model, voice: z.string().optional() });
export const tokenReply = z.object({
  token: z.string(),
  url: z.string(),
  model: z.string(),
  expires_at: z.int(),
  session_id: z.string(),
});

export type RealtimeWanted = z.output<typeof tokenRequest>;
