interface Tables {
  readonly reversed: Uint32Array;
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

const known = new Map<number, Tables>();

/** The energy of each frequency, from 0 to half the rate: `size / 2 + 1` numbers. The frame may be shorter than `size`, which is
 *  a power of two; the rest counts as silence. */
export function powerSpectrum(frame: ArrayLike<number>, window: ArrayLike<number>, size = frame.length): Float64Array {
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const { reversed } = tablesFor(size);
  for (let i = 0; i < frame.length; i++) real[reversed[i]!] = frame[i]! * window[i]!;
  butterflies(real, imaginary);
  return Float64Array.from({ length: size / 2 + 1 }, (_, i) => real[i]! * real[i]! + imaginary[i]! * imaginary[i]!);
}

/** Raised cosine, the same from both ends as often as it repeats. */
export function hannWindow(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
}

/** The discrete Fourier transform of values that stand in bit-reversed order, in place. */
function butterflies(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  const { cos, sin } = tablesFor(size);
  for (let span = 2; span <= size; span *= 2) {
    const stride = size / span;
    for (let start = 0; start < size; start += span) {
      for (let k = 0; k < span / 2; k++) {
        const [c, s] = [cos[k * stride]!, sin[k * stride]!];
        const upper = start + k;
        const lower = upper + span / 2;
        const re = real[lower]! * c - imaginary[lower]! * s;
        const im = real[lower]! * s + imaginary[lower]! * c;
        real[lower] = real[upper]! - re;
        imaginary[lower] = imaginary[upper]! - im;
        real[upper]! += re;
        imaginary[upper]! += im;
      }
    }
  }
}

function tablesFor(size: number): Tables {
  const found = known.get(size);
  if (found) return found;
  const bits = Math.log2(size);
  if (!Number.isInteger(bits)) throw new RangeError(`a spectrum of ${size} values cannot be computed`);
  const reversed = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    for (let bit = 0; bit < bits; bit++) reversed[i]! |= ((i >> bit) & 1) << (bits - 1 - bit);
  }
  const angles = Float64Array.from({ length: size / 2 }, (_, k) => (-2 * Math.PI * k) / size);
  const tables = { reversed, cos: angles.map(Math.cos), sin: angles.map(Math.sin) };
  known.set(size, tables);
  return tables;
}
