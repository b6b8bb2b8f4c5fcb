import { type PitchTrack, trackPitch } from "./pitch.ts";

/** What a moment's pitch becomes. */
export type NewPitch = (hertz: number) => number;

/** Between marks where nothing hums. */
const UNVOICED_STEP_SECONDS = 0.005;
/** How far from where it is expected the peak of a period is looked for, as a part of the period. */
const SEARCH = 0.2;

interface Mark {
  readonly at: number;
  readonly period: number;
  readonly isVoiced: boolean;
}

/** Sings speech at another pitch without changing its length or its vowels: periods of the voice are cut out, each with a soft
 *  edge, and laid down closer together or farther apart (TD-PSOLA). */
export function shiftPitch(
  samples: Float32Array,
  sampleRateHz: number,
  newPitch: NewPitch,
  track: PitchTrack = trackPitch(samples, sampleRateHz),
): Float32Array {
  const marks = setMarks(samples, sampleRateHz, track);
  if (marks.length < 2) return samples;
  const output = new Float32Array(samples.length);
  const weights = new Float32Array(samples.length);
  let nearest = 0;
  for (let at = marks[0]!.at; at < samples.length; ) {
    while (nearest + 1 < marks.length && marks[nearest + 1]!.at - at < at - marks[nearest]!.at) nearest += 1;
    const mark = marks[nearest]!;
    layDown(samples, mark, Math.round(at), output, weights);
    at += mark.isVoiced ? sampleRateHz / newPitch(sampleRateHz / mark.period) : mark.period;
  }
  // Where periods overlap more than they did, they are louder; where they lie apart, they fade as the voice itself does.
  for (let i = 0; i < output.length; i++) output[i]! /= Math.max(1, weights[i]!);
  return output;
}

function layDown(
  samples: Float32Array,
  { at: from, period }: Mark,
  to: number,
  output: Float32Array,
  weights: Float32Array,
): void {
  const reach = Math.round(period);
  for (let i = -reach; i <= reach; i++) {
    const [source, target] = [from + i, to + i];
    if (source < 0 || source >= samples.length || target < 0 || target >= output.length) continue;
    const weight = 0.5 + 0.5 * Math.cos((Math.PI * i) / reach);
    output[target]! += weight * samples[source]!;
    weights[target]! += weight;
  }
}

/** One mark for each period of the voice, at its loudest moment, and one every few milliseconds elsewhere. */
function setMarks(samples: Float32Array, sampleRateHz: number, track: PitchTrack): Mark[] {
  const step = UNVOICED_STEP_SECONDS * sampleRateHz;
  const hertzAt = (at: number) =>
    track.hertz[Math.min(track.hertz.length - 1, Math.floor(at / sampleRateHz / track.hopSeconds))] ?? 0;
  const marks: Mark[] = [];
  let at = 0;
  let sign = 1;
  while (at < samples.length) {
    const hertz = hertzAt(at);
    if (hertz === 0) {
      marks.push({ at: Math.round(at), period: step, isVoiced: false });
      at += step;
      continue;
    }
    const period = sampleRateHz / hertz;
    const isFirst = !marks.at(-1)?.isVoiced;
    if (isFirst) sign = strongerSide(samples, at, at + period);
    const search = isFirst ? period / 2 : SEARCH * period;
    const peak = findPeak(samples, isFirst ? at : at - search, at + search, sign);
    marks.push({ at: peak, period, isVoiced: true });
    at = peak + period;
  }
  return marks;
}

/** Voices swing farther to one side; the same side must be followed. */
function strongerSide(samples: Float32Array, from: number, to: number): 1 | -1 {
  let [most, least] = [0, 0];
  for (let i = Math.floor(from); i < Math.min(to, samples.length); i++) {
    most = Math.max(most, samples[i]!);
    least = Math.min(least, samples[i]!);
  }
  return most >= -least ? 1 : -1;
}

function findPeak(samples: Float32Array, from: number, to: number, sign: number): number {
  let best = Math.max(0, Math.round((from + to) / 2));
  let most = Number.NEGATIVE_INFINITY;
  for (let i = Math.max(0, Math.floor(from)); i <= Math.min(samples.length - 1, to); i++) {
    if (samples[i]! * sign > most) {
      most = samples[i]! * sign;
      best = i;
    }
  }
  return Math.min(best, samples.length - 1);
}
