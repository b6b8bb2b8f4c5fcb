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

/** Gives what was spoken by a voice that sounds like `own` the pitch, melody and colour of `wanted`. */
export function matchSound(samples: Float32Array, sampleRateHz: number, own: Sound, wanted: Sound): Float32Array {
  const shift = limit(toSemitones(wanted.medianHz / own.medianHz), [-MOST_SEMITONES, MOST_SEMITONES]);
  const range = limit(wanted.rangeSemitones / Math.max(1, own.rangeSemitones), RANGE_LIMITS);
  const isMoved = Math.abs(shift) >= LEAST_SEMITONES || Math.abs(range - 1) > 0.1;
  const centre = own.medianHz * fromSemitones(shift);
  const sung = isMoved
    ? shiftPitch(samples, sampleRateHz, (hertz) => centre * (hertz / own.medianHz) ** range)
    : samples;
  return equalise(sung, sampleRateHz, timbreDifference(own.timbre, wanted.timbre, MOST_DECIBELS));
}

function limit(value: number, [least, most]: readonly [number, number]): number {
  return Math.max(least, Math.min(most, value));
}
