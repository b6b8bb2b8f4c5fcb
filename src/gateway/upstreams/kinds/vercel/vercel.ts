import { listOf, type UpstreamKind } from "../kind.ts";
import { openAiPaths, toModel } from "../openai.ts";
import { vercelSpeech, vercelTranscription } from "./audio.ts";
import { vercelVideos } from "./video.ts";

const {
  "audio/speech": _speech,
  "audio/transcriptions": _transcriptions,
  "audio/translations": _translations,
  "videos/generations": _videos,
  ...paths
} = openAiPaths;

/** What a client may decide about routing. Whatever names other accounts, tags or tiers is the operator's business. */
const allowedOptions = new Set([
  "order",
  "only",
  "sort",
  "models",
  "caching",
  "providerTimeouts",
  "zeroDataRetention",
  "disallowPromptTraining",
]);

/** Vercel AI Gateway. Bills on when a client hangs up, so an aborted generation is looked up by its id. Audio and video
 *  stand on its second surface, in other shapes. */
export const vercel: UpstreamKind = {
  name: "vercel",
  isAt: (hostname) => /(^|\.)vercel\.(sh|com)$/.test(hostname),
  paths: { ...paths, "realtime/token": "/realtime/client-secrets" },
  originPaths: {
    "language-model": "/v3/ai/language-model",
    "embedding-model": "/v3/ai/embedding-model",
    "image-model": "/v3/ai/image-model",
  },
  takesReasoning: true,
  catalogPaths: ["/models"],
  readCatalog: (reply) => listOf(reply).flatMap(toModel),
  choosesModels: true,
  billsOn: true,
  generationPath: (id) => `/generation?id=${encodeURIComponent(id)}`,
  isReasoningExtra: true,
  speech: vercelSpeech,
  transcription: vercelTranscription,
  videos: vercelVideos,
  realtime: {
    body: ({ model }) => ({ model }),
    socketPath: (_basePath, model) => `/v4/ai/realtime-model?ai-model-id=${encodeURIComponent(model)}`,
  },
  forbidsOption: (name) => !allowedOptions.has(name),
};
