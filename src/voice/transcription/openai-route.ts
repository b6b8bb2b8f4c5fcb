import type { z } from "zod";
import { verboseTranscript } from "../../audio/verbose-transcript.ts";
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
      if (format === "verbose_json")
        return verbose(heard, wanted["timestamp_granularities[]"] ?? wanted.timestamp_granularities ?? []);
      return format === "json" ? { text: heard.text } : sendText(reply, heard, format);
    },
  );
}

function verbose({ language, durationMs, text, segments }: Transcript, granularities: readonly string[]) {
  const timed = segments.map((segment) => ({
    ...seconds(segment),
    text: segment.text,
    confidence: segment.confidence,
    words: segment.words.map((one) => ({ word: one.word, ...seconds(one) })),
  }));
  return verboseTranscript(
    { task: "transcribe", language, seconds: durationMs / 1000, text, segments: timed },
    granularities,
  );
}

function seconds({ startMs, endMs }: { startMs: number; endMs: number }) {
  return { start: startMs / 1000, end: endMs / 1000 };
}
