import { resample } from "../../../audio/resample.ts";
import { powerSpectrum } from "../../../audio/spectrum.ts";
import { CEPSTRA } from "./files.ts";

/** As the network was trained (mfcc.conf beside its weights, and Kaldi's defaults for the rest). */
const RATE_HZ = 8000;
const FRAME = 200;
const HOP = 80;
const FFT = 256;
const BANDS = 23;
const LOWEST_HZ = 20;
const HIGHEST_HZ = 3700;
const PREEMPHASIS = 0.97;
const LIFTER = 22;
const FLOOR = 1.19e-7;
/** Frames over which the mean is taken off. */
const MEAN_FRAMES = 300;
/** A frame is speech when its log energy is above this and half the mean. */
const SPEECH_ENERGY = 5;
/** Fewer frames of speech than this: all frames are taken. */
const FEWEST_FRAMES = 50;
/** The network looks 7 frames to both sides. */
const SHORTEST_INPUT = 40;

const window = Float64Array.from(
  { length: FRAME },
  (_, i) => (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (FRAME - 1))) ** 0.85,
);
const filters = melFilters();
const cosines = cosineTransform();

/** Mel cepstra of the speech in a clip, `[23, frames]` row by row. */
export function speechFeatures(samples: Float32Array, sampleRateHz: number): { values: Float32Array; frames: number } {
  const frames = cepstra(resample(samples, sampleRateHz, RATE_HZ));
  const energies = frames.map((frame) => frame[0]!);
  const threshold = SPEECH_ENERGY + (0.5 * energies.reduce((sum, energy) => sum + energy, 0)) / (frames.length || 1);
  const centred = takeMeanOff(frames);
  const speech = centred.filter((_, index) => energies[index]! > threshold);
  let kept = speech.length < FEWEST_FRAMES ? centred : speech;
  if (kept.length === 0) kept = [new Float32Array(CEPSTRA)];
  while (kept.length < SHORTEST_INPUT) kept = kept.concat(kept);
  const values = new Float32Array(CEPSTRA * kept.length);
  for (const [t, frame] of kept.entries()) {
    for (let k = 0; k < CEPSTRA; k++) values[k * kept.length + t] = frame[k]!;
  }
  return { values, frames: kept.length };
}

function cepstra(samples: Float32Array): Float32Array[] {
  const frames: Float32Array[] = [];
  const frame = new Float64Array(FRAME);
  for (let start = 0; start + FRAME <= samples.length; start += HOP) {
    let mean = 0;
    // Kaldi counts in 16-bit steps.
    for (let i = 0; i < FRAME; i++) mean += samples[start + i]! * (32768 / FRAME);
    let energy = 0;
    for (let i = 0; i < FRAME; i++) {
      frame[i] = samples[start + i]! * 32768 - mean;
      energy += frame[i]! ** 2;
    }
    for (let i = FRAME - 1; i > 0; i--) frame[i]! -= PREEMPHASIS * frame[i - 1]!;
    frame[0]! -= PREEMPHASIS * frame[0]!;
    frames.push(toCepstra(powerSpectrum(frame, window, FFT), energy));
  }
  return frames;
}

function toCepstra(power: Float64Array, energy: number): Float32Array {
  const logs = filters.map(({ first, weights }) => {
    let sum = 0;
    for (const [k, weight] of weights.entries()) sum += weight * power[first + k]!;
    return Math.log(Math.max(sum, FLOOR));
  });
  const result = Float32Array.from(cosines, (row) => row.reduce((sum, weight, j) => sum + weight * logs[j]!, 0));
  result[0] = Math.log(Math.max(energy, FLOOR));
  return result;
}

/** Takes off what does not change over three seconds: the room and the microphone. */
function takeMeanOff(frames: readonly Float32Array[]): Float32Array[] {
  const sums = [new Float64Array(CEPSTRA)];
  for (const frame of frames) sums.push(sums.at(-1)!.map((sum, k) => sum + frame[k]!));
  return frames.map((frame, t) => {
    let from = Math.max(0, t - MEAN_FRAMES / 2);
    let to = Math.min(frames.length, t + MEAN_FRAMES / 2);
    if (from === 0) to = Math.min(frames.length, MEAN_FRAMES);
    else if (to - from < MEAN_FRAMES) from = Math.max(0, frames.length - MEAN_FRAMES);
    return frame.map((value, k) => value - (sums[to]![k]! - sums[from]![k]!) / (to - from));
  });
}

function melFilters(): { first: number; weights: number[] }[] {
  const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700);
  const step = (mel(HIGHEST_HZ) - mel(LOWEST_HZ)) / (BANDS + 1);
  return Array.from({ length: BANDS }, (_, band) => {
    const left = mel(LOWEST_HZ) + band * step;
    const [centre, right] = [left + step, left + 2 * step];
    const weights: number[] = [];
    let first = 0;
    for (let bin = 0; bin < FFT / 2; bin++) {
      const at = mel((bin * RATE_HZ) / FFT);
      if (at <= left || at >= right) continue;
      if (weights.length === 0) first = bin;
      weights.push(at <= centre ? (at - left) / (centre - left) : (right - at) / (right - centre));
    }
    return { first, weights };
  });
}

function cosineTransform(): number[][] {
  return Array.from({ length: CEPSTRA }, (_, k) => {
    const norm = Math.sqrt((k === 0 ? 1 : 2) / BANDS);
    const lift = 1 + 0.5 * LIFTER * Math.sin((Math.PI * k) / LIFTER);
    return Array.from({ length: BANDS }, (_, j) => norm * lift * Math.cos((Math.PI / BANDS) * (j + 0.5) * k));
  });
}
