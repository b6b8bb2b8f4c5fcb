import { type TurnTaker, turnOf } from "../../accounts/turn-of.ts";
import { type AudioFormat, encodeStream, encodeWhole } from "../../audio/encode.ts";
import { createLoudnessMeter } from "../../audio/loudness.ts";
import { durationMs, joinSamples } from "../../audio/pcm.ts";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import type { ClonedVoice } from "../../ports/voice-cloner.ts";
import { getLanguage, getVoice } from "./find-voice.ts";
import { levelSpeech, levelWhole, type VoiceLoudness } from "./level-speech.ts";
import { type Manner, PLAIN } from "./manner.ts";
import { prepareText } from "./prepare-text.ts";
import { speakPieces } from "./speak-pieces.ts";

/** Speech as somebody asked for it. Other slices (sockets, calls, dubbing) ask the same way. */
export interface SpeechWanted {
  readonly text: string;
  readonly language?: string | undefined;
  readonly voice?: string | undefined;
  readonly speed?: number | undefined;
  /** Instead of a voice of the catalog. */
  readonly clone?: ClonedVoice | undefined;
  /** How it is said; as the voice says it when not given. */
  readonly manner?: Manner | undefined;
  /** Kept by somebody who says several things with one voice: once it is known, sound is given out before a breath is whole. */
  readonly loudness?: VoiceLoudness;
}

export interface SpeechStarted {
  readonly language: string;
  readonly voice: string;
  readonly sampleRateHz: number;
  /** Leveled samples, in order; the first come while the rest is still being synthesized. */
  readonly samples: AsyncIterable<Float32Array>;
}

export const DEFAULT_LANGUAGE = "en-us";

/** Starts to speak. Anything wrong with the request throws here, before the first sample. */
export function startSpeech(
  engine: SpeechEngine,
  wanted: SpeechWanted,
  caller: TurnTaker,
  signal: AbortSignal,
): SpeechStarted {
  const prepared = prepareSpeech(engine, wanted, caller, true);
  const { loudness = {} } = wanted;
  const how = { isUrgent: true, isStreamed: loudness.lufs !== undefined };
  const samples = levelSpeech(
    speakPieces(engine, prepared.pieces, prepared.by, signal, how),
    prepared.sampleRateHz,
    prepared.by.manner.energyDecibels,
    loudness,
  );
  return { ...prepared, samples };
}

export interface SpeechFinished {
  readonly language: string;
  readonly voice: string;
  readonly sampleRateHz: number;
  readonly samples: Float32Array;
  readonly durationMs: number;
}

export type SpeechProgress = Pick<SpeechFinished, "language" | "voice" | "durationMs">;

/** Speaks the whole text. */
export async function finishSpeech(
  engine: SpeechEngine,
  wanted: SpeechWanted,
  caller: TurnTaker,
  signal: AbortSignal,
  onProgress?: (soFar: SpeechProgress) => void,
): Promise<SpeechFinished> {
  const { language, voice, sampleRateHz, pieces, by } = prepareSpeech(engine, wanted, caller, false);
  let sampleCount = 0;
  onProgress?.({ language, voice, durationMs: 0 });
  const parts: Float32Array[] = [];
  const meter = createLoudnessMeter(sampleRateHz);
  for await (const part of speakPieces(engine, pieces, by, signal)) {
    meter.add(part);
    parts.push(part);
    sampleCount += part.length;
    onProgress?.({ language, voice, durationMs: durationMs(sampleCount, sampleRateHz) });
  }
  const samples = await levelWhole(joinSamples(parts), sampleRateHz, meter.read(), by.manner.energyDecibels);
  if (samples.length === 0) throw new Problem("invalid_request", '"text" has nothing that can be pronounced.');
  return { language, voice, sampleRateHz, samples, durationMs: durationMs(samples.length, sampleRateHz) };
}

export function encodeFinished(speech: SpeechFinished, format: AudioFormat): Promise<Buffer> {
  return encodeWhole(format, speech.samples, speech.sampleRateHz);
}

export function encodeStarted(speech: SpeechStarted, format: AudioFormat): AsyncGenerator<Uint8Array> {
  return encodeStream(format, speech.samples, speech.sampleRateHz);
}

function prepareSpeech(engine: SpeechEngine, wanted: SpeechWanted, caller: TurnTaker, isUrgent: boolean) {
  const language = getLanguage(engine.languages(), wanted.language || DEFAULT_LANGUAGE);
  const voice = getVoice(language, wanted.clone ? undefined : wanted.voice, engine.languages());
  const manner = wanted.manner ?? PLAIN;
  const pieces = prepareText(wanted.text, language.code, { isUrgent });
  const by = {
    language: language.code,
    voice,
    // The slowest and fastest that engines take, whatever speed and manner make of each other.
    speed: Math.max(0.5, Math.min(2, (wanted.speed ?? 1) * manner.rate)),
    manner,
    key: turnOf(caller),
    flow: newId("spk_"),
    ...(wanted.clone ? { clone: wanted.clone } : {}),
  };
  return { language: language.code, voice, sampleRateHz: engine.sampleRateHz(language.code), pieces, by };
}
