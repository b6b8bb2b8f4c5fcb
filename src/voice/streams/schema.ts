import { z } from "zod";
import { STREAM_ENCODINGS, STREAM_RATES_HZ } from "../../audio/stream-codec.ts";
import { speed, ttlSeconds } from "../fields.ts";

const format = {
  encoding: z
    .enum(STREAM_ENCODINGS)
    .default("pcm_s16le")
    .meta({ description: "How the sound travels. Opus: one packet in each binary message." }),
  sample_rate: z
    .literal(STREAM_RATES_HZ)
    .optional()
    .meta({ description: "Samples a second; default 16000 for hearing and 24000 for speech." }),
};
export type FormatWanted = z.output<z.ZodObject<typeof format>>;

export const speechStreamRequest = z.strictObject({
  voice: z.string().optional().meta({ description: "engine_a voices only." }),
  language: z.string().optional().meta({ description: "engine_a language code." }),
  speed: speed.optional(),
  persona_id: z.string().optional().meta({ description: "A saved persona; fields given here win over the persona's." }),
  ...format,
  ttl_seconds: ttlSeconds,
});
export type SpeechStreamWanted = z.output<typeof speechStreamRequest>;

export const hearingStreamRequest = z.strictObject({
  language: z.string().optional().meta({ description: "Pins the decoder; omit to detect it per utterance." }),
  ...format,
  ttl_seconds: ttlSeconds,
});

export const detectingStreamRequest = z.strictObject({ ...format, ttl_seconds: ttlSeconds });

export const pinnedStreamRequest = z.strictObject({
  language: z.string().min(1).meta({ description: "Language to pin." }),
  ...format,
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
  format: z.enum(STREAM_ENCODINGS),
  channels: z.literal(1),
  model: z.string(),
});

export const detectingStreamReply = streamReply.extend({ interim: z.literal(true), auto_detect: z.literal(true) });

export const pinnedStreamReply = streamReply.extend({
  interim: z.literal(true),
  auto_detect: z.literal(false),
  settings: z.object({ language: z.string() }),
});

/** The same fields in the address of a socket that is opened with a key: numbers are words there. */
const inAddress = { ...format, sample_rate: z.coerce.number().pipe(z.literal(STREAM_RATES_HZ)).optional() };
const spoken = speechStreamRequest.shape;

export const streamQueries = {
  tts: z.strictObject({
    voice: spoken.voice,
    language: spoken.language,
    speed: z.coerce.number().pipe(speed).optional(),
    persona_id: spoken.persona_id,
    ...inAddress,
  }),
  stt: z.strictObject({ language: z.string().optional(), ...inAddress }),
  "stt/auto": z.strictObject(inAddress),
  "stt/lang": z.strictObject({ language: z.string().min(1), ...inAddress }),
};
