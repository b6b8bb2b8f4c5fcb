import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { PlatformLog } from "../../platform/log.ts";
import { problemReplies } from "../fields.ts";
import { addOpenAiTranscriptionRoute } from "./openai-route.ts";
import { transcribeForm, transcript } from "./schema.ts";
import { type HearingParts, type Transcript, transcribe } from "./transcribe.ts";
import { writeSrt, writeVtt } from "./write-subtitles.ts";

export interface TranscriptionParts extends HearingParts {
  readonly log: PlatformLog;
}

export function addTranscriptionRoutes(app: HttpApp, parts: TranscriptionParts): void {
  app.post(
    "/v1/transcribe",
    {
      config: { scope: "transcribe", form: transcribeForm },
      schema: { summary: "Audio to text", response: { 200: transcript, ...problemReplies } },
    },
    async (request, reply) => {
      const { file, language, timestamps, response_format } = request.body as z.output<typeof transcribeForm>;
      const heard = await transcribeFor(request, parts, { bytes: file.bytes, language });
      if (response_format !== "json") return sendText(reply, heard, response_format);
      const { text, durationMs, model } = heard;
      return {
        text,
        language: heard.language,
        durationMs,
        model,
        ...(timestamps ? { segments: showSegments(heard, timestamps === "word") } : {}),
      };
    },
  );
  addOpenAiTranscriptionRoute(app, parts);
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
  if (format === "srt") return reply.type("application/x-subrip; charset=utf-8").send(writeSrt(heard.segments));
  if (format === "vtt") return reply.type("text/vtt; charset=utf-8").send(writeVtt(heard.segments));
  return reply.type("text/plain; charset=utf-8").send(`${heard.text}\n`);
}

function showSegments({ segments }: Transcript, withWords: boolean) {
  return segments.map(({ words, startMs, endMs, text, language, confidence }) => ({
    startMs,
    endMs,
    text,
    language,
    confidence,
    ...(withWords ? { words: [...words] } : {}),
  }));
}
