import { fadeEdges, joinSamples } from "../../../audio/pcm.ts";
import { createResampler, resample } from "../../../audio/resample.ts";
import { changeSpeed } from "../../../audio/stretch.ts";
import { trimSilence } from "../../../audio/trim.ts";

/** Models speak well a little faster or slower by themselves; beyond that a stretcher sounds better. */
const MODEL_SPEEDS: readonly [number, number] = [0.8, 1.25];
const FADE_MS = 4;

/** Which part of a wanted speed the model itself takes on. */
export function modelSpeed(speed: number): number {
  return Math.max(MODEL_SPEEDS[0], Math.min(MODEL_SPEEDS[1], speed));
}

/** What is left of the speed, the silence at both ends off, soft edges, and the rate everybody expects. */
export async function finishWave(
  wave: Float32Array,
  from: { sampleRateHz: number; speed: number },
  sampleRateHz: number,
): Promise<Float32Array> {
  const spoken = trimSilence(wave, from.sampleRateHz).slice();
  if (spoken.length === 0) return spoken;
  const paced = await changeSpeed(spoken, from.sampleRateHz, from.speed / modelSpeed(from.speed));
  const faded = fadeEdges(paced, Math.round((from.sampleRateHz * FADE_MS) / 1000));
  return resample(faded, from.sampleRateHz, sampleRateHz);
}

/** The same for a wave that comes in parts, spoken at the speed that was wanted. */
export function createWaveFinisher(
  fromHz: number,
  toHz: number,
): (part: Float32Array, isLast: boolean) => Float32Array {
  const resampler = createResampler(fromHz, toHz);
  const fade = Math.round((fromHz * FADE_MS) / 1000);
  let isFirst = true;
  return (part, isLast) => {
    const sound = trimSilence(part, fromHz);
    const start = isFirst ? sound.byteOffset - part.byteOffset : 0;
    const end = isLast ? sound.byteOffset - part.byteOffset + sound.byteLength : part.byteLength;
    const spoken = part.slice(start / part.BYTES_PER_ELEMENT, end / part.BYTES_PER_ELEMENT);
    for (let i = 0; i < Math.min(fade, spoken.length); i++) {
      const gain = 0.5 - 0.5 * Math.cos((Math.PI * i) / fade);
      if (isFirst) spoken[i]! *= gain;
      if (isLast) spoken[spoken.length - 1 - i]! *= gain;
    }
    isFirst = false;
    const ready = resampler.process(spoken);
    return isLast ? joinSamples([ready, resampler.flush()]) : ready;
  };
}
