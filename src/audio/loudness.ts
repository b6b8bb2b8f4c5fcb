import { createResampler } from "./resample.ts";

const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = 10;

/** Measures audio as it comes. */
export interface LoudnessMeter {
  add(samples: Float32Array): void;
  /** Integrated loudness by ITU-R BS.1770-4 of all that was added. Under 0.4 s it is one block; silence is -Infinity. */
  read(): number;
}

export function createLoudnessMeter(sampleRateHz: number): LoudnessMeter {
  const weigh = kWeighting(sampleRateHz);
  const hop = Math.round(sampleRateHz / 10);
  /** Mean squares of 100 ms each, after the K weighting. */
  const steps: number[] = [];
  let sum = 0;
  let count = 0;
  return {
    add(samples) {
      for (let start = 0; start < samples.length; ) {
        const part = samples.subarray(start, start + hop - count);
        sum += weigh(part);
        count += part.length;
        start += part.length;
        if (count === hop) {
          steps.push(sum / hop);
          sum = 0;
          count = 0;
        }
      }
    },
    read() {
      const blocks = steps.length < 4 ? wholeBlock(steps, hop, sum, count) : blockEnergies(steps);
      const audible = blocks.filter((energy) => toLufs(energy) > ABSOLUTE_GATE_LUFS);
      if (audible.length === 0) return Number.NEGATIVE_INFINITY;
      const threshold = toLufs(mean(audible)) - RELATIVE_GATE_LU;
      return toLufs(mean(audible.filter((energy) => toLufs(energy) > threshold)));
    },
  };
}

export function measureLoudness(samples: Float32Array, sampleRateHz: number): number {
  const meter = createLoudnessMeter(sampleRateHz);
  meter.add(samples);
  return meter.read();
}

/** The highest level between the samples too (four times oversampled), in dB relative to full scale. */
export function measureTruePeak(samples: Float32Array, sampleRateHz: number): number {
  const oversampler = createResampler(sampleRateHz, sampleRateHz * 4, {
    zeroCrossings: 16,
    kaiserBeta: 8,
    rolloff: 0.98,
  });
  let peak = 0;
  const look = (values: Float32Array) => {
    for (const value of values) peak = Math.max(peak, Math.abs(value));
  };
  look(oversampler.process(samples));
  look(oversampler.flush());
  return 20 * Math.log10(peak + 1e-12);
}

/** Windows of 400 ms every 100 ms. */
function blockEnergies(steps: readonly number[]): number[] {
  return steps.slice(3).map((_, i) => (steps[i]! + steps[i + 1]! + steps[i + 2]! + steps[i + 3]!) / 4);
}

function wholeBlock(steps: readonly number[], hop: number, rest: number, restCount: number): number[] {
  const samples = steps.length * hop + restCount;
  return samples === 0 ? [] : [steps.reduce((all, step) => all + step * hop, rest) / samples];
}

/** The sum of squares of the next samples after the two filters of BS.1770. */
type Weigh = (samples: Float32Array) => number;

/** For any rate, from the filters' analogue prototypes. */
function kWeighting(sampleRateHz: number): Weigh {
  const shelf = highShelf(sampleRateHz, 1681.974450955533, 3.999843853973347, 0.7071752369554196);
  const highPass = rumbleFilter(sampleRateHz, 38.13547087602444, 0.5003270373238773);
  const state = new Float64Array(4);
  // Numbers in local variables: kept in a closure each change would make an object, at ten times the cost.
  return (samples) => {
    const [b0, b1, b2, a1, a2] = shelf;
    const [c0, c1, c2, d1, d2] = highPass;
    let [s1, s2, t1, t2] = state as unknown as [number, number, number, number];
    let sum = 0;
    for (let i = 0; i < samples.length; i++) {
      const x = samples[i]!;
      const y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      const z = c0 * y + t1;
      t1 = c1 * y - d1 * z + t2;
      t2 = c2 * y - d2 * z;
      sum += z * z;
    }
    state.set([s1, s2, t1, t2]);
    return sum;
  };
}

/** b0, b1, b2, a1, a2 */
type Biquad = readonly [number, number, number, number, number];

function highShelf(sampleRateHz: number, frequencyHz: number, gainDecibels: number, quality: number): Biquad {
  const k = Math.tan((Math.PI * frequencyHz) / sampleRateHz);
  const high = 10 ** (gainDecibels / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / quality + k * k;
  return [
    (high + (band * k) / quality + k * k) / a0,
    (2 * (k * k - high)) / a0,
    (high - (band * k) / quality + k * k) / a0,
    (2 * (k * k - 1)) / a0,
    (1 - k / quality + k * k) / a0,
  ];
}

function rumbleFilter(sampleRateHz: number, frequencyHz: number, quality: number): Biquad {
  const k = Math.tan((Math.PI * frequencyHz) / sampleRateHz);
  const a0 = 1 + k / quality + k * k;
  return [1, -2, 1, (2 * (k * k - 1)) / a0, (1 - k / quality + k * k) / a0];
}

function toLufs(energy: number): number {
  return -0.691 + 10 * Math.log10(energy + 1e-12);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
