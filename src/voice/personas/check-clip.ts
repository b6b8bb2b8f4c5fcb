import { joinSamples } from "../../audio/pcm.ts";
import { summarizePitch, trackPitch } from "../../audio/pitch.ts";
import { Problem } from "../../platform/errors.ts";
import type { MediaDecoder } from "../../ports/media-decoder.ts";
import { FRAME_SAMPLES, HEARING_RATE_HZ, type VoiceActivityDetector } from "../../ports/voice-activity.ts";
import type { VoicePrinter } from "../../ports/voice-printer.ts";
import { groupVoices, type PrintedStretch } from "../speakers/group-voices.ts";
import { findSpeech, type Turn } from "../transcription/find-speech.ts";

export interface ClipParts {
  readonly decoder: MediaDecoder;
  readonly activity: VoiceActivityDetector;
  readonly printer?: VoicePrinter | undefined;
}

export interface Clip {
  /** 16 kHz mono. */
  readonly samples: Int16Array;
  readonly durationMs: number;
}

const SHORTEST_SECONDS = 3;
const LONGEST_SECONDS = 40;
/** Containers and encoders add some milliseconds to what was recorded. */
const TOLERANCE_SECONDS = 0.1;
const LEAST_SPEECH_MS = 2000;
/** Part of the samples that may stand at the end of the scale before a clip sounds broken. */
const MOST_CLIPPED = 0.005;
const CLIPPED_FROM = 32_700;
/** Between the softest and the louder moments of a clean recording lie 25 dB and more. */
const LEAST_DYNAMIC_DECIBELS = 10;
const WINDOW_SAMPLES = 3 * HEARING_RATE_HZ;
/** Below this, stretches of three seconds are hardly ever of the same person. */
const SURELY_ANOTHER = 0.28;

/** Reads a clip to be cloned from. What cannot be read throws `unprocessable_audio`, a wrong length `invalid_request`, and what no voice
 *  can be made of `unprocessable_audio` with the reason. */
export async function checkClip(parts: ClipParts, bytes: Uint8Array, turn: Turn, signal: AbortSignal): Promise<Clip> {
  const samples = await readClip(parts.decoder, bytes, turn, signal);
  checkClipping(samples);
  const { cuts } = findSpeech(once(samples), parts.activity, turn, signal);
  const speech: Float32Array[] = [];
  let speechMs = 0;
  for await (const cut of cuts) {
    speech.push(cut.samples);
    speechMs += cut.speechMs;
  }
  if (speechMs < LEAST_SPEECH_MS) {
    throw refuse(`only ${(speechMs / 1000).toFixed(1)} s of speech were found in it; at least 2 s are needed`);
  }
  checkNoise(samples);
  await checkSpeakers(joinSamples(speech), parts.printer, turn, signal);
  return { samples, durationMs: Math.round((samples.length * 1000) / HEARING_RATE_HZ) };
}

async function readClip(
  decoder: MediaDecoder,
  bytes: Uint8Array,
  turn: Turn,
  signal: AbortSignal,
): Promise<Int16Array> {
  const most = (LONGEST_SECONDS + TOLERANCE_SECONDS) * HEARING_RATE_HZ;
  const chunks: Int16Array[] = [];
  let total = 0;
  for await (const chunk of decoder.decode({ bytes, ...turn }, signal)) {
    chunks.push(chunk);
    total += chunk.length;
    if (total > most) {
      throw new Problem(
        "invalid_request",
        `The clip is longer than ${LONGEST_SECONDS} seconds. 3 to 40 are taken, about 12 are best.`,
      );
    }
  }
  if (total < (SHORTEST_SECONDS - TOLERANCE_SECONDS) * HEARING_RATE_HZ) {
    const seconds = (total / HEARING_RATE_HZ).toFixed(1);
    throw new Problem("invalid_request", `The clip is ${seconds} seconds long. 3 to 40 are taken, about 12 are best.`);
  }
  const samples = new Int16Array(total);
  let at = 0;
  for (const chunk of chunks) {
    samples.set(chunk, at);
    at += chunk.length;
  }
  return samples;
}

function checkClipping(samples: Int16Array): void {
  let clipped = 0;
  for (const sample of samples) if (sample >= CLIPPED_FROM || sample <= -CLIPPED_FROM) clipped += 1;
  if (clipped > MOST_CLIPPED * samples.length) throw refuse("it is overdriven; record it at a lower level");
}

function checkNoise(samples: Int16Array): void {
  const levels: number[] = [];
  for (let start = 0; start + FRAME_SAMPLES <= samples.length; start += FRAME_SAMPLES) {
    let sum = 1;
    for (let i = start; i < start + FRAME_SAMPLES; i++) sum += samples[i]! ** 2;
    levels.push(10 * Math.log10(sum / FRAME_SAMPLES));
  }
  levels.sort((a, b) => a - b);
  const at = (part: number) => levels[Math.floor(part * (levels.length - 1))]!;
  if (at(0.85) - at(0.05) < LEAST_DYNAMIC_DECIBELS)
    throw refuse("the speech is buried in noise; record it in a quiet place");
}

async function checkSpeakers(
  speech: Float32Array,
  printer: VoicePrinter | undefined,
  turn: Turn,
  signal: AbortSignal,
): Promise<void> {
  if (!printer || printer.missing() !== undefined) return;
  const windows: PrintedStretch[] = [];
  for (let start = 0; start + WINDOW_SAMPLES <= speech.length; start += WINDOW_SAMPLES) {
    const samples = speech.slice(start, start + WINDOW_SAMPLES);
    const print = await printer.print({ samples, ...turn }, signal);
    const medianHz = summarizePitch(trackPitch(samples, HEARING_RATE_HZ))?.medianHz;
    windows.push({ print, seconds: WINDOW_SAMPLES / HEARING_RATE_HZ, medianHz });
  }
  if (Math.max(0, ...groupVoices(windows, { samePerson: SURELY_ANOTHER })) > 0) {
    throw refuse("more than one person speaks in it");
  }
}

async function* once(samples: Int16Array): AsyncGenerator<Int16Array> {
  yield samples;
}

function refuse(reason: string): Problem {
  return new Problem("unprocessable_audio", `No voice can be made from the clip: ${reason}.`);
}
