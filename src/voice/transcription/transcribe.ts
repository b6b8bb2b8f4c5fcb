import { newId } from "../../platform/ids.ts";
import type { MediaDecoder } from "../../ports/media-decoder.ts";
import { type Heard, type TranscriptionEngine, UNKNOWN_LANGUAGE } from "../../ports/transcription-engine.ts";
import type { VoiceActivityDetector } from "../../ports/voice-activity.ts";
import type { SpeechCut } from "./cut-speech.ts";
import { getHearingLanguage } from "./find-language.ts";
import { findSpeech, type Turn } from "./find-speech.ts";
import { hearCuts } from "./hear-cuts.ts";
import { spreadWords, type TimedWord } from "./spread-words.ts";

export const TRANSCRIPTION_MODEL = "svc-stt-1";

/** What it takes to hear. */
export interface HearingParts {
  readonly decoder: MediaDecoder;
  readonly activity: VoiceActivityDetector;
  readonly transcription: TranscriptionEngine;
}

export interface TranscriptSegment {
  readonly text: string;
  readonly language: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly confidence: number;
  /** Approximate times. */
  readonly words: readonly TimedWord[];
}

export interface Transcript {
  readonly text: string;
  readonly language: string;
  readonly durationMs: number;
  readonly model: string;
  readonly segments: readonly TranscriptSegment[];
}

export interface TranscriptionWanted {
  readonly bytes: Uint8Array;
  /** A code, or `auto`. */
  readonly language?: string | undefined;
}

/** A recording or video as text. Other slices (dubbing, personas) ask the same way. */
export async function transcribe(
  parts: HearingParts,
  wanted: TranscriptionWanted,
  caller: { keyId: string },
  signal: AbortSignal,
): Promise<Transcript> {
  const pinned = getHearingLanguage(parts.transcription, wanted.language);
  const turn: Turn = { key: caller.keyId, flow: newId("hear_") };
  const leaving = new AbortController();
  const stop = AbortSignal.any([signal, leaving.signal]);
  try {
    const audio = parts.decoder.decode({ bytes: wanted.bytes, ...turn }, stop);
    const speech = findSpeech(audio, parts.activity, turn, stop);
    const segments: TranscriptSegment[] = [];
    let remoteModel: string | undefined;
    for await (const { cut, heard } of hearCuts(parts.transcription, speech.cuts, pinned, turn, stop)) {
      remoteModel ??= heard.model;
      if (heard.text !== "") segments.push(toSegment(cut, heard));
    }
    return {
      text: segments.map(({ text }) => text).join(" "),
      language: mainLanguage(segments) ?? pinned ?? UNKNOWN_LANGUAGE,
      durationMs: speech.durationMs(),
      model: remoteModel ? `${TRANSCRIPTION_MODEL}/${remoteModel}` : TRANSCRIPTION_MODEL,
      segments,
    };
  } finally {
    leaving.abort(new Error("the transcript is complete, or has failed"));
  }
}

function toSegment(cut: SpeechCut, { text, language, confidence }: Heard): TranscriptSegment {
  const { startMs, endMs } = cut;
  return { text, language, startMs, endMs, confidence, words: spreadWords(text, cut) };
}

/** The language in which most was said. */
function mainLanguage(segments: readonly TranscriptSegment[]): string | undefined {
  const lengths = new Map<string, number>();
  for (const { language, text } of segments) lengths.set(language, (lengths.get(language) ?? 0) + text.length);
  return [...lengths].sort((a, b) => b[1] - a[1])[0]?.[0];
}
