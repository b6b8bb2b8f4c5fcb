import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import { problemReplies } from "../fields.ts";
import { addOpenAiSpeechRoute } from "./openai-route.ts";
import { speechRequest, voiceCatalog } from "./schema.ts";
import { sendSpeech } from "./send-speech.ts";
import type { SpeechWanted } from "./synthesize.ts";

export interface SpeechParts {
  readonly speech: SpeechEngine;
  /** What a persona brings to a request; throws for one that is unknown or not ready. Undefined while there are no personas. */
  readonly usePersona?: (id: string, workspaceId: string) => Promise<Partial<SpeechWanted>>;
}

export function addSpeechRoutes(app: HttpApp, parts: SpeechParts): void {
  app.post(
    "/v1/speech",
    {
      config: { scope: "speech" },
      schema: { summary: "Text to speech", body: speechRequest, response: { ...problemReplies } },
    },
    async (request, reply) => {
      const { persona_id, format, stream, ...given } = request.body;
      const persona = persona_id === undefined ? {} : await personaFor(parts, persona_id, request.caller.workspace.id);
      const wanted = { ...persona, ...withoutUndefined(given) };
      return sendSpeech({ request, reply, engine: parts.speech, wanted, format, isStreamed: stream });
    },
  );
  app.get(
    "/v1/voices",
    {
      config: { scope: "voices" },
      schema: { summary: "Languages and their voices", response: { 200: voiceCatalog, ...problemReplies } },
    },
    async () => ({
      languages: parts.speech
        .languages()
        // An engine may know more about a voice than the catalog shows.
        .map(({ code, label, engine, voices }) => ({
          code,
          label,
          engine,
          voices: voices.map((voice) => ({ id: voice.id, label: voice.label })),
        })),
    }),
  );
  addOpenAiSpeechRoute(app, parts.speech);
}

async function personaFor(parts: SpeechParts, id: string, workspaceId: string): Promise<Partial<SpeechWanted>> {
  if (parts.usePersona === undefined) throw new Problem("invalid_request", `There is no persona "${id}".`);
  return parts.usePersona(id, workspaceId);
}

/** A field that was not sent must not hide the persona's. */
function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
