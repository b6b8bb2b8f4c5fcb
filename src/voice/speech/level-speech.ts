import { takeTurns } from "../../audio/encode.ts";
import { createLimiter } from "../../audio/limit.ts";
import { measureLoudness } from "../../audio/loudness.ts";
import { decibelsToFactor, joinSamples, scaleSamples } from "../../audio/pcm.ts";

const TARGET_LUFS = -18;
const CEILING_DB = -1;
/** Noise and near-silence must not be blown up to full speech. */
const MOST_GAIN_DB = 18;

/** How loud a voice is by itself, once something it said was measured. */
export interface VoiceLoudness {
  lufs?: number;
}

/** Brings a voice to the loudness all voices have, more or less by what its manner asks for. The gain is set by the first stretch
 *  that the voice says and then stays, so that a text keeps its own louder and softer moments. */
export async function* levelSpeech(
  stretches: AsyncIterable<Float32Array>,
  sampleRateHz: number,
  energyDecibels = 0,
  voice: VoiceLoudness = {},
): AsyncGenerator<Float32Array> {
  const limiter = createLimiter(sampleRateHz, CEILING_DB);
  for await (const stretch of stretches) {
    if (voice.lufs === undefined) {
      const measured = measureLoudness(stretch, sampleRateHz);
      if (Number.isFinite(measured)) voice.lufs = measured;
    }
    const factor = voice.lufs === undefined ? undefined : gainFor(voice.lufs, energyDecibels);
    for (const slice of cutAfterStart(stretch, sampleRateHz)) {
      const leveled = limiter.process(scaleSamples(slice, factor ?? 1));
      if (leveled.length > 0) yield leveled;
    }
  }
  const rest = limiter.flush();
  if (rest.length > 0) yield rest;
}

/** The same for a finished text, whose loudness is known: the gain is that of the whole, so the result is exact. */
export async function levelWhole(
  samples: Float32Array,
  sampleRateHz: number,
  loudness: number,
  energyDecibels = 0,
): Promise<Float32Array> {
  const factor = gainFor(loudness, energyDecibels) ?? 1;
  const limiter = createLimiter(sampleRateHz, CEILING_DB);
  const parts: Float32Array[] = [];
  for await (const part of takeTurns(samples, sampleRateHz)) parts.push(limiter.process(scaleSamples(part, factor)));
  return joinSamples([...parts, limiter.flush()]);
}

/** Looking for peaks takes 2 % of the time that a stretch lasts: whoever waits for the first sound waits for that of a quarter second only. */
function cutAfterStart(stretch: Float32Array, sampleRateHz: number): Float32Array[] {
  const start = Math.round(sampleRateHz / 4);
  return [stretch.subarray(0, start), stretch.subarray(start)].filter((slice) => slice.length > 0);
}

function gainFor(loudness: number, energyDecibels: number): number | undefined {
  if (!Number.isFinite(loudness)) return undefined;
  return decibelsToFactor(Math.min(MOST_GAIN_DB, TARGET_LUFS - loudness) + energyDecibels);
}
