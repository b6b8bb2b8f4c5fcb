import { createResampler, type Resampler } from "../../../audio/resample.ts";
import { HEARING_RATE_HZ } from "../../../ports/voice-activity.ts";
import { checkRate, tooLong } from "./open-track.ts";
import type { SoundBlock } from "./sound-block.ts";

/** Aliases below -80 dB are enough to recognise speech by, at a third of the work of what music deserves. */
const speechQuality = { zeroCrossings: 12, kaiserBeta: 8, rolloff: 0.92 };
const chunkSamples = 10 * HEARING_RATE_HZ;
/** Decoding this much slower than real time is not decoding, it is an attack. */
const cpuSecondsPerSecond = 0.25;
const freeCpuSeconds = 20;

/** Mixes to mono, changes the rate and rounds to 16 bits, ten seconds at a time. Stops what is too long or too costly. */
export async function* toHearingRate(
  blocks: AsyncIterable<SoundBlock>,
  longestSeconds: number,
): AsyncGenerator<Int16Array> {
  const startedCpu = process.cpuUsage();
  let resampler: Resampler | undefined;
  let rate = 0;
  let total = 0;
  let chunk = new Int16Array(chunkSamples);
  let filled = 0;

  for await (const { channels, sampleRateHz } of blocks) {
    if ((channels[0]?.length ?? 0) === 0) continue;
    if (!resampler || sampleRateHz !== rate) {
      checkRate(sampleRateHz);
      if (resampler) yield* add(resampler.flush());
      rate = sampleRateHz;
      resampler = createResampler(nearbyRate(rate), HEARING_RATE_HZ, speechQuality);
    }
    yield* add(resampler.process(mix(channels)));
  }
  if (resampler) yield* add(resampler.flush());
  if (filled > 0) yield chunk.slice(0, filled);

  function* add(samples: Float32Array): Generator<Int16Array> {
    total += samples.length;
    const seconds = total / HEARING_RATE_HZ;
    if (seconds > longestSeconds) throw tooLong(seconds, longestSeconds);
    for (const sample of samples) {
      const clipped = sample > 1 ? 1 : sample < -1 ? -1 : sample || 0;
      chunk[filled++] = Math.round(clipped * 32767);
      if (filled < chunkSamples) continue;
      checkCost(seconds);
      yield chunk;
      chunk = new Int16Array(chunkSamples);
      filled = 0;
    }
  }

  function checkCost(seconds: number): void {
    const { user, system } = process.cpuUsage(startedCpu);
    if ((user + system) / 1e6 > freeCpuSeconds + seconds * cpuSecondsPerSecond) {
      throw new Error("decoding costs far more than it should");
    }
  }
}

/** Odd rates would need a filter for each of thousands of phases; a change of pitch below 1 % is not heard. */
function nearbyRate(rate: number): number {
  return HEARING_RATE_HZ % rate === 0 || rate % 25 === 0 ? rate : Math.round(rate / 25) * 25;
}

function mix(channels: readonly Float32Array[]): Float32Array {
  const [first, ...others] = channels;
  if (others.length === 0) return first!;
  const mixed = Float32Array.from(first!);
  for (const other of others) for (let i = 0; i < mixed.length; i++) mixed[i]! += other[i] ?? 0;
  for (let i = 0; i < mixed.length; i++) mixed[i]! /= channels.length;
  return mixed;
}
