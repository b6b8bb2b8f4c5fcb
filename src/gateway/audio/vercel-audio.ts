import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import type { CallRequest } from "../upstreams/upstream.ts";
import type { SpeechWanted, TranscriptionWanted } from "./schema.ts";

/** Vercel's second surface, on which audio stands: JSON with base64, one protocol header per kind of model. */
function protocolHeaders(kind: "speech" | "transcription", model: string): Record<string, string> {
  return {
    "ai-gateway-protocol-version": "0.0.1",
    [`ai-${kind}-model-specification-version`]: "4",
    "ai-model-id": model,
  };
}

export function vercelSpeechCall(wanted: SpeechWanted): CallRequest {
  const { input, voice, response_format, speed, instructions, language } = wanted;
  const body = {
    text: input,
    ...(typeof voice === "string" ? { voice } : {}),
    outputFormat: response_format ?? "mp3",
    ...(typeof instructions === "string" ? { instructions } : {}),
    ...(speed == null ? {} : { speed }),
    ...(typeof language === "string" ? { language } : {}),
  };
  return {
    path: "/v4/ai/speech-model",
    body: Buffer.from(JSON.stringify(body)),
    contentType: "application/json",
    extra: protocolHeaders("speech", wanted.model),
  };
}

export function vercelTranscriptionCall(wanted: TranscriptionWanted): CallRequest {
  const provider = wanted.model.split("/")[0]!;
  const body = {
    audio: wanted.file.bytes.toString("base64"),
    mediaType: wanted.file.declaredType || "audio/wav",
    ...(wanted.language ? { providerOptions: { [provider]: { language: wanted.language } } } : {}),
  };
  return {
    path: "/v4/ai/transcription-model",
    body: Buffer.from(JSON.stringify(body)),
    contentType: "application/json",
    extra: protocolHeaders("transcription", wanted.model),
  };
}

export function readVercelAudio(body: Json): Buffer | undefined {
  return typeof body.audio === "string" && body.audio !== "" ? Buffer.from(body.audio, "base64") : undefined;
}

export function readVercelTranscript(body: Json) {
  if (typeof body.text !== "string") return undefined;
  const segments = Array.isArray(body.segments) ? body.segments.filter(isObject) : [];
  return {
    text: body.text,
    language: typeof body.language === "string" ? body.language : "",
    seconds: typeof body.durationInSeconds === "number" ? body.durationInSeconds : 0,
    segments: segments.map(({ text, startSecond, endSecond }) => ({
      text: String(text ?? ""),
      start: Number(startSecond) || 0,
      end: Number(endSecond) || 0,
    })),
  };
}
