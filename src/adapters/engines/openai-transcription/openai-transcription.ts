import { z } from "zod";
import { toPcm16 } from "../../../audio/pcm.ts";
import { wavHeader } from "../../../audio/wav.ts";
import { list, Problem } from "../../../platform/errors.ts";
import {
  type Heard,
  type HearingRequest,
  type TranscriptionEngine,
  UNKNOWN_LANGUAGE,
} from "../../../ports/transcription-engine.ts";
import { HEARING_RATE_HZ } from "../../../ports/voice-activity.ts";
import { toLanguageCode } from "./language-names.ts";
import type { RemoteRecogniser } from "./parse-address.ts";

export interface OpenAiTranscriptionOptions extends RemoteRecogniser {
  readonly apiKey?: string | undefined;
  /** For the answer to one stretch of speech. */
  readonly timeoutMs?: number;
}

const answerSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(z.object({ avg_logprob: z.number().nullish(), no_speech_prob: z.number().nullish() })).nullish(),
});
type Answer = z.infer<typeof answerSchema>;
const mostBytes = 1_000_000;
/** What is claimed for an answer that says nothing about itself. */
const plainConfidence = 0.9;

/** Recognition by an OpenAI-compatible server. */
export function createOpenAiTranscription(options: OpenAiTranscriptionOptions): TranscriptionEngine {
  const { baseUrl, model, languages, apiKey, timeoutMs = 60_000 } = options;
  // Some models only know the short answer; that is found out once.
  let format: "verbose_json" | "json" = "verbose_json";

  async function hear(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    if (request.language && !serves(request.language)) {
      throw new Problem("invalid_request", `"${request.language}" is not served here. Languages: ${list(languages)}.`);
    }
    const answer = await ask(request, signal);
    const language = languageOf(answer, request.language);
    const isKnown = language === UNKNOWN_LANGUAGE || request.language !== undefined || serves(language);
    return {
      text: isKnown ? answer.text.trim() : "",
      language: isKnown ? language : UNKNOWN_LANGUAGE,
      confidence: confidenceOf(answer),
      model,
    };
  }

  function serves(language: string): boolean {
    return languages.length === 0 || languages.some((one) => baseOf(one) === baseOf(language));
  }

  /** A server that does not say what it heard was asked for something, or serves one language only. */
  function languageOf({ language }: Answer, asked: string | undefined): string {
    if (asked) return asked;
    if (language) return toLanguageCode(language);
    return languages.length === 1 ? languages[0]! : UNKNOWN_LANGUAGE;
  }

  async function ask(request: HearingRequest, signal: AbortSignal): Promise<Answer> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      let response = await send(request, AbortSignal.any([signal, deadline]));
      if (response.status === 400 && format === "verbose_json") {
        await response.body?.cancel();
        format = "json";
        response = await send(request, AbortSignal.any([signal, deadline]));
      }
      if (!response.ok) throw await refusal(response);
      return answerSchema.parse(JSON.parse(await readLimited(response)));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Problem) throw error;
      const what =
        error instanceof z.ZodError || error instanceof SyntaxError
          ? "sent an answer that is not a transcript"
          : deadline.aborted
            ? `did not answer within ${Math.round(timeoutMs / 1000)} s`
            : "cannot be reached";
      throw new Problem("engine_unavailable", `The transcription server ${what}.`, { cause: error });
    }
  }

  function send(request: HearingRequest, signal: AbortSignal): Promise<Response> {
    const form = new FormData();
    form.append("file", new Blob([toWav(request.samples)], { type: "audio/wav" }), "speech.wav");
    form.append("model", model);
    form.append("response_format", format);
    if (request.language) form.append("language", baseOf(request.language));
    return fetch(`${baseUrl}/audio/transcriptions`, {
      method: "POST",
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      body: form,
      signal,
    });
  }

  return { languages: () => languages, takesAnyLanguage: languages.length === 0, hear };
}

function baseOf(language: string): string {
  return language.split("-")[0]!;
}

function toWav(samples: Float32Array): Buffer<ArrayBuffer> {
  const pcm = toPcm16(samples);
  return Buffer.concat([wavHeader({ sampleRateHz: HEARING_RATE_HZ }, pcm.length), pcm]);
}

function confidenceOf({ segments }: Answer): number {
  const known = (segments ?? []).flatMap(({ avg_logprob }) => (typeof avg_logprob === "number" ? [avg_logprob] : []));
  if (known.length === 0) return plainConfidence;
  return Math.min(1, Math.exp(known.reduce((sum, value) => sum + value, 0) / known.length));
}

async function refusal(response: Response): Promise<Problem> {
  const cause = new Error(`status ${response.status}: ${(await response.text().catch(() => "")).slice(0, 500)}`);
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    const retryAfterSeconds = Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 5;
    return new Problem("engine_busy", "The transcription server is busy. Try again later.", {
      cause,
      retryAfterSeconds,
    });
  }
  return new Problem("engine_unavailable", `The transcription server answered ${response.status}.`, { cause });
}

/** A server that never stops sending must not fill the memory. */
async function readLimited(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Problem("engine_unavailable", "The transcription server sent too much.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
