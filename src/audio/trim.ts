export interface TrimOptions {
  /** What counts as silence, relative to the loudest 10 ms of the clip. */
  readonly floorDecibels?: number;
  /** Kept on both sides of the sound, so that soft consonants survive. */
  readonly marginMs?: number;
}

/** The part of a clip between its first and last audible moment. A clip without sound comes back empty. */
export function trimSilence(samples: Float32Array, sampleRateHz: number, options: TrimOptions = {}): Float32Array {
  const { floorDecibels = -50, marginMs = 25 } = options;
  const frame = Math.max(1, Math.round(sampleRateHz / 100));
  const energies: number[] = [];
  for (let start = 0; start < samples.length; start += frame) {
    let sum = 0;
    const end = Math.min(samples.length, start + frame);
    for (let i = start; i < end; i++) sum += samples[i]! * samples[i]!;
    energies.push(sum / (end - start));
  }
  const loudest = energies.reduce((most, energy) => Math.max(most, energy), 0);
  // Below -80 dBFS there is nothing to hear, whatever the proportions are.
  if (loudest < 1e-8) return samples.subarray(0, 0);
  const threshold = loudest * 10 ** (floorDecibels / 10);
  const first = energies.findIndex((energy) => energy >= threshold);
  const last = energies.findLastIndex((energy) => energy >= threshold);
  const margin = Math.round((marginMs * sampleRateHz) / 1000);
  return samples.subarray(Math.max(0, first * frame - margin), Math.min(samples.length, (last + 1) * frame + margin));
}

/** The same at its beginning only. */
export function trimStart(samples: Float32Array, sampleRateHz: number, options: TrimOptions = {}): Float32Array {
  const sound = trimSilence(samples, sampleRateHz, options);
  return samples.subarray((sound.byteOffset - samples.byteOffset) / samples.BYTES_PER_ELEMENT);
}
