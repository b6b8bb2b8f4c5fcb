import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { PlatformLog } from "../../platform/log.ts";
import { showUsage } from "../chat/converse.ts";
import { problemReplies } from "../fields.ts";
import { languageName } from "../languages.ts";
import { findPersona, type UsePersona } from "../speech/speak-as.ts";
import { sendSubtitles } from "../transcription/serve-transcript.ts";
import {
  type Dub,
  type DubbingParts,
  type DubProgress,
  type DubWanted,
  dub,
  encodeDub,
  type TranslatedSource,
  translateSource,
} from "./dub.ts";
import { dubForm, dubReply } from "./schema.ts";
import { streamProgress, wantsProgress } from "./stream-progress.ts";
import { timeTranslation } from "./time-translation.ts";

export interface DubParts extends DubbingParts {
  readonly usePersona?: UsePersona;
  readonly log: PlatformLog;
}

type Form = z.output<typeof dubForm>;

export function addDubbingRoutes(app: HttpApp, parts: DubParts): void {
  app.post(
    "/v1/dub",
    {
      config: { scope: "dub", form: dubForm },
      schema: {
        summary: "Speech into another language",
        response: { 200: dubReply, ...problemReplies, 422: problemReplies[400] },
      },
    },
    async (request, reply) => {
      const form = request.body as Form;
      const format = checkFormat(form);
      const wanted = await readWanted(request, parts, form);
      if (format === "srt" || format === "vtt") {
        const translated = await translateSource(parts, wanted, request.caller, request.signal, () => {});
        note(request, parts, translated, {});
        return sendSubtitles(reply, timeTranslation(translated), format);
      }
      const work = async (onProgress: (progress: DubProgress) => void) => {
        const made = await dub(parts, wanted, request.caller, request.signal, onProgress);
        note(request, parts, made, { voice: made.voices[0]!, audioMs: made.durationMs });
        onProgress({ stage: "encoding", fraction: 0 });
        return show(parts, made, wanted, format, await encodeDub(made, format));
      };
      return wantsProgress(request) ? streamProgress(request, reply, work) : work(() => {});
    },
  );
}

function checkFormat({ output, format }: Form): "wav" | "mp3" | "srt" | "vtt" {
  const isText = format === "srt" || format === "vtt";
  if (output === "subtitles") {
    if (format !== undefined && !isText) {
      throw new Problem("invalid_request", '"format" must be one of: srt, vtt (because "output" is subtitles).');
    }
    return format ?? "srt";
  }
  if (isText) throw new Problem("invalid_request", '"format" must be one of: wav, mp3 (or set "output" to subtitles).');
  return format ?? "wav";
}

async function readWanted(request: FastifyRequest, parts: DubParts, form: Form): Promise<DubWanted> {
  if (form.preserve_voice) {
    const missing = parts.cloner ? parts.cloner.missing() : "No voice cloner is configured.";
    if (missing) throw new Problem("engine_unavailable", missing);
  }
  const named = form.preserve_voice || !form.voice ? undefined : form.voice;
  const personaId = named?.startsWith("p_") ? named : undefined;
  return {
    bytes: form.file.bytes,
    target: form.target_language,
    source: form.source_language,
    voice: personaId ? undefined : named,
    persona: await findPersona(parts.usePersona, personaId, request.caller.workspace.id),
    speed: form.speed,
    preservesVoice: form.preserve_voice,
    isTimed: form.timing,
    keepsBackground: form.keep_background,
  };
}

/** Notes in the books and in the log what both may know. */
function note(request: FastifyRequest, { log }: DubParts, made: TranslatedSource, spoken: object): void {
  const { inputTokens, outputTokens } = made.usage;
  Object.assign(request.usage, { model: "svc-tts-1", language: made.target, inputTokens, outputTokens, ...spoken });
  const text = log.words(made.translations.join(" "));
  log.info({ requestId: request.id, from: made.source.language, to: made.target, text }, "dubbed");
}

function show(
  { cloner }: DubParts,
  made: Dub,
  wanted: DubWanted,
  format: string,
  audio: Buffer,
): z.input<typeof dubReply> {
  const { source, target } = made;
  return {
    audio: audio.toString("base64"),
    format,
    sampleRate: made.sampleRateHz,
    durationMs: made.durationMs,
    sourceText: source.lines.map(({ text }) => text).join(" "),
    translation: made.translations.join(" "),
    sourceLanguage: languageName(source.language),
    targetLanguage: languageName(target),
    targetLanguageCode: target,
    detectedLanguage: source.language,
    truncated: source.isTruncated,
    timing: wanted.isTimed,
    preserveVoice: wanted.preservesVoice,
    ...(wanted.preservesVoice && cloner ? { match: cloner.match(target) } : {}),
    speakers: Math.max(0, ...made.segments.map(({ speaker }) => speaker)) + 1,
    segments: [...made.segments],
    usage: showUsage(made.usage),
  };
}
