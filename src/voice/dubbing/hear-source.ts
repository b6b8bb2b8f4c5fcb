import type { TurnTaker } from "../../accounts/turn-of.ts";
import { list, Problem } from "../../platform/errors.ts";
import type { MediaDecoder } from "../../ports/media-decoder.ts";
import { HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import { type HearingParts, hearRecording, mainLanguage, type TranscriptSegment } from "../transcription/transcribe.ts";
import { type SourceLine, splitLines } from "./split-lines.ts";

export interface HeardSource {
  readonly lines: readonly SourceLine[];
  readonly language: string;
  readonly isTruncated: boolean;
  readonly durationMs: number;
  /** The recording itself, 16 kHz mono. */
  readonly samples: Float32Array;
}

export interface SourceWanted {
  readonly bytes: Uint8Array;
  readonly language: string | undefined;
}

/** What is longer would be cut at 3000 characters anyway, unless it is mostly silence; and all of it is held in memory. */
const LONGEST_MINUTES = 15;
/** Enough that the last whole sentence within 3000 characters is known. */
const ENOUGH_CHARACTERS = 3400;

/** Hears what is to be dubbed. Silence, music and languages that nobody here knows are told apart in what it throws. */
export async function hearSource(
  parts: HearingParts,
  wanted: SourceWanted,
  caller: TurnTaker,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<HeardSource> {
  const tape = createTape(parts.decoder);
  const hearing = hearRecording({ ...parts, decoder: tape.decoder }, { ...wanted, isPatient: true }, caller, signal);
  const segments: TranscriptSegment[] = [];
  let stretches = 0;
  let characters = 0;
  for await (const { segment, endMs } of hearing.stretches) {
    stretches += 1;
    onProgress(Math.min(1, endMs / Math.max(1, tape.durationMs())));
    signal.throwIfAborted();
    if (!segment) continue;
    segments.push(segment);
    characters += segment.text.length;
    if (characters > ENOUGH_CHARACTERS) break;
  }
  const language = mainLanguage(segments);
  if (!language) throw stretches === 0 ? noSpeech() : noKnownLanguage(parts);
  const { lines, isTruncated } = splitLines(segments);
  const durationMs = isTruncated ? lines.at(-1)!.endMs : tape.durationMs();
  return { lines, language, isTruncated, durationMs, samples: tape.read(durationMs) };
}

/** A decoder that remembers what went through it. */
function createTape(decoder: MediaDecoder) {
  const chunks: Int16Array[] = [];
  let total = 0;
  const longest = LONGEST_MINUTES * 60 * HEARING_RATE_HZ;
  return {
    decoder: {
      async *decode(...given: Parameters<MediaDecoder["decode"]>) {
        for await (const chunk of decoder.decode(...given)) {
          total += chunk.length;
          if (total > longest) {
            throw new Problem(
              "invalid_request",
              `The recording is longer than the ${LONGEST_MINUTES} minutes that are dubbed at once. Send it in parts.`,
            );
          }
          chunks.push(chunk);
          yield chunk;
        }
      },
    } satisfies MediaDecoder,
    durationMs: () => Math.round((total * 1000) / HEARING_RATE_HZ),
    read(untilMs: number): Float32Array {
      const samples = new Float32Array(Math.min(total, Math.round((untilMs * HEARING_RATE_HZ) / 1000)));
      let at = 0;
      for (const chunk of chunks) {
        for (let i = 0; i < chunk.length && at < samples.length; i++) samples[at++] = chunk[i]! / 32768;
      }
      return samples;
    },
  };
}

function noSpeech(): Problem {
  return new Problem("unprocessable_audio", "No speech was found in the recording, so there is nothing to dub.");
}

function noKnownLanguage({ transcription }: HearingParts): Problem {
  return new Problem(
    "unprocessable_audio",
    `The speech is in none of the languages that can be recognised here: ${list(transcription.languages())}. ` +
      'If it is one of them, name it in "source_language".',
  );
}
