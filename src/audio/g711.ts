/** ITU-T G.711, the two codes of telephone lines: one byte a sample. */
export type G711Law = "mulaw" | "alaw";

const mulawBias = 33;

const decodingTables: Record<G711Law, Float32Array> = {
  mulaw: Float32Array.from({ length: 256 }, (_, code) => decodeMulaw(code) / 32768),
  alaw: Float32Array.from({ length: 256 }, (_, code) => decodeAlaw(code) / 32768),
};

export function fromG711(law: G711Law, bytes: Uint8Array): Float32Array {
  const table = decodingTables[law];
  const samples = new Float32Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) samples[i] = table[bytes[i]!]!;
  return samples;
}

export function toG711(law: G711Law, samples: Float32Array): Uint8Array {
  encodingTables[law] ??= invert(decodingTables[law]);
  const table = encodingTables[law];
  const bytes = new Uint8Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const value = Math.max(-1, Math.min(1, samples[i]! || 0));
    bytes[i] = table[Math.round(value * 32767) + 32768]!;
  }
  return bytes;
}

const encodingTables: Partial<Record<G711Law, Uint8Array>> = {};

/** For each of the 65536 values the code whose value is nearest. */
function invert(values: Float32Array): Uint8Array {
  const codes = Array.from(values, (value, code) => ({ value: value * 32768, code })).sort((a, b) => a.value - b.value);
  const table = new Uint8Array(65_536);
  let at = 0;
  for (let value = -32_768; value < 32_768; value++) {
    while (at + 1 < codes.length && codes[at + 1]!.value - value <= value - codes[at]!.value) at += 1;
    table[value + 32_768] = codes[at]!.code;
  }
  return table;
}

/** 14-bit magnitudes in segments that double. */
function decodeMulaw(code: number): number {
  const bits = ~code & 0xff;
  const segment = (bits >> 4) & 7;
  const magnitude = ((((bits & 0x0f) << 1) + mulawBias) << segment) - mulawBias;
  return (bits & 0x80 ? -magnitude : magnitude) * 4;
}

/** 13-bit magnitudes; every second bit of the code is turned over. */
function decodeAlaw(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits >> 4) & 7;
  const step = bits & 0x0f;
  const magnitude = segment === 0 ? (step << 4) + 8 : ((step << 4) + 264) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}
