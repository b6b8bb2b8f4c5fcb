import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";

/** Below this an offset is not worth touching the recording for: the recogniser hears the smallest changes. */
const smallestOffset = 1e-4;

/** 16-bit samples of a recording as floats without their constant offset, which would blind voice activity. Judges by all that
 *  went by, so the first chunk had better be some seconds long. */
export function createOffsetRemover(): (samples: Int16Array) => Float32Array {
  let sum = 0;
  let count = 0;
  return (samples) => {
    const floats = Float32Array.from(samples, (sample) => sample / 32768);
    for (const value of floats) sum += value;
    count += floats.length;
    const offset = count > 0 ? sum / count : 0;
    return Math.abs(offset) > smallestOffset ? floats.map((value) => value - offset) : floats;
  };
}

/** The same for a live stream, of which little is known at first: a high-pass filter far below speech, at 1.3 Hz. */
export function createOffsetFilter(): (samples: Int16Array) => Float32Array {
  let before = 0;
  let filtered = 0;
  let isFirst = true;
  return (samples) => {
    const cleaned = new Float32Array(samples.length);
    for (let i = 0; i < samples.length; i++) {
      const value = samples[i]! / 32768;
      // Starting from the first value, not from zero, spares the stream a thump at its beginning.
      if (isFirst) before = value;
      isFirst = false;
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
