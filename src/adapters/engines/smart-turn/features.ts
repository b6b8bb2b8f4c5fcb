/** What Whisper's feature extractor does, for the last eight seconds (OpenAI's whisper/audio.py; 80 slaney mels). */
const SAMPLE_RATE_HZ = 16_000;
export const LOOK_BACK_SAMPLES = 8 * SAMPLE_RATE_HZ;
const SIZE = 400;
const HOP = 160;
export const BANDS = 80;
export const FRAMES = LOOK_BACK_SAMPLES / HOP;
const BINS = SIZE / 2 + 1;

/** Log mel energies as [band][frame] in one row: shorter sound is preceded by silence, and all of it is made of the same loudness. */
export function turnFeatures(samples: Float32Array): Float32Array {
  const sound = normalise(takeLast(samples));
  const mel = new Float32Array(BANDS * FRAMES);
  const power = new Float64Array(BINS);
  let largest = Number.NEGATIVE_INFINITY;
  for (let frame = 0; frame < FRAMES; frame++) {
    readPower(sound, frame * HOP - SIZE / 2, power);
    for (const [band, { from, weights }] of filters.entries()) {
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += weights[i]! * power[from + i]!;
      const value = Math.log10(Math.max(sum, 1e-10));
      mel[band * FRAMES + frame] = value;
      largest = Math.max(largest, value);
    }
  }
  return mel.map((value) => (Math.max(value, largest - 8) + 4) / 4);
}

function takeLast(samples: Float32Array): Float32Array {
  if (samples.length >= LOOK_BACK_SAMPLES) return samples.slice(-LOOK_BACK_SAMPLES);
  const padded = new Float32Array(LOOK_BACK_SAMPLES);
  padded.set(samples, LOOK_BACK_SAMPLES - samples.length);
  return padded;
}

function normalise(sound: Float32Array): Float32Array {
  const mean = sound.reduce((sum, value) => sum + value, 0) / sound.length;
  const variance = sound.reduce((sum, value) => sum + (value - mean) ** 2, 0) / sound.length;
  const scale = 1 / Math.sqrt(variance + 1e-7);
  return sound.map((value) => (value - mean) * scale);
}

/** 400 is no power of two, so the transform is written out; the symmetry of its waves halves the work. */
const window = Float64Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE));
const cosines = Float64Array.from({ length: SIZE }, (_, i) => Math.cos((2 * Math.PI * i) / SIZE));
const sines = Float64Array.from({ length: SIZE }, (_, i) => Math.sin((2 * Math.PI * i) / SIZE));
const even = new Float64Array(SIZE / 2 + 1);
const odd = new Float64Array(SIZE / 2 + 1);

function readPower(sound: Float32Array, start: number, power: Float64Array): void {
  const at = (i: number) => window[i]! * sound[reflect(start + i, sound.length)]!;
  even[0] = at(0);
  even[SIZE / 2] = at(SIZE / 2);
  for (let i = 1; i < SIZE / 2; i++) {
    const [left, right] = [at(i), at(SIZE - i)];
    even[i] = left + right;
    odd[i] = left - right;
  }
  for (let bin = 0; bin < BINS; bin++) {
    let real = even[0]! + even[SIZE / 2]! * (bin % 2 === 0 ? 1 : -1);
    let imaginary = 0;
    for (let i = 1, angle = bin; i < SIZE / 2; i++) {
      real += even[i]! * cosines[angle]!;
      imaginary += odd[i]! * sines[angle]!;
      angle += bin;
      if (angle >= SIZE) angle -= SIZE;
    }
    power[bin] = real * real + imaginary * imaginary;
  }
}

function reflect(index: number, length: number): number {
  if (index < 0) return -index;
  return index < length ? index : 2 * (length - 1) - index;
}

/** Triangles of equal area on Slaney's scale: even steps up to 1 kHz, then even ratios. */
const filters = makeFilters();

function makeFilters(): { from: number; weights: Float64Array }[] {
  const toMel = (hertz: number) =>
    hertz < 1000 ? (3 * hertz) / 200 : 15 + (27 * Math.log(hertz / 1000)) / Math.log(6.4);
  const toHertz = (mel: number) => (mel < 15 ? (200 * mel) / 3 : 1000 * Math.exp((Math.log(6.4) / 27) * (mel - 15)));
  const top = toMel(SAMPLE_RATE_HZ / 2);
  const edges = Array.from({ length: BANDS + 2 }, (_, i) => toHertz((top * i) / (BANDS + 1)));
  return Array.from({ length: BANDS }, (_, band) => {
    const [low, middle, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    const hertzOf = (bin: number) => (bin * SAMPLE_RATE_HZ) / SIZE;
    const bins = Array.from({ length: BINS }, (_, bin) => bin).filter(
      (bin) => hertzOf(bin) > low && hertzOf(bin) < high,
    );
    const weights = bins.map((bin) => {
      const slope = Math.min((hertzOf(bin) - low) / (middle - low), (high - hertzOf(bin)) / (high - middle));
      return (slope * 2) / (high - low);
    });
    return { from: bins[0] ?? 0, weights: Float64Array.from(weights) };
  });
}
