import { readKey } from "../accounts/http/guard.ts";
import type { Service } from "../accounts/http/mount-service.ts";
import type { OpenWindow } from "../limits/sliding-window.ts";
import { addChatRoutes, type ChatParts } from "./chat/routes.ts";
import { voiceDialect } from "./dialect.ts";
import { addDubbingRoutes, type DubParts } from "./dubbing/routes.ts";
import { addEmbeddingRoutes, type EmbeddingParts } from "./embeddings/routes.ts";
import { addPersonaRoutes, type PersonaParts } from "./personas/routes.ts";
import { addRealtimeRoutes, type RealtimeParts } from "./realtime/routes.ts";
import { voiceReference } from "./reference.ts";
import { addSpeechRoutes, type SpeechParts } from "./speech/routes.ts";
import { addStreamRoutes, type StreamParts } from "./streams/routes.ts";
import { addTranscriptionRoutes } from "./transcription/routes.ts";
import { addTranslationRoutes, type TranslationParts } from "./translation/routes.ts";

export interface VoiceParts
  extends SpeechParts,
    StreamParts,
    RealtimeParts,
    EmbeddingParts,
    ChatParts,
    TranslationParts,
    PersonaParts,
    DubParts {
  ratePerMinute: number;
  openWindow: OpenWindow;
}

export function voiceService(parts: VoiceParts): Service {
  return {
    name: "voice",
    base: "",
    baseWhenAlone: "",
    dialect: voiceDialect,
    policy: {
      readKey,
      howToSendKey: '"Authorization: Bearer <key>"',
      window: parts.openWindow("voice", 60_000),
      limitFor: (caller) => caller.ratePerMinute ?? parts.ratePerMinute,
      strangersLimit: parts.ratePerMinute,
    },
    api: {
      title: "Parlance voice platform",
      description:
        "Speech synthesis, transcription, translation, dubbing, chat, embeddings, personas and realtime voice sessions.",
      security: { bearer: true },
      reference: voiceReference,
    },
    addRoutes(app) {
      addSpeechRoutes(app, parts);
      addTranscriptionRoutes(app, { ...parts.hearing, log: parts.log });
      addTranslationRoutes(app, parts);
      addChatRoutes(app, parts);
      addEmbeddingRoutes(app, parts);
      addDubbingRoutes(app, parts);
      addPersonaRoutes(app, parts);
      addStreamRoutes(app, parts);
      addRealtimeRoutes(app, parts);
    },
  };
}
