import { hannWindow, powerSpectrum } from "./spectrum.ts";

/** The colour of a voice: the energy of bands in dB, averaged over its louder moments, relative to their mean. */
export interface Timbre {
  readonly hertz: readonly number[];
  readonly decibels: readonly number[];
}

const LOWEST_HZ = 100;
const HIGHEST_HZ = 7000;
const BANDS = 20;
/** Frames this far under the loudest are pauses and breath. */
const QUIET_DECIBELS = -30;
const TAPS = 255;
const FADE_OUT_HZ = 1000;

/** Bands of equal width to the ear (mel). */
const centres = Array.from({ length: BANDS }, (_, band) => {
  const mel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
  const at = mel(LOWEST_HZ) + ((mel(HIGHEST_HZ) - mel(LOWEST_HZ)) * band) / (BANDS - 1);
  return 700 * (10 ** (at / 2595) - 1);
});

export function measureTimbre(samples: Float32Array, sampleRateHz: number): Timbre | undefined {
  const size = 2 ** Math.ceil(Math.log2(sampleRateHz / 32));
  const window = hannWindow(size);
  const frames: Float64Array[] = [];
  for (let start = 0; start + size <= samples.length; start += size / 2) {
    frames.push(powerSpectrum(samples.subarray(start, start + size), window));
  }
  const energies = frames.map((frame) => frame.reduce((sum, value) => sum + value, 0));
  const loudest = energies.reduce((most, energy) => Math.max(most, energy), 0);
  const loud = frames.filter((_, index) => energies[index]! > loudest * 10 ** (QUIET_DECIBELS / 10));
  if (loudest < 1e-6 || loud.length < 10) return undefined;
  const levels = centres.map((centre, band) => {
    const low = band === 0 ? centre * 0.8 : (centres[band - 1]! + centre) / 2;
    const high = band === BANDS - 1 ? centre * 1.15 : (centres[band + 1]! + centre) / 2;
    const first = Math.max(1, Math.round((low * size) / sampleRateHz));
    const last = Math.max(first + 1, Math.min(size / 2, Math.round((high * size) / sampleRateHz)));
    let sum = 0;
    for (const frame of loud) for (let bin = first; bin < last; bin++) sum += frame[bin]!;
    return 10 * Math.log10(sum / ((last - first) * loud.length) + 1e-9);
  });
  const mean = levels.reduce((sum, level) => sum + level, 0) / BANDS;
  return { hertz: centres, decibels: levels.map((level) => level - mean) };
}

/** What has to be added to one timbre to come near another, smoothed over neighbours and limited. */
export function timbreDifference(from: Timbre, to: Timbre, mostDecibels: number): Timbre {
  const raw = to.decibels.map((level, band) => level - from.decibels[band]!);
  const smooth = raw.map((_, band) => {
    const near = raw.slice(Math.max(0, band - 1), band + 2);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
  return {
    hertz: to.hertz,
    decibels: smooth.map((level) => Math.max(-mostDecibels, Math.min(mostDecibels, level))),
  };
}

/** Adds to each frequency what `gains` says, without moving anything in time; above its last band less and less. */
export function equalise(samples: Float32Array, sampleRateHz: number, gains: Timbre): Float32Array {
  const taps = designFilter(sampleRateHz, gains);
  const half = (TAPS - 1) / 2;
  const output = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    let sum = 0;
    const first = Math.max(0, i + half - samples.length + 1);
    const last = Math.min(TAPS - 1, i + half);
    for (let k = first; k <= last; k++) sum += taps[k]! * samples[i + half - k]!;
    output[i] = sum;
  }
  return output;
}

/** A linear-phase filter by frequency sampling. */
function designFilter(sampleRateHz: number, gains: Timbre): Float32Array {
  const half = (TAPS - 1) / 2;
  const factors = Array.from({ length: half + 1 }, (_, k) => 10 ** (gainAt((k * sampleRateHz) / TAPS, gains) / 20));
  const window = hannWindow(TAPS + 1);
  return Float32Array.from({ length: TAPS }, (_, n) => {
    let sum = factors[0]!;
    for (let k = 1; k <= half; k++) sum += 2 * factors[k]! * Math.cos((2 * Math.PI * k * (n - half)) / TAPS);
    return (sum / TAPS) * window[n + 1]!;
  });
}

function gainAt(hertz: number, { hertz: bands, decibels }: Timbre): number {
  const last = bands.length - 1;
  if (hertz <= bands[0]!) return decibels[0]!;
  if (hertz >= bands[last]!) return decibels[last]! * Math.max(0, 1 - (hertz - bands[last]!) / FADE_OUT_HZ);
  const above = bands.findIndex((band) => band > hertz);
  const share = (hertz - bands[above - 1]!) / (bands[above]! - bands[above - 1]!);
  return decibels[above - 1]! + share * (decibels[above]! - decibels[above - 1]!);
}
