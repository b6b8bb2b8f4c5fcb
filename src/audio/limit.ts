import { decibelsToFactor, joinSamples } from "./pcm.ts";
import { createResampler } from "./resample.ts";

/** Keeps a stream under a true-peak ceiling by turning the gain down smoothly around each peak. Adds no delay to the samples' count. */
export interface Limiter {
  process(samples: Float32Array): Float32Array;
  flush(): Float32Array;
}

const OVERSAMPLING = 4;
const LOOKAHEAD_MS = 5;

/**
 * The gain a sample needs is the least over a window around it, then averaged over the same window: the average of values
 * that are each small enough for the peak is itself small enough for it, so the ceiling holds without clipping.
 */
export function createLimiter(sampleRateHz: number, ceilingDecibels: number): Limiter {
  const ceiling = decibelsToFactor(ceilingDecibels);
  const reach = Math.max(1, Math.round((sampleRateHz * LOOKAHEAD_MS) / 1000));
  const window = 2 * reach + 1;
  const oversampler = createResampler(sampleRateHz, sampleRateHz * OVERSAMPLING, {
    zeroCrossings: 16,
    kaiserBeta: 8,
    rolloff: 0.98,
  });

  let waiting: Float32Array = new Float32Array(0); // samples whose gain is not known yet
  let between: Float32Array = new Float32Array(0); // oversampled values not yet folded into `needed`
  const needed: number[] = new Array<number>(2 * reach).fill(1); // as if the stream began with silence

  function take(samples: Float32Array, oversampled: Float32Array): Float32Array {
    waiting = joinSamples([waiting, samples]);
    between = joinSamples([between, oversampled]);
    const whole = Math.floor(between.length / OVERSAMPLING);
    for (let i = 0; i < whole; i++) {
      let peak = 0;
      // A sample answers for the values up to the next sample.
      for (let k = 0; k < OVERSAMPLING; k++) peak = Math.max(peak, Math.abs(between[i * OVERSAMPLING + k]!));
      needed.push(peak > ceiling ? ceiling / peak : 1);
    }
    between = between.slice(whole * OVERSAMPLING);
    return release(Math.min(waiting.length, needed.length - 4 * reach));
  }

  function release(count: number): Float32Array {
    if (count <= 0) return new Float32Array(0);
    const output = waiting.slice(0, count);
    waiting = waiting.slice(count);
    // needed[0] belongs to the sample 2 * reach before output[0].
    if (needed.some((gain) => gain < 1)) applyGain(output);
    needed.splice(0, count);
    return output;
  }

  function applyGain(output: Float32Array): void {
    const least = slidingMinimum(needed, window, output.length + 2 * reach);
    let sum = 0;
    for (let k = 0; k < window - 1; k++) sum += least[k]!;
    for (let i = 0; i < output.length; i++) {
      sum += least[i + window - 1]!;
      output[i]! *= sum / window;
      sum -= least[i]!;
    }
  }

  return {
    process: (samples) => take(samples, oversampler.process(samples)),
    flush: () => {
      const body = take(new Float32Array(0), oversampler.flush());
      while (needed.length < waiting.length + 4 * reach) needed.push(1);
      return joinSamples([body, release(waiting.length)]);
    },
  };
}

function slidingMinimum(values: readonly number[], window: number, count: number): Float64Array {
  const least = new Float64Array(count);
  const candidates: number[] = [];
  let first = 0;
  for (let i = 0; i < count + window - 1; i++) {
    while (candidates.length > first && values[candidates.at(-1)!]! >= values[i]!) candidates.pop();
    candidates.push(i);
    if (candidates[first]! <= i - window) first++;
    if (i >= window - 1) least[i - window + 1] = values[candidates[first]!]!;
  }
  return least;
}
