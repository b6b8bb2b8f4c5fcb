import type { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { openAiTranscribeForm, openAiTranscript } from "./schema.ts";
import { sendText, type TranscriptionParts, transcribeFor } from "./serve-transcript.ts";
import type { Transcript } from "./transcribe.ts";

/** What an unmodified OpenAI client calls. */
export function addOpenAiTranscriptionRoute(app: HttpApp, parts: TranscriptionParts): void {
  app.post(
    "/v1/audio/transcriptions",
    {
      config: { scope: "transcribe", form: openAiTranscribeForm },
      schema: {
        summary: "Audio to text, as OpenAI's clients ask for it",
        response: { 200: openAiTranscript, ...problemReplies },
      },
    },
    async (request, reply) => {
      const wanted = request.body as z.output<typeof openAiTranscribeForm>;
      if (wanted.stream === "true") throw new Problem("invalid_request", '"stream" must be false.');
      const heard = await transcribeFor(request, parts, { bytes: wanted.file.bytes, language: wanted.language });
      const { response_format: format } = wanted;
      if (format === "verbose_json") return verbose(heard, wanted["timestamp_granularities[]"] ?? []);
      return format === "json" ? { text: heard.text } : sendText(reply, heard, format);
    },
  );
}

function verbose(heard: Transcript, granularities: readonly string[]) {
  const wantsSegments = granularities.length === 0 || granularities.includes("segment");
  return {
    task: "transcribe",
    language: nameOf(heard.language),
    duration: heard.durationMs / 1000,
    text: heard.text,
    ...(wantsSegments ? { segments: heard.segments.map(toSegment) } : {}),
    ...(granularities.includes("word")
      ? {
          words: heard.segments.flatMap(({ words }) =>
            words.map(({ word, startMs, endMs }) => ({ word, start: startMs / 1000, end: endMs / 1000 })),
          ),
        }
      : {}),
  };
}

function toSegment(segment: Transcript["segments"][number], id: number) {
  return {
    id,
    seek: 0,
    start: segment.startMs / 1000,
    end: segment.endMs / 1000,
    text: segment.text,
    tokens: [],
    temperature: 0,
    avg_logprob: Math.log(Math.max(1e-6, segment.confidence)),
    compression_ratio: 1,
    no_speech_prob: 0,
  };
}

/** OpenAI names languages in English: "english". */
function nameOf(code: string): string {
  if (code === "und") return code;
  return new Intl.DisplayNames("en", { type: "language" }).of(code.split("-")[0]!)?.toLowerCase() ?? code;
}
