import { z } from "zod";
import { speed, ttlSeconds } from "../fields.ts";

export const speechStreamRequest = z.strictObject({
  voice: z.string().optional().meta({ description: "engine_a voices only." }),
  language: z.string().optional().meta({ description: "engine_a language code." }),
  speed: speed.optional(),
  persona_id: z.string().optional().meta({ description: "A saved persona; fields given here win over the persona's." }),
  ttl_seconds: ttlSeconds,
});

export const hearingStreamRequest = z.strictObject({
  language: z.string().optional().meta({ description: "Pins the decoder; omit to detect it per utterance." }),
  ttl_seconds: ttlSeconds,
});

export const detectingStreamRequest = z.strictObject({ ttl_seconds: ttlSeconds });

export const pinnedStreamRequest = z.strictObject({
  language: z.string().min(1).meta({ description: "Language to pin." }),
  ttl_seconds: ttlSeconds,
});

export const streamReply = z.object({
  session_id: z.string(),
  token: z.string().meta({ description: "Opens exactly one stream." }),
  expires_in: z.int(),
  url: z.string().meta({ description: "WebSocket address with the token." }),
  stream_url: z.string().meta({
    description: 'The same without it: send the token as "Authorization: Bearer" or as `token` in the first message.',
  }),
  sample_rate: z.int(),
  format: z.literal("pcm_s16le"),
  channels: z.literal(1),
  model: z.string(),
});

export const detectingStreamReply = streamReply.extend({ interim: z.literal(true), auto_detect: z.literal(true) });

export const pinnedStreamReply = streamReply.extend({
  interim: z.literal(true),
  auto_detect: z.literal(false),
  settings: z.object({ language: z.string() }),
});
