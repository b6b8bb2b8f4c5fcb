import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { MediaDecoder } from "../../ports/media-decoder.ts";
import { type Heard, type TranscriptionEngine, UNKNOWN_LANGUAGE } from "../../ports/transcription-engine.ts";
import type { VoiceActivityDetector } from "../../ports/voice-activity.ts";
import type { SpeechCut } from "./cut-speech.ts";
import { getHearingLanguage } from "./find-language.ts";
import { findSpeech, type Turn } from "./find-speech.ts";
import { spreadWords, type TimedWord } from "./spread-words.ts";

const noticeDeathsMs = 100;

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

/** How much speech is looked at before the language of a recording is decided. */
const decideWithinMs = 60_000;
const decideFromMs = 8_000;
/** Stretches that are heard side by side: enough to keep a second engine process busy. */
const sideBySide = 2;
/** Below this a stretch may be in another language than the recording. */
const doubtfulBelow = 0.67;

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
    for await (const { cut, heard } of hearAll(parts.transcription, speech.cuts, pinned, turn, stop)) {
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

interface HeardCut {
  readonly cut: SpeechCut;
  readonly heard: Heard;
}

/** Hears stretches in order. Without a language, the longest stretch at the beginning decides it for the recording: one
 *  decision on much speech is more often right than many on little. */
async function* hearAll(
  engine: TranscriptionEngine,
  cuts: AsyncIterable<SpeechCut>,
  pinned: string | undefined,
  turn: Turn,
  signal: AbortSignal,
): AsyncGenerator<HeardCut> {
  const hear = async (cut: SpeechCut, language: string | undefined) => {
    const request = { samples: cut.samples, speechMs: cut.speechMs, language, isInterim: false, ...turn };
    try {
      return await engine.hear(request, signal);
    } catch (error) {
      // A stretch that died with its process is worth a second try: an hour of work hangs on it.
      const isLost = error instanceof Problem && error.kind === "engine_unavailable";
      if (!isLost || signal.aborted) throw error;
      // What ended it may have ended its neighbours, too: a moment later only living processes are given work.
      await sleep(noticeDeathsMs, undefined, { signal });
      return engine.hear(request, signal);
    }
  };
  let decided = pinned;
  let undecided: SpeechCut[] = [];
  const started: { cut: SpeechCut; hearing: Promise<Heard> }[] = [];

  for await (const cut of cuts) {
    if (decided !== undefined) {
      start(cut);
      if (started.length > sideBySide) yield await next();
      continue;
    }
    undecided.push(cut);
    const isEnough = cut.speechMs >= decideFromMs || cut.endMs - undecided[0]!.startMs >= decideWithinMs;
    if (isEnough) yield* decide();
  }
  if (undecided.length > 0) yield* decide();
  while (started.length > 0) yield await next();

  function start(cut: SpeechCut): void {
    const hearing = pinned === undefined ? hearOrDoubt(cut) : hear(cut, decided);
    // Looked at when its turn comes; until then a failure must not count as unhandled.
    hearing.catch(() => {});
    started.push({ cut, hearing });
  }

  async function next(): Promise<HeardCut> {
    const { cut, hearing } = started.shift()!;
    return { cut, heard: await hearing };
  }

  async function* decide(): AsyncGenerator<HeardCut> {
    const waiting = undecided;
    undecided = [];
    const longest = waiting.reduce((best, cut) => (cut.speechMs > best.speechMs ? cut : best));
    const heard = await hear(longest, undefined);
    if (heard.language === UNKNOWN_LANGUAGE) {
      // A server that heard words without saying in which language is believed; nobody else's guess would be better.
      const isUnnamed = heard.text !== "";
      for (const cut of waiting) {
        if (cut === longest || !isUnnamed) yield { cut, heard: cut === longest ? heard : { ...heard, text: "" } };
        else yield { cut, heard: await hear(cut, undefined) };
      }
      return;
    }
    decided = heard.language;
    for (const cut of waiting) {
      if (cut === longest) started.push({ cut, hearing: Promise.resolve(heard) });
      else start(cut);
      if (started.length > sideBySide) yield await next();
    }
  }

  /** People do switch languages between sentences. */
  async function hearOrDoubt(cut: SpeechCut): Promise<Heard> {
    const expected = await hear(cut, decided);
    if (expected.text === "" || expected.confidence >= doubtfulBelow) return expected;
    const other = await hear(cut, undefined);
    const isOther = other.language !== UNKNOWN_LANGUAGE && other.language !== decided;
    return isOther && other.confidence > expected.confidence ? other : expected;
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
