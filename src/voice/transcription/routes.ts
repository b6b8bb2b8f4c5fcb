import type { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { addOpenAiTranscriptionRoute } from "./openai-route.ts";
import { transcribeForm, transcript } from "./schema.ts";
import { sendText, type TranscriptionParts, transcribeFor } from "./serve-transcript.ts";
import type { Transcript } from "./transcribe.ts";

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
        confidence: confidenceOf(heard.segments),
        ...(timestamps ? { segments: showSegments(heard, timestamps === "word") } : {}),
      };
    },
  );
  addOpenAiTranscriptionRoute(app, parts);
}

/** Over all that was heard, by its length; 0 where nothing was. */
function confidenceOf(segments: Transcript["segments"]): number {
  const lengthOf = ({ startMs, endMs }: Transcript["segments"][number]) => Math.max(1, endMs - startMs);
  const total = segments.reduce((sum, one) => sum + lengthOf(one), 0);
  const weighed = segments.reduce((sum, one) => sum + lengthOf(one) * one.confidence, 0);
  return total === 0 ? 0 : Math.round((1000 * weighed) / total) / 1000;
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
