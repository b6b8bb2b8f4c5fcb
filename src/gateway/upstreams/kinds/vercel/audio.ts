import type { LocalTranscript } from "../../../../ports/local-models.ts";
import { isObject } from "../../../json.ts";
import type { OwnShape, SpeechWanted, TranscriptionWanted } from "../kind.ts";
import { protocolHeaders } from "./protocol-headers.ts";

export const vercelSpeech: OwnShape<SpeechWanted, Buffer> = {
  call(wanted) {
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
  },
  read: ({ audio }) => (typeof audio === "string" && audio !== "" ? Buffer.from(audio, "base64") : undefined),
};

export const vercelTranscription: OwnShape<TranscriptionWanted, LocalTranscript> = {
  call(wanted) {
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
  },
  read(reply) {
    if (typeof reply.text !== "string") return undefined;
    const segments = Array.isArray(reply.segments) ? reply.segments.filter(isObject) : [];
    return {
      text: reply.text,
      language: typeof reply.language === "string" ? reply.language : "",
      seconds: typeof reply.durationInSeconds === "number" ? reply.durationInSeconds : 0,
      segments: segments.map(({ text, startSecond, endSecond }) => ({
        text: String(text ?? ""),
        start: Number(startSecond) || 0,
        end: Number(endSecond) || 0,
      })),
    };
  },
};
