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
      for (const sample of samples) {
        const value = weigh(sample);
        sum += value * value;
        if (++count === hop) {
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

type Filter = (sample: number) => number;

/** The two filters of BS.1770 for any rate, from their analogue prototypes. */
function kWeighting(sampleRateHz: number): Filter {
  const shelf = highShelf(sampleRateHz, 1681.974450955533, 3.999843853973347, 0.7071752369554196);
  const highPass = rumbleFilter(sampleRateHz, 38.13547087602444, 0.5003270373238773);
  return (sample) => highPass(shelf(sample));
}

function highShelf(sampleRateHz: number, frequencyHz: number, gainDecibels: number, quality: number): Filter {
  const k = Math.tan((Math.PI * frequencyHz) / sampleRateHz);
  const high = 10 ** (gainDecibels / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / quality + k * k;
  return biquad(
    (high + (band * k) / quality + k * k) / a0,
    (2 * (k * k - high)) / a0,
    (high - (band * k) / quality + k * k) / a0,
    (2 * (k * k - 1)) / a0,
    (1 - k / quality + k * k) / a0,
  );
}

function rumbleFilter(sampleRateHz: number, frequencyHz: number, quality: number): Filter {
  const k = Math.tan((Math.PI * frequencyHz) / sampleRateHz);
  const a0 = 1 + k / quality + k * k;
  return biquad(1, -2, 1, (2 * (k * k - 1)) / a0, (1 - k / quality + k * k) / a0);
}

function biquad(b0: number, b1: number, b2: number, a1: number, a2: number): Filter {
  let x1 = 0;
  let x2 = 0;
  let y1 = 0;
  let y2 = 0;
  return (x) => {
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    return y;
  };
}

function toLufs(energy: number): number {
  return -0.691 + 10 * Math.log10(energy + 1e-12);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
