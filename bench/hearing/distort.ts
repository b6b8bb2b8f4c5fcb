import { resample } from "../../src/audio/resample.ts";

const rate = 16_000;

/** What happens to a recording on its way to us. Each is the same every time. */
export const distortions: Readonly<Record<string, (samples: Float32Array) => Float32Array>> = {
  "as recorded": (samples) => samples,
  "at 0.3 of its level": (samples) => scale(samples, 0.3),
  "at 0.1": (samples) => scale(samples, 0.1),
  "at 0.03": (samples) => scale(samples, 0.03),
  "so loud that it clips": (samples) => scale(samples, 1.5 / peakOf(samples)),
  "noise 20 dB below": (samples) => addNoise(samples, 20),
  "noise 10 dB below": (samples) => addNoise(samples, 10),
  "faint, in noise 15 dB below": (samples) => scale(addNoise(samples, 15), 0.1),
  telephone: (samples) => resample(band(resample(samples, rate, 8000)), 8000, rate),
  "in a room": (samples) => reverberate(samples, 0.5),
  "after two seconds of hiss": (samples) => afterHiss(samples, 2),
  "a tenth faster": (samples) => resample(samples, rate, rate / 1.1),
  "a tenth slower": (samples) => resample(samples, rate, rate * 1.1),
};

function scale(samples: Float32Array, factor: number): Float32Array {
  return samples.map((value) => value * factor);
}

function peakOf(samples: Float32Array): number {
  return samples.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-6);
}

function levelOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value ** 2, 0) / samples.length);
}

/** Evenly from -1 to 1, always the same. */
function createNoise(): () => number {
  let seed = 1;
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    return seed / 2 ** 31;
  };
}

function addNoise(samples: Float32Array, decibelsBelow: number): Float32Array {
  const noise = createNoise();
  const level = levelOf(samples) * 10 ** (-decibelsBelow / 20) * Math.sqrt(3);
  return samples.map((value) => value + level * noise());
}

function afterHiss(samples: Float32Array, seconds: number): Float32Array {
  const longer = new Float32Array(samples.length + seconds * rate);
  longer.set(samples, seconds * rate);
  return addNoise(longer, 35);
}

/** 300 to 3400 Hz at 8 kHz, in the 256 steps of a telephone exchange. */
function band(samples: Float32Array): Float32Array {
  let before = 0;
  let high = 0;
  let low = 0;
  return samples.map((value) => {
    high = 0.79 * (high + value - before);
    before = value;
    low += 0.8 * (high - low);
    const bent = Math.log1p(255 * Math.min(1, Math.abs(low))) / Math.log1p(255);
    return (Math.sign(low) * Math.expm1((Math.round(bent * 127) / 127) * Math.log1p(255))) / 255;
  });
}

/** The sound itself and an echo that has faded by 60 dB after so many seconds. */
function reverberate(samples: Float32Array, seconds: number): Float32Array {
  const noise = createNoise();
  const echoes = Array.from({ length: 400 }, () => {
    const at = ((noise() + 1) / 2) * seconds * 0.7;
    return { delay: Math.floor(at * rate) + 80, gain: 0.12 * Math.sign(noise()) * 10 ** ((-3 * at) / seconds) };
  });
  const echoed = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    let value = samples[i]!;
    for (const { delay, gain } of echoes) if (delay <= i) value += gain * samples[i - delay]!;
    echoed[i] = value;
  }
  return scale(echoed, levelOf(samples) / levelOf(echoed));
}
