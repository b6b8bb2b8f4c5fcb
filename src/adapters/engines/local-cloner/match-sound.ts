import { equalise, measureTimbre, timbreDifference } from "../../../audio/equalise.ts";
import { fromSemitones, summarizePitch, toSemitones, trackPitch } from "../../../audio/pitch.ts";
import { shiftPitch } from "../../../audio/shift-pitch.ts";
import type { Sound } from "./voice-map.ts";

/** Beyond these a voice sounds like a machine. */
const MOST_SEMITONES = 7;
const RANGE_LIMITS: readonly [number, number] = [0.7, 1.4];
const MOST_DECIBELS = 6;
/** Less is not worth touching the wave for. */
const LEAST_SEMITONES = 0.3;

/** How much of a line's own height is taken back. All of it would make every line lie equally high, which nobody does. */
const CALLED_BACK = 0.5;
/** More is a mistake of the measurement, or a shout. */
const MOST_STRAYED = 3;
/** Less voice has no height of its own. */
const LEAST_VOICED_SECONDS = 0.5;

/** Undefined for what hardly hums. */
export function measureSound(samples: Float32Array, sampleRateHz: number): Sound | undefined {
  const pitch = summarizePitch(trackPitch(samples, sampleRateHz));
  const timbre = measureTimbre(samples, sampleRateHz);
  if (!pitch || !timbre) return undefined;
  return {
    medianHz: pitch.medianHz,
    rangeSemitones: pitch.rangeSemitones,
    timbre: { hertz: [...timbre.hertz], decibels: [...timbre.decibels] },
  };
}

export interface Matching {
  readonly own: Sound;
  readonly wanted: Sound;
  /** What the pitch was still off by when the voice was first tried out. */
  readonly correctionSemitones?: number | undefined;
}

/** Gives what was spoken by a voice that sounds like `own` the pitch, melody and colour of `wanted`. How high a voice lies changes by a
 *  semitone from sentence to sentence, so a whole line is brought nearer to where the voice lies on the whole. */
export function matchSound(
  samples: Float32Array,
  sampleRateHz: number,
  { own, wanted, correctionSemitones = 0 }: Matching,
  isWholeLine = true,
): Float32Array {
  const track = trackPitch(samples, sampleRateHz);
  const line = isWholeLine ? summarizePitch(track) : undefined;
  const isLong = line && (line.voicedShare * samples.length) / sampleRateHz >= LEAST_VOICED_SECONDS;
  const strays = isLong ? limit(toSemitones(line.medianHz / own.medianHz), [-MOST_STRAYED, MOST_STRAYED]) : 0;
  const range = limit(wanted.rangeSemitones / Math.max(1, own.rangeSemitones), RANGE_LIMITS);
  const asked = toSemitones(wanted.medianHz / own.medianHz) + correctionSemitones - CALLED_BACK * range * strays;
  const shift = limit(asked, [-MOST_SEMITONES, MOST_SEMITONES]);
  const isMoved = Math.abs(shift) >= LEAST_SEMITONES || Math.abs(range - 1) > 0.1;
  const centre = own.medianHz * fromSemitones(shift);
  const sung = isMoved
    ? shiftPitch(samples, sampleRateHz, (hertz) => centre * (hertz / own.medianHz) ** range, track)
    : samples;
  return equalise(sung, sampleRateHz, timbreDifference(own.timbre, wanted.timbre, MOST_DECIBELS));
}

function limit(value: number, [least, most]: readonly [number, number]): number {
  return Math.max(least, Math.min(most, value));
}
