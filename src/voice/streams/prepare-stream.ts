import type { UsageDetails } from "../../accounts/usage/record.ts";
import { OPUS_RATES_HZ, type StreamFormat } from "../../audio/stream-codec.ts";
import { list, Problem } from "../../platform/errors.ts";
import { HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import { getLanguage, getVoice } from "../speech/find-voice.ts";
import { findPersona, speakAs } from "../speech/speak-as.ts";
import { DEFAULT_LANGUAGE } from "../speech/synthesize.ts";
import { getHearingLanguage } from "../transcription/find-language.ts";
import { TRANSCRIPTION_MODEL } from "../transcription/transcribe.ts";
import type { StreamParts } from "./routes.ts";
import type { FormatWanted, SpeechStreamWanted } from "./schema.ts";

/** What a stream is opened with: by a token that was minted with it, or by a key that comes with the same fields in the address. */
export interface PreparedStream {
  readonly settings: Record<string, unknown> & { readonly format: StreamFormat };
  readonly usage: UsageDetails;
}

export const SPEECH_MODEL = "svc-tts-1";

export async function prepareSpeechStream(
  parts: Pick<StreamParts, "speech" | "quickVoices" | "usePersona">,
  wanted: Omit<SpeechStreamWanted, "ttl_seconds">,
  workspaceId: string,
): Promise<PreparedStream> {
  const persona = await findPersona(parts.usePersona, wanted.persona_id, workspaceId);
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
  const settings = {
    language: language.code,
    voice,
    format: chooseFormat(wanted, parts.speech.sampleRateHz(language.code)),
    ...(wanted.speed ? { speed: wanted.speed } : {}),
    ...(persona ? { personaId: persona.id, namedVoice: wanted.voice } : {}),
  };
  return { settings, usage: { voice, language: language.code, model: SPEECH_MODEL } };
}

export function prepareHearingStream(
  { hearing }: Pick<StreamParts, "hearing">,
  wanted: FormatWanted & { language?: string | undefined },
  isPinned: boolean,
): PreparedStream & { language: string | undefined } {
  const language = getHearingLanguage(hearing.transcription, wanted.language);
  if (isPinned && !language) {
    throw new Problem("invalid_request", '"language" must name one language; for auto use stt/auto.');
  }
  hearing.transcription.warm?.(language);
  const named = language ? { language } : {};
  const settings = { ...named, format: chooseFormat(wanted, HEARING_RATE_HZ) };
  return { settings, language, usage: { ...named, model: TRANSCRIPTION_MODEL } };
}

function chooseFormat({ encoding, sample_rate }: FormatWanted, ownHz: number): StreamFormat {
  const sampleRateHz = sample_rate ?? ownHz;
  if (encoding === "opus" && !OPUS_RATES_HZ.includes(sampleRateHz)) {
    throw new Problem("invalid_request", `"sample_rate" of Opus must be one of: ${list(OPUS_RATES_HZ.map(String))}.`);
  }
  return { encoding, sampleRateHz };
}
