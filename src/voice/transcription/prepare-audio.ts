import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";

/** 16-bit samples as floats without their constant offset, which would blind voice activity. Keeps its place between chunks. */
export function createOffsetRemover(): (samples: Int16Array) => Float32Array {
  let before = 0;
  let filtered = 0;
  let isFirst = true;
  return (samples) => {
    const cleaned = new Float32Array(samples.length);
    for (let i = 0; i < samples.length; i++) {
      const value = samples[i]! / 32768;
      // Starting from the first value, not from zero, spares the recording a thump at its beginning.
      if (isFirst) before = value;
      isFirst = false;
      // A high-pass far below speech: 1.3 Hz.
      filtered = value - before + 0.9995 * filtered;
      before = value;
      cleaned[i] = filtered;
    }
    return cleaned;
  };
}

const rememberedFrames = 2000;
/** -45 dBFS: quieter recordings are made louder for voice activity, and for it alone. */
const quietLevel = 0.0056;

/** How much louder a recording must be made for voice activity to hear it, judged by its louder moments so far. */
export function createQuietGain(): (samples: Float32Array) => number {
  const levels: number[] = [];
  return (samples) => {
    for (let start = 0; start + FRAME_SAMPLES <= samples.length; start += FRAME_SAMPLES) {
      let sum = 0;
      for (let i = start; i < start + FRAME_SAMPLES; i++) sum += samples[i]! ** 2;
      levels.push(Math.sqrt(sum / FRAME_SAMPLES));
    }
    if (levels.length > rememberedFrames) levels.splice(0, levels.length - rememberedFrames);
    const loud = [...levels].sort((a, b) => a - b)[Math.floor(levels.length * 0.95)] ?? 0;
    return loud < quietLevel && loud > 1e-5 ? Math.min(100, 0.1 / loud) : 1;
  };
}

export function amplify(samples: Float32Array, gain: number): Float32Array {
  return gain === 1 ? samples : samples.map((value) => Math.max(-1, Math.min(1, value * gain)));
}
