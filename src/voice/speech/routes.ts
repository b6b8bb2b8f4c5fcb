import type { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { rememberFor } from "../../platform/remember-for.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import type { TranslationEngine } from "../../ports/translation-engine.ts";
import { problemReplies } from "../fields.ts";
import type { HearingParts } from "../transcription/transcribe.ts";
import { addOpenAiSpeechRoute } from "./openai-route.ts";
import { rateHearing } from "./rate-hearing.ts";
import { rateTranslation } from "./rate-translation.ts";
import { speechRequest, voiceCatalog } from "./schema.ts";
import { sendSpeech } from "./send-speech.ts";
import { findPersona, speakAs, type UsePersona } from "./speak-as.ts";

export interface SpeechParts {
  readonly speech: SpeechEngine;
  readonly hearing: HearingParts;
  readonly translation: TranslationEngine;
  readonly usePersona?: UsePersona;
}

/** Models may arrive while we run. Asking every engine about every language took 1.6 of a request's 3.5 ms (profile of 2,700 requests). */
const catalogFreshMs = 1000;

export function addSpeechRoutes(app: HttpApp, parts: SpeechParts): void {
  const languages = rememberFor(catalogFreshMs, () => listLanguages(parts));
  app.post(
    "/v1/speech",
    {
      config: { scope: "speech" },
      schema: { summary: "Text to speech", body: speechRequest, response: { ...problemReplies } },
    },
    async (request, reply) => {
      const { text, voice, language, speed, persona_id, tone_preset, style_text, format, stream } = request.body;
      const persona = await findPersona(parts.usePersona, persona_id, request.caller.workspace.id);
      const how = speakAs(parts.speech, persona, { voice, language, tone: tone_preset, style: style_text });
      const wanted = { text, speed, ...how };
      return sendSpeech({ request, reply, engine: parts.speech, wanted, format, isStreamed: stream });
    },
  );
  app.get(
    "/v1/voices",
    {
      config: { scope: "voices" },
      schema: { summary: "Languages and their voices", response: { 200: voiceCatalog, ...problemReplies } },
    },
    async () => ({ languages: languages() }),
  );
  addOpenAiSpeechRoute(app, parts);
}

function listLanguages({ speech, hearing, translation }: SpeechParts): z.infer<typeof voiceCatalog>["languages"] {
  const translates = rateTranslation(translation);
  // An engine may know more about a voice than the catalog shows.
  return speech.languages().map(({ code, label, engine, voices }) => ({
    code,
    label,
    engine,
    voices: voices.map((voice) => ({ id: voice.id, label: voice.label })),
    ...rateHearing(hearing.transcription, code),
    translates: translates(code),
  }));
}
