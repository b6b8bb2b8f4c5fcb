import type { UnknownKeyLimit } from "../../limits/unknown-key-limit.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { IceServer } from "../../ports/media.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import { problemReplies } from "../fields.ts";
import { getLanguage, getVoice } from "../speech/find-voice.ts";
import { findPersona, speakAs, type UsePersona } from "../speech/speak-as.ts";
import { DEFAULT_LANGUAGE } from "../speech/synthesize.ts";
import type { TokenStore } from "../streams/store.ts";
import { getHearingLanguage } from "../transcription/find-language.ts";
import type { HearingParts } from "../transcription/transcribe.ts";
import type { CallSettings } from "./call/call-settings.ts";
import { addCallPage } from "./call-page.ts";
import { AGENT_MODEL, type LiveCalls } from "./live-calls.ts";
import { sessionReply, sessionRequest } from "./schema.ts";
import { addSignalingRoutes } from "./signaling.ts";

export interface RealtimeParts {
  readonly calls: LiveCalls;
  readonly tokens: TokenStore;
  readonly unknown: UnknownKeyLimit;
  readonly speech: SpeechEngine;
  readonly hearing: HearingParts;
  /** For languages that have one: a voice that starts to speak at once, when no voice was named. */
  readonly quickVoices?: Readonly<Record<string, string>>;
  readonly usePersona?: UsePersona;
  publicUrl(): string;
  iceServers(sessionId: string): IceServer[];
}

/** Live calls: the token that opens one, and the signaling that connects it. */
export function addRealtimeRoutes(app: HttpApp, parts: RealtimeParts): void {
  app.post(
    "/v1/realtime/session",
    {
      config: { scope: "realtime" },
      schema: {
        summary: "A token for a live call",
        body: sessionRequest,
        response: { 200: sessionReply, ...problemReplies },
      },
    },
    async (request) => {
      parts.calls.checkCapacity(request.caller.workspace.id);
      const { persona_id, tone_preset, style_text, ttl_seconds, ...wanted } = request.body;
      const { workspace, keyId } = request.caller;
      const persona = await findPersona(parts.usePersona, persona_id, workspace.id);
      const asked = { voice: wanted.voice, language: wanted.language, tone: tone_preset, style: style_text };
      const how = speakAs(parts.speech, persona, asked);
      const language = getLanguage(parts.speech.languages(), how.language || DEFAULT_LANGUAGE);
      const quick = parts.quickVoices?.[language.code];
      const hasQuick = language.voices.some(({ id }) => id === quick);
      const voice = getVoice(language, how.voice || (hasQuick ? quick : undefined), parts.speech.languages());
      const settings: CallSettings = {
        mode: wanted.mode,
        voice,
        language: language.code,
        // A voice that the request names is spoken instead of the persona's.
        personaId: how.clone ? persona_id : undefined,
        hearingLanguage: getHearingLanguage(parts.hearing.transcription, language.code),
        tonePreset: tone_preset ?? persona?.tone ?? undefined,
        styleText: style_text ?? persona?.style ?? undefined,
        temperature: wanted.temperature,
      };
      Object.assign(request.usage, { voice, language: language.code, model: AGENT_MODEL });
      parts.calls.prepare({ voice, language: language.code }, request.caller);
      const minted = await parts.tokens.mint({
        kind: "session",
        ttlSeconds: ttl_seconds,
        workspaceId: workspace.id,
        keyId,
        settings: { ...settings },
      });
      const url = `${parts.publicUrl()}/v1/realtime/session/${minted.sessionId}/offer`;
      const ice_servers = parts.iceServers(minted.sessionId);
      return {
        session_id: minted.sessionId,
        token: minted.token,
        expires_at: minted.expiresAt.toISOString(),
        expires_in: Math.round(ttl_seconds),
        url,
        ice_servers,
        settings: { voice: settings.personaId ?? voice, language: language.code },
        model: AGENT_MODEL,
        webrtcRequestParams: { endpoint: `${url}?token=${encodeURIComponent(minted.token)}` },
        iceConfig: { iceServers: ice_servers },
      };
    },
  );
  addSignalingRoutes(app, parts);
  addCallPage(app);
}
