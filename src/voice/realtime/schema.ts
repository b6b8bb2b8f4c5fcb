import { z } from "zod";
import { problem, shortText, ttlSeconds } from "../fields.ts";

export const sessionRequest = z.strictObject({
  voice: z.string().optional().meta({ description: "Voice id for replies. Default: one that answers quickly." }),
  language: z.string().optional().meta({ description: "What is heard and what is spoken. Default en-us." }),
  tone_preset: z.string().optional().meta({ description: "How it speaks: one of the tones of docs/personas.md." }),
  style_text: shortText(4000).optional().meta({ description: "How it speaks and what it is to say, in words." }),
  temperature: z.number().min(0).max(2).optional(),
  persona_id: z.string().startsWith("p_").optional().meta({
    description: "A saved persona; fields given here win over the persona's.",
  }),
  mode: z.enum(["assistant", "external"]).default("assistant"),
  ttl_seconds: ttlSeconds,
});

const iceServer = z.object({
  urls: z.union([z.string(), z.array(z.string())]),
  username: z.string().optional(),
  credential: z.string().optional(),
});

export const sessionReply = z.object({
  session_id: z.string(),
  token: z.string(),
  expires_at: z.string(),
  expires_in: z.int(),
  url: z.string().meta({ description: "Where the offer goes, with the token as query parameter `token`." }),
  ice_servers: z.array(iceServer),
  settings: z.object({ voice: z.string(), language: z.string() }),
  model: z.string(),
  webrtcRequestParams: z
    .object({ endpoint: z.string() })
    .meta({ description: "With iceConfig: this reply can be handed to a Pipecat client's connect() as it is." }),
  iceConfig: z.object({ iceServers: z.array(iceServer) }),
});

/** Offers of browsers have a few thousand characters. */
const mostSdpCharacters = 60_000;
const mostCandidates = 100;

export const offerRequest = z.object({
  sdp: z.string().min(1).max(mostSdpCharacters),
  type: z.literal("offer"),
  pc_id: z.string().nullish().meta({ description: "The connection that is negotiated anew." }),
  restart_pc: z.boolean().nullish().meta({ description: "Gives up the connection for a new one; the call goes on." }),
});

export const offerReply = z.object({ sdp: z.string(), type: z.literal("answer"), pc_id: z.string() });

export const candidatesRequest = z.object({
  pc_id: z.string(),
  candidates: z
    .array(
      z.object({
        candidate: z.string().max(1000),
        sdp_mid: z.string().max(100).nullish(),
        sdp_mline_index: z.number().nullish(),
      }),
    )
    .max(mostCandidates),
});

export const candidatesReply = z.object({ status: z.literal("success") });

/** The usual body, and beside it `detail`: that is where Pipecat clients look for the reason. */
const refusal = problem.extend({ detail: z.string() });

export const refusals = { 400: refusal, 401: refusal, 404: refusal, 429: refusal, 502: refusal };
