import type { FastifyReply, FastifyRequest } from "fastify";
import type { PlatformLog } from "../../platform/log.ts";
import { type HearingParts, type Transcript, transcribe } from "./transcribe.ts";
import { type Subtitled, writeSrt, writeVtt } from "./write-subtitles.ts";

export interface TranscriptionParts extends HearingParts {
  readonly log: PlatformLog;
}

/** Transcribes and notes in the books and in the log what both may know. */
export async function transcribeFor(
  request: FastifyRequest,
  parts: TranscriptionParts,
  wanted: { bytes: Uint8Array; language: string | undefined },
): Promise<Transcript> {
  const heard = await transcribe(parts, wanted, request.caller, request.signal);
  request.usage.language = heard.language;
  request.usage.audioMs = heard.durationMs;
  request.usage.model = heard.model;
  const { language, durationMs, text } = heard;
  parts.log.info({ requestId: request.id, language, durationMs, text: parts.log.words(text) }, "transcribed");
  return heard;
}

export function sendText(reply: FastifyReply, heard: Transcript, format: "text" | "srt" | "vtt"): FastifyReply {
  if (format !== "text") return sendSubtitles(reply, heard.segments, format);
  return reply.type("text/plain; charset=utf-8").send(`${heard.text}\n`);
}

export function sendSubtitles(
  reply: FastifyReply,
  segments: readonly Subtitled[],
  format: "srt" | "vtt",
): FastifyReply {
  if (format === "srt") return reply.type("application/x-subrip; charset=utf-8").send(writeSrt(segments));
  return reply.type("text/vtt; charset=utf-8").send(writeVtt(segments));
}
