import type { HttpApp } from "../../platform/http/create-server.ts";
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

export function addSpeechRoutes(app: HttpApp, parts: SpeechParts): void {
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
    async () => {
      const translates = rateTranslation(parts.translation);
      // An engine may know more about a voice than the catalog shows.
      const languages = parts.speech.languages().map(({ code, label, engine, voices }) => ({
        code,
        label,
        engine,
        voices: voices.map((voice) => ({ id: voice.id, label: voice.label })),
        ...rateHearing(parts.hearing.transcription, code),
        translates: translates(code),
      }));
      return { languages };
    },
  );
  addOpenAiSpeechRoute(app, parts);
}
