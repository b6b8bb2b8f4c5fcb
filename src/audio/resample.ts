/** Changes the rate of a stream of audio. The total output is exactly `ceil(input * to / from)` samples, whatever the chunking. */
export interface Resampler {
  process(samples: Float32Array): Float32Array;
  /** The rest, once, at the end. */
  flush(): Float32Array;
}

export interface ResampleQuality {
  /** Half the filter's length in input periods: longer is sharper and slower. */
  readonly zeroCrossings?: number;
  readonly kaiserBeta?: number;
  /** Where the pass band ends, as a part of the lower Nyquist frequency. */
  readonly rolloff?: number;
}

const LARGEST_RATIO_TERM = 2000;

/** A polyphase windowed-sinc filter: one set of taps per output phase, so no tap is computed while audio flows. */
export function createResampler(fromHz: number, toHz: number, quality: ResampleQuality = {}): Resampler {
  if (fromHz === toHz) return { process: (samples) => samples, flush: () => new Float32Array(0) };
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const phases = toHz / divisor;
  const step = fromHz / divisor;
  if (!(phases <= LARGEST_RATIO_TERM)) throw new RangeError(`cannot resample from ${fromHz} Hz to ${toHz} Hz`);
  const { taps, length, half } = designFilter(phases, step, quality);

  let pending: Float32Array = new Float32Array(half - 1);
  let position = 0;
  let phase = 0;
  let received = 0;
  let produced = 0;

  function process(samples: Float32Array): Float32Array {
    received += samples.length;
    return convolve(samples);
  }

  function convolve(samples: Float32Array): Float32Array {
    const input = new Float32Array(pending.length + samples.length);
    input.set(pending);
    input.set(samples, pending.length);
    const output = new Float32Array(
      Math.max(0, Math.ceil(((input.length - length + 1 - position) * phases - phase) / step)),
    );
    let count = 0;
    const last = input.length - length;
    while (position <= last && count < output.length) {
      // Two sums, because one chain of additions would wait for each multiplication.
      let even = 0;
      let odd = 0;
      const offset = phase * length;
      for (let k = 0; k < length; k += 2) {
        even += input[position + k]! * taps[offset + k]!;
        odd += input[position + k + 1]! * taps[offset + k + 1]!;
      }
      output[count++] = even + odd;
      phase += step;
      while (phase >= phases) {
        phase -= phases;
        position++;
      }
    }
    pending = input.slice(Math.min(position, input.length));
    position = Math.max(0, position - input.length);
    produced += count;
    return output.subarray(0, count);
  }

  function flush(): Float32Array {
    const wanted = Math.ceil((received * phases) / step) - produced;
    return convolve(new Float32Array(length)).subarray(0, Math.max(0, wanted));
  }

  return { process, flush };
}

export function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return samples;
  const resampler = createResampler(fromHz, toHz);
  const body = resampler.process(samples);
  const tail = resampler.flush();
  const whole = new Float32Array(body.length + tail.length);
  whole.set(body);
  whole.set(tail, body.length);
  return whole;
}

interface Filter {
  readonly taps: Float32Array;
  readonly length: number;
  readonly half: number;
}

const designs = new Map<string, Filter>();

function designFilter(phases: number, step: number, quality: ResampleQuality): Filter {
  const { zeroCrossings = 32, kaiserBeta = 10, rolloff = 0.95 } = quality;
  const key = `${phases}/${step}/${zeroCrossings}/${kaiserBeta}/${rolloff}`;
  const known = designs.get(key);
  if (known !== undefined) return known;
  const ratio = Math.min(1, phases / step);
  const cutoff = ratio * rolloff;
  const half = Math.ceil(zeroCrossings / ratio);
  const length = 2 * half;
  const taps = new Float32Array(phases * length);
  const scale = besselI0(kaiserBeta);
  const row = new Float64Array(length);
  for (let phase = 0; phase < phases; phase++) {
    let sum = 0;
    for (let k = 0; k < length; k++) {
      const time = k - half + 1 - phase / phases;
      const edge = time / half;
      const sinc = Math.abs(time) < 1e-12 ? cutoff : Math.sin(Math.PI * cutoff * time) / (Math.PI * time);
      row[k] = Math.abs(edge) >= 1 ? 0 : (sinc * besselI0(kaiserBeta * Math.sqrt(1 - edge * edge))) / scale;
      sum += row[k]!;
    }
    // Each phase sums to one, so that a constant stays constant.
    for (let k = 0; k < length; k++) taps[phase * length + k] = row[k]! / sum;
  }
  const design = { taps, length, half };
  designs.set(key, design);
  return design;
}

function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 60; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
    if (term < 1e-14 * sum) break;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
