import { hannWindow, powerSpectrum } from "./spectrum.ts";

const SIZE = 512;
const WINDOW = hannWindow(SIZE);

/** How a sound is heard over time: the energy of mel bands in dB, one row per 10 ms. */
export function logMel(samples: Float32Array, sampleRateHz: number, bands = 40): Float32Array[] {
  const hop = Math.round(sampleRateHz / 100);
  const edges = bandEdges(bands, sampleRateHz);
  const rows: Float32Array[] = [];
  for (let start = 0; start + SIZE <= samples.length; start += hop) {
    const power = powerSpectrum(samples.subarray(start, start + SIZE), WINDOW);
    const row = new Float32Array(bands);
    for (let band = 0; band < bands; band++) {
      const [low, middle, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
      let sum = 0;
      for (let bin = Math.ceil(low); bin < high; bin++) {
        const weight = bin < middle ? (bin - low) / (middle - low) : (high - bin) / (high - middle);
        sum += weight * power[bin]!;
      }
      row[band] = 10 * Math.log10(sum + 1e-7);
    }
    rows.push(row);
  }
  return rows;
}

/** Mean difference of two sounds of the same length in dB: 0 is the same, 1 to 3 is hardly heard, 10 is another sound. */
export function melDistance(a: Float32Array, b: Float32Array, sampleRateHz: number): number {
  const [left, right] = [logMel(a, sampleRateHz), logMel(b, sampleRateHz)];
  const rows = Math.min(left.length, right.length);
  if (rows === 0) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let i = 0; i < rows; i++) {
    for (let band = 0; band < left[i]!.length; band++) sum += Math.abs(left[i]![band]! - right[i]![band]!);
  }
  return sum / (rows * left[0]!.length);
}

function bandEdges(bands: number, sampleRateHz: number): number[] {
  const toMel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
  const toHertz = (mel: number) => 700 * (10 ** (mel / 2595) - 1);
  const [low, high] = [toMel(80), toMel(Math.min(8000, sampleRateHz / 2))];
  return Array.from(
    { length: bands + 2 },
    (_, index) => (toHertz(low + ((high - low) * index) / (bands + 1)) * SIZE) / sampleRateHz,
  );
}
