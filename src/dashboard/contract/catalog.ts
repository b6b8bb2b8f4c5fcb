import { z } from "zod";
import type { RouteContract } from "./route.ts";

const model = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  /** `chat`, `embedding`, `image` and so on. */
  type: z.string(),
  description: z.string(),
  contextWindow: z.number().nullable(),
  maxOutputTokens: z.number().nullable(),
  /** Runs inside this installation and costs nothing. */
  isLocal: z.boolean(),
  tags: z.array(z.string()),
  /** USD for a million tokens with everything included; null where the catalog does not say. */
  inputPerMillionUsd: z.string().nullable(),
  outputPerMillionUsd: z.string().nullable(),
  /** Further prices as the catalog states them, such as one for an image: name and decimal text. */
  otherPrices: z.record(z.string(), z.string()),
});
export type GatewayModel = z.infer<typeof model>;

const spokenLanguage = z.object({
  code: z.string(),
  label: z.string(),
  family: z.enum(["engine_a", "engine_b"]),
  /** The first is the default. */
  voices: z.array(z.object({ id: z.string(), label: z.string() })),
});

const language = z.object({
  code: z.string(),
  label: z.string(),
  /** Number of voices; 0 is not spoken. */
  voices: z.number(),
  /** `preview` may have every third word wrong. */
  heard: z.enum(["yes", "preview", "no"]),
  /** What the judgement rests on: recordings of people, our own voices heard back, published figures, or nothing here ("operator":
   *  a remote engine). */
  heardJudgedBy: z.enum(["recordings", "own voices", "published", "operator"]).nullable(),
  /** Languages that text of it can be translated into; `preview` is good enough for the gist. `chrf` compares with translations by
   *  people (0 to 100); null where it was not measured. */
  translatesInto: z.array(
    z.object({ code: z.string(), quality: z.enum(["good", "preview"]), chrf: z.number().nullable() }),
  ),
});
export type LanguageDetails = z.infer<typeof language>;

const engineState = z.object({
  capability: z.string(),
  engine: z.string(),
  state: z.enum(["ready", "loading", "missing", "failed"]),
  reason: z.string().optional(),
  progress: z.number().optional(),
});
export type EngineStateRow = z.infer<typeof engineState>;

export const catalogRoutes = {
  listModels: {
    method: "GET",
    path: "/catalog/models",
    access: "session",
    /** `problem` says why upstream models are missing. */
    reply: z.object({ models: z.array(model), problem: z.string().nullable() }),
  },
  listVoices: {
    method: "GET",
    path: "/catalog/voices",
    access: "session",
    reply: z.object({ languages: z.array(spokenLanguage) }),
  },
  /** A short sentence of the language, as a WAV file. For the `src` of an audio element. */
  playVoice: {
    method: "GET",
    path: "/catalog/voices/:language/:voice/sample",
    access: "session",
    format: "audio",
    params: z.object({ language: z.string().max(20), voice: z.string().max(80) }),
    reply: z.custom<Uint8Array>(),
  },
  listLanguages: {
    method: "GET",
    path: "/catalog/languages",
    access: "session",
    reply: z.object({ languages: z.array(language) }),
  },
  /** For whoever waits for an engine that is still loading. */
  listEngineStates: {
    method: "GET",
    path: "/catalog/engines",
    access: "session",
    reply: z.object({ engines: z.array(engineState) }),
  },
} as const satisfies Record<string, RouteContract>;
