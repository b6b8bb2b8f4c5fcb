/** IEEE half precision, rounded to the nearest even. */
export function toFloat16(values: Float32Array): Uint16Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(words.length);
  // A plain loop: models have millions of weights, and a callback for each takes a second.
  for (let index = 0; index < words.length; index++) halves[index] = toHalf(words[index]!);
  return halves;
}

function toHalf(word: number): number {
  const sign = (word >>> 16) & 0x8000;
  const exponent = ((word >>> 23) & 0xff) - 112;
  const fraction = word & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00 | (exponent === 143 && fraction ? 0x200 : 0);
  if (exponent < -10) return sign;
  // Below the normal range the hidden bit becomes visible and everything moves right.
  const bits = exponent <= 0 ? (fraction | 0x800000) >>> (1 - exponent) : (exponent << 23) | fraction;
  const lost = exponent <= 0 ? (fraction | 0x800000) & ((1 << (1 - exponent)) - 1) : 0;
  const half = bits >>> 13;
  const rest = bits & 0x1fff;
  const isUp = rest > 0x1000 || (rest === 0x1000 && (lost > 0 || (half & 1) === 1));
  return sign | (half + (isUp ? 1 : 0));
}

/** The number that sixteen bits of half precision stand for. */
export function fromHalf(bits: number): number {
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  // Below the normal range there is no hidden bit.
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (fraction + 1024) * 2 ** (exponent - 25));
}
