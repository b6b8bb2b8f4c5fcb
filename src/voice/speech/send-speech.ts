import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AUDIO_CONTENT_TYPES, type AudioFormat } from "../../audio/encode.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import {
  encodeFinished,
  encodeStarted,
  finishSpeech,
  type SpeechProgress,
  type SpeechWanted,
  startSpeech,
} from "./synthesize.ts";

export interface SpeechToSend {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly engine: SpeechEngine;
  readonly wanted: SpeechWanted;
  readonly format: AudioFormat;
  readonly isStreamed: boolean;
}

/** Speaks into a reply: as one body with its length, or while it is synthesized. */
export async function sendSpeech({
  request,
  reply,
  engine,
  wanted,
  format,
  isStreamed,
}: SpeechToSend): Promise<FastifyReply> {
  request.usage.model = "svc-tts-1";
  if (!isStreamed) {
    // Also before the end: a caller who hangs up is on record with what was made.
    const note = ({ voice, language, durationMs: audioMs }: SpeechProgress) =>
      Object.assign(request.usage, { voice, language, audioMs });
    const speech = await finishSpeech(engine, wanted, request.caller, request.signal, note);
    note(speech);
    describe(reply, format, speech.sampleRateHz).header("x-svc-duration-ms", String(speech.durationMs));
    return reply.send(await encodeFinished(speech, format));
  }
  const speech = startSpeech(engine, wanted, request.caller, request.signal);
  Object.assign(request.usage, { voice: speech.voice, language: speech.language });
  let sent = 0;
  const counted = count(speech.samples, (samples) => {
    sent += samples;
    request.usage.audioMs = Math.round((sent * 1000) / speech.sampleRateHz);
  });
  const bytes = encodeStarted({ ...speech, samples: counted }, format);
  describe(reply, format, speech.sampleRateHz);
  return reply.send(Readable.from(await beginWithAudio(bytes, format), { objectMode: false, highWaterMark: 16_384 }));
}

function describe(reply: FastifyReply, format: AudioFormat, sampleRateHz: number): FastifyReply {
  const type = AUDIO_CONTENT_TYPES[format];
  return reply
    .type(format === "pcm" ? `${type};rate=${sampleRateHz};channels=1` : type)
    .header("x-svc-sample-rate", String(sampleRateHz));
}

async function* count(samples: AsyncIterable<Float32Array>, onSamples: (count: number) => void) {
  for await (const part of samples) {
    onSamples(part.length);
    yield part;
  }
}

/** Waits for the first sound before replying, so that a failure is a JSON error and not a broken audio stream. Headers of a
 *  container come without any sound and do not count. */
async function beginWithAudio(
  bytes: AsyncGenerator<Uint8Array>,
  format: AudioFormat,
): Promise<AsyncIterable<Uint8Array>> {
  const opening: Uint8Array[] = [];
  const headers = { wav: 1, opus: 2, mp3: 0, pcm: 0, aac: 0, flac: 0 }[format];
  while (opening.length <= headers) {
    const next = await bytes.next();
    if (next.done) break;
    opening.push(next.value);
  }
  return (async function* () {
    try {
      yield* opening;
      yield* bytes;
    } finally {
      // Also when the caller hangs up: this is what stops the synthesis.
      await bytes.return(undefined);
    }
  })();
}
