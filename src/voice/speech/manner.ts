import { fromSemitones, summarizePitch, trackPitch } from "../../audio/pitch.ts";
import { shiftPitch } from "../../audio/shift-pitch.ts";

/** How something is said, beside which words and by whom. */
export interface Manner {
  /** Times as fast. */
  readonly rate: number;
  readonly pitchSemitones: number;
  /** How far the melody moves, compared with how the voice would. */
  readonly range: number;
  readonly energyDecibels: number;
  /** Times as long between clauses and sentences. */
  readonly pauses: number;
}

export const PLAIN: Manner = { rate: 1, pitchSemitones: 0, range: 1, energyDecibels: 0, pauses: 1 };

/** Beyond these a voice stops sounding like somebody. */
const LIMITS: Readonly<Record<keyof Manner, readonly [number, number]>> = {
  rate: [0.7, 1.4],
  pitchSemitones: [-4, 4],
  range: [0.4, 1.8],
  energyDecibels: [-8, 4],
  pauses: [0.4, 2.5],
};

/** All of them at once, each in its measure, within what a voice can do. */
export function combineManners(manners: readonly Manner[]): Manner {
  const whole = manners.reduce(
    (sum, one) => ({
      rate: sum.rate * one.rate,
      pitchSemitones: sum.pitchSemitones + one.pitchSemitones,
      range: sum.range * one.range,
      energyDecibels: sum.energyDecibels + one.energyDecibels,
      pauses: sum.pauses * one.pauses,
    }),
    PLAIN,
  );
  const limited = Object.entries(LIMITS).map(([name, [least, most]]) => [
    name,
    Math.min(most, Math.max(least, whole[name as keyof Manner])),
  ]);
  return Object.fromEntries(limited) as unknown as Manner;
}

/** The same manner, more or less of it. */
export function weigh(manner: Manner, strength: number): Manner {
  return {
    rate: manner.rate ** strength,
    pitchSemitones: manner.pitchSemitones * strength,
    range: manner.range ** strength,
    energyDecibels: manner.energyDecibels * strength,
    pauses: manner.pauses ** strength,
  };
}

export function keepsMelody(manner: Manner): boolean {
  return manner.pitchSemitones === 0 && manner.range === 1;
}

/** Gives a spoken stretch the melody of a manner. */
export function bendMelody(samples: Float32Array, sampleRateHz: number, manner: Manner): Float32Array {
  if (keepsMelody(manner)) return samples;
  const track = trackPitch(samples, sampleRateHz);
  const summary = summarizePitch(track);
  if (!summary) return samples;
  const { medianHz } = summary;
  const centre = medianHz * fromSemitones(manner.pitchSemitones);
  return shiftPitch(samples, sampleRateHz, (hertz) => centre * (hertz / medianHz) ** manner.range, track);
}
