import { type TurnTaker, turnOf } from "../../accounts/turn-of.ts";
import { newId } from "../../platform/ids.ts";
import type { MediaDecoder } from "../../ports/media-decoder.ts";
import { type Heard, type TranscriptionEngine, UNKNOWN_LANGUAGE } from "../../ports/transcription-engine.ts";
import type { TurnDetector } from "../../ports/turn-detector.ts";
import type { VoiceActivityDetector } from "../../ports/voice-activity.ts";
import type { SpeechCut } from "./cut-speech.ts";
import { getHearingLanguage } from "./find-language.ts";
import { findSpeech, type Turn } from "./find-speech.ts";
import { hearCuts } from "./hear-cuts.ts";
import type { TimedWord } from "./spread-words.ts";
import { timeWords } from "./time-words.ts";

export const TRANSCRIPTION_MODEL = "svc-stt-1";

/** What it takes to hear. */
export interface HearingParts {
  readonly decoder: MediaDecoder;
  readonly activity: VoiceActivityDetector;
  readonly transcription: TranscriptionEngine;
  /** Tells in live calls whether somebody has finished; undefined where the words do. */
  readonly turns?: TurnDetector | undefined;
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
  /** Written in English, whatever is spoken. Only where the engine `translates`. */
  readonly isTranslated?: boolean;
  /** Hears one stretch after the other, so that whoever asks for little meanwhile finds a free engine. */
  readonly isPatient?: boolean;
}

/** A stretch of speech and what was heard in it; nothing where it was in no known language. */
export interface HeardStretch {
  readonly endMs: number;
  readonly segment: TranscriptSegment | undefined;
  /** Name of the model, for engines that others run. */
  readonly model: string | undefined;
}

export interface Hearing {
  readonly stretches: AsyncGenerator<HeardStretch>;
  /** Length of what has been read of the recording; all of it when `stretches` has ended. */
  durationMs(): number;
}

/** Hears a recording or video stretch by stretch. Other slices (dubbing) ask the same way. A language that cannot be heard throws
 *  here; leaving the loop stops the work. */
export function hearRecording(
  parts: HearingParts,
  wanted: TranscriptionWanted,
  caller: TurnTaker,
  signal: AbortSignal,
): Hearing {
  const pinned = getHearingLanguage(parts.transcription, wanted.language);
  const turn: Turn = { key: turnOf(caller), flow: newId("hear_") };
  const asked = { ...turn, ...(wanted.isTranslated ? { isTranslated: true } : {}) };
  const leaving = new AbortController();
  const stop = AbortSignal.any([signal, leaving.signal]);
  const audio = parts.decoder.decode({ bytes: wanted.bytes, ...turn }, stop);
  const speech = findSpeech(audio, parts.activity, turn, stop);
  return { stretches: hear(), durationMs: speech.durationMs };

  async function* hear(): AsyncGenerator<HeardStretch> {
    try {
      const ahead = wanted.isPatient ? 0 : undefined;
      for await (const { cut, heard } of hearCuts(parts.transcription, speech.cuts, pinned, asked, stop, ahead)) {
        const segment = heard.text === "" ? undefined : toSegment(cut, heard);
        yield { endMs: cut.endMs, segment, model: heard.model };
      }
    } finally {
      leaving.abort(new Error("the transcript is complete, or has failed"));
    }
  }
}

/** A recording or video as text. */
export async function transcribe(
  parts: HearingParts,
  wanted: TranscriptionWanted,
  caller: TurnTaker,
  signal: AbortSignal,
): Promise<Transcript> {
  const hearing = hearRecording(parts, wanted, caller, signal);
  const segments: TranscriptSegment[] = [];
  let modelName: string | undefined;
  for await (const { segment, model } of hearing.stretches) {
    modelName ??= model;
    if (segment) segments.push(segment);
  }
  const pinned = getHearingLanguage(parts.transcription, wanted.language);
  return {
    text: segments.map(({ text }) => text).join(" "),
    language: mainLanguage(segments) ?? pinned ?? UNKNOWN_LANGUAGE,
    durationMs: hearing.durationMs(),
    model: modelName ? `${TRANSCRIPTION_MODEL}/${modelName}` : TRANSCRIPTION_MODEL,
    segments,
  };
}

function toSegment(cut: SpeechCut, { text, language, confidence, words }: Heard): TranscriptSegment {
  const { startMs, endMs } = cut;
  const timed = timeWords({ text, ...(words ? { words } : {}) }, cut);
  return { text, language, startMs, endMs, confidence, words: timed };
}

/** The language in which most was said. */
export function mainLanguage(segments: readonly TranscriptSegment[]): string | undefined {
  const lengths = new Map<string, number>();
  for (const { language, text } of segments) lengths.set(language, (lengths.get(language) ?? 0) + text.length);
  return [...lengths].sort((a, b) => b[1] - a[1])[0]?.[0];
}
