import type { UsageWriter } from "../../accounts/usage/usage-writer.ts";
import type { Caller } from "../../accounts/verify-key.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { PlatformLog } from "../../platform/log.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import { HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import { problemReplies } from "../fields.ts";
import { getLanguage, getVoice } from "../speech/find-voice.ts";
import { findPersona, speakAs, type UsePersona } from "../speech/speak-as.ts";
import { DEFAULT_LANGUAGE } from "../speech/synthesize.ts";
import { getHearingLanguage } from "../transcription/find-language.ts";
import { type HearingParts, TRANSCRIPTION_MODEL } from "../transcription/transcribe.ts";
import { type MintParts, mintStream, type StreamWanted } from "./mint.ts";
import {
  detectingStreamReply,
  detectingStreamRequest,
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
      const wanted = request.body;
      const persona = await findPersona(parts.usePersona, wanted.persona_id, request.caller.workspace.id);
      const how = speakAs(parts.speech, persona, { voice: wanted.voice, language: wanted.language });
      const language = getLanguage(parts.speech.languages(), how.language || DEFAULT_LANGUAGE);
      if (language.engine !== "engine_a") {
        throw new Problem(
          "invalid_request",
          `"${language.code}" is not an engine_a language, and only those can be streamed.`,
        );
      }
      const quick = parts.quickVoices?.[language.code];
      const hasQuick = language.voices.some(({ id }) => id === quick);
      const voice = getVoice(language, how.voice ?? (hasQuick ? quick : undefined), parts.speech.languages());
      request.usage.voice = voice;
      request.usage.language = language.code;
      request.usage.model = "svc-tts-1";
      const settings = {
        language: language.code,
        voice,
        ...(wanted.speed ? { speed: wanted.speed } : {}),
        ...(persona ? { personaId: persona.id, namedVoice: wanted.voice } : {}),
      };
      const stream = { kind: "tts" as const, ttlSeconds: wanted.ttl_seconds, settings, model: "svc-tts-1" };
      return mintStream(parts, { ...stream, sampleRateHz: parts.speech.sampleRateHz(language.code) }, request.caller);
    },
  );
}

function addHearingMints(app: HttpApp, parts: StreamParts): void {
  const { transcription } = parts.hearing;
  const stream = { sampleRateHz: HEARING_RATE_HZ, model: TRANSCRIPTION_MODEL };
  const mint = (wanted: StreamWanted, caller: Caller) => {
    const { language } = wanted.settings;
    transcription.warm?.(typeof language === "string" ? language : undefined);
    return mintStream(parts, wanted, caller);
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
    async (request) => {
      const language = getHearingLanguage(transcription, request.body.language);
      const settings = language ? { language } : {};
      Object.assign(request.usage, settings, { model: TRANSCRIPTION_MODEL });
      return mint({ ...stream, kind: "stt", ttlSeconds: request.body.ttl_seconds, settings }, request.caller);
    },
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
      request.usage.model = TRANSCRIPTION_MODEL;
      const wanted = { ...stream, kind: "stt/auto" as const, ttlSeconds: request.body.ttl_seconds, settings: {} };
      const minted = await mint(wanted, request.caller);
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
      const language = getHearingLanguage(transcription, request.body.language);
      if (!language) throw new Problem("invalid_request", '"language" must name one language; for auto use stt/auto.');
      Object.assign(request.usage, { language, model: TRANSCRIPTION_MODEL });
      const settings = { language };
      const wanted = { ...stream, kind: "stt/lang" as const, ttlSeconds: request.body.ttl_seconds, settings };
      const minted = await mint({ ...wanted, query: { language } }, request.caller);
      return { ...minted, interim: true as const, auto_detect: false as const, settings };
    },
  );
}
