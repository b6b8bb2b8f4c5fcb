import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { table } from "../../platform/table.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import { problemReplies, shortText, writtenText } from "../fields.ts";
import { findLanguage } from "./find-voice.ts";
import type { SpeechParts } from "./routes.ts";
import { sendSpeech } from "./send-speech.ts";
import { findPersona, speakAs } from "./speak-as.ts";

/** The voices that OpenAI's clients know by name. */
const OPENAI_VOICES: Readonly<Record<string, string>> = table({
  alloy: "af_alloy",
  echo: "am_echo",
  fable: "bm_fable",
  onyx: "am_onyx",
  nova: "af_nova",
  shimmer: "af_bella",
});

const openAiSpeech = z.object({
  input: writtenText(4096),
  voice: z
    .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
    .default("alloy")
    .meta({ description: "alloy, echo, fable, onyx, nova, shimmer, any voice id of the catalog, or a persona: p_..." }),
  model: z.string().optional().meta({ description: "Accepted and ignored: there is one speech model." }),
  response_format: z.enum(["mp3", "opus", "wav", "pcm", "aac", "flac"]).default("mp3"),
  speed: z.number().min(0.25).max(4).default(1),
  instructions: shortText(4096)
    .optional()
    .meta({ description: "How it is said, in words, as style_text of a persona." }),
  stream_format: z.enum(["audio", "sse"]).default("audio"),
  language: z.string().optional().meta({ description: "Language code, where the voice speaks several." }),
});

/** What an unmodified OpenAI client calls; the audio is sent while it is synthesized, as those clients expect it. */
export function addOpenAiSpeechRoute(app: HttpApp, { speech: engine, usePersona }: SpeechParts): void {
  app.post(
    "/v1/audio/speech",
    {
      config: { scope: "speech" },
      schema: {
        summary: "Text to speech, as OpenAI's clients ask for it",
        body: openAiSpeech,
        response: { ...problemReplies },
      },
    },
    async (request, reply) => {
      const { input, response_format, speed, stream_format, instructions } = request.body;
      if (stream_format === "sse") throw new Problem("invalid_request", '"stream_format" must be "audio".');
      const isPersona = request.body.voice.startsWith("p_");
      const personaId = isPersona ? request.body.voice : undefined;
      const persona = await findPersona(usePersona, personaId, request.caller.workspace.id);
      const named = persona
        ? { language: request.body.language }
        : resolve(engine, request.body.voice, request.body.language);
      const how = speakAs(engine, persona, { ...named, style: instructions });
      // The range of the platform's own voices; OpenAI's is wider.
      const wanted = { text: input, ...how, speed: Math.max(0.5, Math.min(2, speed)) };
      return sendSpeech({ request, reply, engine, wanted, format: response_format, isStreamed: true });
    },
  );
}

/** A voice alone says which language it speaks: the first one in the catalog that has it. */
function resolve(engine: SpeechEngine, wanted: string, language: string | undefined) {
  const voice = OPENAI_VOICES[wanted] ?? wanted;
  if (language !== undefined) return { language, voice };
  const languages = engine.languages();
  const speaks = languages.find(({ voices }) => voices.some(({ id }) => id === voice));
  // A name like "de" picks that language's first voice.
  const byLanguage = speaks ? undefined : findLanguage(languages, wanted);
  return byLanguage ? { language: byLanguage.code, voice: undefined } : { language: speaks?.code, voice };
}
