import { type TurnTaker, turnOf } from "../../accounts/turn-of.ts";
import type { AudioFormat } from "../../audio/encode.ts";
import { durationMs } from "../../audio/pcm.ts";
import { newId } from "../../platform/ids.ts";
import type { ChatUsage } from "../../ports/chat-engine.ts";
import type { DiarisationEngine } from "../../ports/diarisation-engine.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import type { ClonedVoice, VoiceCloner } from "../../ports/voice-cloner.ts";
import type { VoicePrinter } from "../../ports/voice-printer.ts";
import { getLanguage, getVoice } from "../speech/find-voice.ts";
import type { PersonaVoice } from "../speech/speak-as.ts";
import { speakAs } from "../speech/speak-as.ts";
import { encodeFinished, finishSpeech, type SpeechWanted } from "../speech/synthesize.ts";
import type { HearingParts } from "../transcription/transcribe.ts";
import { getDirection, type TranslatingParts, translate } from "../translation/translate.ts";
import { chooseVoices } from "./choose-voices.ts";
import { type HeardSource, hearSource } from "./hear-source.ts";
import { keepBackground } from "./keep-background.ts";
import { type DubbedLine, type DubSegment, layInOrder, layInTime } from "./lay-down.ts";
import { type Speaker, tellSpeakers } from "./tell-speakers.ts";

export interface DubbingParts extends TranslatingParts {
  readonly hearing: HearingParts;
  readonly speech: SpeechEngine;
  readonly printer?: VoicePrinter | undefined;
  readonly cloner?: VoiceCloner | undefined;
  /** Tells people apart in the place of the printer. */
  readonly diarisation?: DiarisationEngine | undefined;
}

export interface DubWanted {
  readonly bytes: Uint8Array;
  readonly target: string;
  readonly source: string;
  readonly voice: string | undefined;
  readonly persona: PersonaVoice | undefined;
  readonly speed: number;
  readonly preservesVoice: boolean;
  readonly isTimed: boolean;
  readonly keepsBackground: boolean;
}

export interface DubProgress {
  readonly stage: "transcribing" | "translating" | "cloning" | "speaking" | "encoding";
  /** Between 0 and 1, within the stage. */
  readonly fraction: number;
}

/** A translation of what is said, before anybody speaks it. */
export interface TranslatedSource {
  readonly source: HeardSource;
  readonly target: string;
  readonly translations: readonly string[];
  readonly usage: ChatUsage;
}

export interface Dub extends TranslatedSource {
  readonly samples: Float32Array;
  readonly sampleRateHz: number;
  readonly durationMs: number;
  readonly segments: readonly DubSegment[];
  readonly voices: readonly string[];
}

type Turn = { key: string; flow: string };
type OnProgress = (progress: DubProgress) => void;

/** Hears and translates. What cannot work is refused before anything is heard, where that is known by then. */
export async function translateSource(
  parts: DubbingParts,
  wanted: DubWanted,
  caller: TurnTaker,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<TranslatedSource> {
  const language = getLanguage(parts.speech.languages(), wanted.target);
  if (wanted.voice && !wanted.preservesVoice) getVoice(language, wanted.voice, parts.speech.languages());
  const isNamed = !["", "auto"].includes(wanted.source.trim().toLowerCase());
  if (isNamed) getDirection(parts.translation, wanted.source, language.code);
  const source = await hearSource(
    parts.hearing,
    { bytes: wanted.bytes, language: wanted.source },
    caller,
    signal,
    (fraction) => onProgress({ stage: "transcribing", fraction }),
  );
  const turn = { key: turnOf(caller), flow: newId("dub_") };
  const translations: string[] = [];
  let usage: ChatUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: null };
  for (const [index, line] of source.lines.entries()) {
    signal.throwIfAborted();
    const asked = { text: line.text, source: line.language, target: language.code };
    const done = await translate(parts, asked, turn, signal);
    translations.push(done.text);
    usage = addUsage(usage, done.usage);
    onProgress({ stage: "translating", fraction: (index + 1) / source.lines.length });
  }
  return { source, target: language.code, translations, usage };
}

/** Speech in another language: heard, translated and spoken again. Keeps nothing. */
export async function dub(
  parts: DubbingParts,
  wanted: DubWanted,
  caller: TurnTaker,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Dub> {
  const translated = await translateSource(parts, wanted, caller, signal, onProgress);
  const { source, target, translations } = translated;
  const turn = { key: turnOf(caller), flow: newId("dub_") };
  const { speakers, speakerOf } = await tellSpeakers(source.lines, source.samples, parts, turn, signal);
  const { voices, spoken } = await castSpeakers(parts, wanted, target, speakers, turn, signal, onProgress);
  const sampleRateHz = parts.speech.sampleRateHz(target);
  const lines: DubbedLine[] = [];
  for (const [index, line] of source.lines.entries()) {
    signal.throwIfAborted();
    const translation = translations[index]!;
    const how = { ...spoken[speakerOf[index]!]!, speed: wanted.speed };
    const samples = /[\p{L}\p{N}]/u.test(translation)
      ? (await finishSpeech(parts.speech, { text: translation, ...how }, caller, signal)).samples
      : new Float32Array(0);
    lines.push({ ...line, translation, speaker: speakerOf[index]!, samples });
    onProgress({ stage: "speaking", fraction: (index + 1) / source.lines.length });
  }
  const laid = wanted.isTimed
    ? await layInTime(lines, sampleRateHz, source.durationMs)
    : layInOrder(lines, sampleRateHz);
  const samples = wanted.keepsBackground
    ? keepBackground(laid.samples, sampleRateHz, source.samples, source.lines)
    : laid.samples;
  const length = durationMs(samples.length, sampleRateHz);
  return { ...translated, samples, sampleRateHz, durationMs: length, segments: laid.segments, voices };
}

export function encodeDub(
  { samples, sampleRateHz, durationMs: length, target }: Dub,
  format: AudioFormat,
): Promise<Buffer> {
  return encodeFinished({ samples, sampleRateHz, durationMs: length, language: target, voice: "" }, format);
}

interface Cast {
  /** For the books. */
  readonly voices: readonly string[];
  /** For each speaker, how they are spoken. */
  readonly spoken: readonly Omit<SpeechWanted, "text">[];
}

async function castSpeakers(
  { speech, cloner }: DubbingParts,
  wanted: DubWanted,
  target: string,
  speakers: readonly Speaker[],
  turn: Turn,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Cast> {
  if (wanted.preservesVoice && cloner) {
    const clones: ClonedVoice[] = [];
    for (const { samples } of speakers) {
      clones.push(await cloner.clone({ samples, text: undefined, effort: "quick", ...turn }, signal));
      onProgress({ stage: "cloning", fraction: clones.length / speakers.length });
    }
    return { voices: ["clone"], spoken: clones.map((clone) => ({ language: target, clone })) };
  }
  const first = speakAs(speech, wanted.persona, { language: target, voice: wanted.voice });
  const voices = chooseVoices(getLanguage(speech.languages(), target), speakers, first.voice);
  const spoken = voices.map((voice, index) => ({ ...(index === 0 ? first : {}), language: target, voice }));
  return { voices, spoken };
}

function addUsage(a: ChatUsage, b: ChatUsage): ChatUsage {
  const cached =
    a.cachedTokens === null && b.cachedTokens === null ? null : (a.cachedTokens ?? 0) + (b.cachedTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: cached,
  };
}
