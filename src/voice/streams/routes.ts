import type { FastifyRequest } from "fastify";
import type { UsageWriter } from "../../accounts/usage/usage-writer.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { PlatformLog } from "../../platform/log.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import { problemReplies } from "../fields.ts";
import type { UsePersona } from "../speech/speak-as.ts";
import { type HearingParts, TRANSCRIPTION_MODEL } from "../transcription/transcribe.ts";
import { type MintParts, mintStream } from "./mint.ts";
import { prepareHearingStream, prepareSpeechStream, SPEECH_MODEL } from "./prepare-stream.ts";
import {
  detectingStreamReply,
  detectingStreamRequest,
  type FormatWanted,
  hearingStreamRequest,
  pinnedStreamReply,
  pinnedStreamRequest,
  speechStreamRequest,
  streamReply,
} from "./schema.ts";
import { addSockets } from "./sockets.ts";

export interface StreamParts extends MintParts {
  readonly speech: SpeechEngine;
  readonly hearing: HearingParts;
  readonly usage: UsageWriter;
  readonly log: PlatformLog;
  /** For languages that have one: a voice that starts to speak at once, when no voice was named. */
  readonly quickVoices?: Readonly<Record<string, string>>;
  readonly idleMs?: number;
  readonly usePersona?: UsePersona;
}

const config = { scope: "realtime" };

/** Tokens for streams, and the sockets that they open. */
export function addStreamRoutes(app: HttpApp, parts: StreamParts): void {
  addSpeechMint(app, parts);
  addHearingMints(app, parts);
  addSockets(app, parts);
}

function addSpeechMint(app: HttpApp, parts: StreamParts): void {
  app.post(
    "/v1/realtime/tts",
    {
      config,
      schema: {
        summary: "A token for streaming text to speech",
        body: speechStreamRequest,
        response: { 200: streamReply, ...problemReplies },
      },
    },
    async (request) => {
      const { ttl_seconds, ...wanted } = request.body;
      const { settings, usage } = await prepareSpeechStream(parts, wanted, request.caller.workspace.id);
      Object.assign(request.usage, usage);
      const stream = { kind: "tts" as const, ttlSeconds: ttl_seconds, settings, model: SPEECH_MODEL };
      return mintStream(parts, { ...stream, format: settings.format }, request.caller);
    },
  );
}

function addHearingMints(app: HttpApp, parts: StreamParts): void {
  const mint = (
    request: Pick<FastifyRequest, "usage" | "caller">,
    kind: "stt" | "stt/auto" | "stt/lang",
    { ttl_seconds, ...wanted }: FormatWanted & { ttl_seconds: number; language?: string | undefined },
  ) => {
    const isPinned = kind === "stt/lang";
    const { settings, usage, language } = prepareHearingStream(parts, wanted, isPinned);
    Object.assign(request.usage, usage);
    const stream = { kind, ttlSeconds: ttl_seconds, settings, model: TRANSCRIPTION_MODEL, format: settings.format };
    return mintStream(parts, { ...stream, ...(isPinned && language ? { query: { language } } : {}) }, request.caller);
  };
  app.post(
    "/v1/realtime/stt",
    {
      config,
      schema: {
        summary: "A token for streaming speech to text",
        body: hearingStreamRequest,
        response: { 200: streamReply, ...problemReplies },
      },
    },
    (request) => mint(request, "stt", request.body),
  );
  app.post(
    "/v1/realtime/stt/auto",
    {
      config,
      schema: {
        summary: "The same, with the language identified per utterance",
        body: detectingStreamRequest,
        response: { 200: detectingStreamReply, ...problemReplies },
      },
    },
    async (request) => {
      const minted = await mint(request, "stt/auto", request.body);
      return { ...minted, interim: true as const, auto_detect: true as const };
    },
  );
  app.post(
    "/v1/realtime/stt/lang",
    {
      config,
      schema: {
        summary: "The same, with the language pinned",
        body: pinnedStreamRequest,
        response: { 200: pinnedStreamReply, ...problemReplies },
      },
    },
    async (request) => {
      const minted = await mint(request, "stt/lang", request.body);
      const settings = { language: request.usage.language! };
      return { ...minted, interim: true as const, auto_detect: false as const, settings };
    },
  );
}
