/** Mono audio as the whole product passes it around: floats from -1 to 1 at a known rate. */
export interface AudioChunk {
  readonly samples: Float32Array;
  readonly sampleRateHz: number;
}

/** Little-endian 16-bit PCM. Values beyond full scale are clipped, not wrapped; NaN becomes silence. */
export function toPcm16(samples: Float32Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i]!;
    const clipped = value > 1 ? 1 : value < -1 ? -1 : value || 0;
    view.setInt16(i * 2, Math.round(clipped * 32767), true);
  }
  return bytes;
}

export function fromPcm16(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.byteLength >> 1);
  for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(i * 2, true) / 32768;
  return samples;
}

export function joinSamples(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export function scaleSamples(samples: Float32Array, factor: number): Float32Array {
  return samples.map((value) => value * factor);
}

export function decibelsToFactor(decibels: number): number {
  return 10 ** (decibels / 20);
}

export function durationMs(sampleCount: number, sampleRateHz: number): number {
  return Math.round((sampleCount * 1000) / sampleRateHz);
}

/** Raised-cosine fades at both ends, so that a cut inside a wave does not click. Changes the samples in place. */
export function fadeEdges(samples: Float32Array, fadeSamples: number): Float32Array {
  const length = Math.min(fadeSamples, samples.length >> 1);
  for (let i = 0; i < length; i++) {
    const gain = 0.5 - 0.5 * Math.cos((Math.PI * i) / length);
    samples[i]! *= gain;
    samples[samples.length - 1 - i]! *= gain;
  }
  return samples;
}
